// Calls of a trace made from a name and typed values, for tests of the OpenGL machine.
#ifndef GV_MAKE_CALL_H
#define GV_MAKE_CALL_H

#include <stdarg.h>

#include "compiler/apitrace/trace/trace_call.h"

#define MADE_ARGUMENTS 16
#define MADE_ITEMS 512

struct made_call {
    struct gv_trace_call call; // refers to what follows: do not copy
    struct gv_trace_function function;
    struct gv_trace_value arguments[MADE_ARGUMENTS];
    struct gv_trace_value items[MADE_ITEMS]; // of arrays
};

// `kinds`: a letter per argument, and what follows it in the list:
//   i int   e enumerant (unsigned)   f double, recorded as a float   p uint64_t
//   n null, nothing   F count, const float *   I count, const int64_t *
//   B count, const uint8_t *: a blob   S count, const char *const *: strings
// After '=' stands the kind of the result, likewise.
#define FLOATS(...)                                                         \
    sizeof((const float[]){ __VA_ARGS__ }) / sizeof(float), (const float[]) \
    {                                                                       \
        __VA_ARGS__                                                         \
    }
#define INTEGERS(...)                                                             \
    sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), (const int64_t[]) \
    {                                                                             \
        __VA_ARGS__                                                               \
    }
void make_call(struct made_call *m, const char *name, const char *kinds, va_list list);

#endif
