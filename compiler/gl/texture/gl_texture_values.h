// Values of parameters of textures and sampler objects, in all forms of the calls.
#ifndef GV_GL_TEXTURE_VALUES_H
#define GV_GL_TEXTURE_VALUES_H

#include "compiler/gl/texture/texture_object.h"

struct gv_gl_texture_value {
    uint32_t pname, count;
    bool vector, fixed; // a pointer was given; numbers are 16.16
    float real[4];      // borders that are integers: their bits
    int32_t integer[4];
};

// How a call gives its value.
struct gv_gl_texture_form {
    bool vector, fixed;
    bool normalized; // integers of borders are: the largest is 1
    bool integers;   // borders stay such
};

// Arguments 1 (the parameter's name) and 2 of a call.
void gv_gl_texture_value(const struct gv_trace_call *call,
                         struct gv_gl_texture_form form,
                         struct gv_gl_texture_value *out);

// Sets how textures are sampled: filters, wraps, comparisons, levels of detail, the
// border. `flat`: of a rectangle. GL_NO_ERROR, or GL's error: GL_INVALID_ENUM also for
// what is not of sampling.
uint32_t gv_gl_texture_set_sampling(struct gv_gl_texture_params *p, bool flat,
                                    const struct gv_gl_texture_value *v);

#endif
