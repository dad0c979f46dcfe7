// Parameters of calls that come in several forms (glFogf, glFogi, glFogxv ...): one
// handler takes all, and learns from the function's name how numbers are given.
#ifndef GV_GL_VALUES_H
#define GV_GL_VALUES_H

#include "compiler/gl/base/gl_machine.h"

struct gv_gl_values {
    const struct gv_trace_value *from;
    bool vector;    // "v": an array, else one number
    bool fixed;     // "x": numbers are in units of 1/65536
    bool integer;   // "i", "s", "b": colours are fractions of the type's range
    uint32_t count; // of elements there are
};

// Those of argument `i`; for numbers that are arguments of their own see gv_gl_number.
struct gv_gl_values gv_gl_values(const struct gv_trace_call *call, uint32_t i);

// Element `i` as a number.
float gv_gl_value(const struct gv_gl_values *v, uint32_t i);
// As an enumerant or integer, in whichever form it is given.
int32_t gv_gl_value_int(const struct gv_gl_values *v, uint32_t i);
// The first `n` (up to 4) as a colour or as numbers. False: not as many are there.
bool gv_gl_value_color(const struct gv_gl_values *v, float *out, uint32_t n);
bool gv_gl_value_numbers(const struct gv_gl_values *v, float *out, uint32_t n);

// Sets a colour of four components from 0 to 1, which only a vector gives; rejects
// others.
bool gv_gl_set_color(struct gv_gl_sink *sink, const struct gv_gl_values *v,
                     float out[4]);

// Argument `i` of a call whose name says how numbers are given.
float gv_gl_number(const struct gv_trace_call *call, uint32_t i);

#endif
