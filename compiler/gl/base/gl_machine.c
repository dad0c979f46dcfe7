// What every handler uses: arguments, and what is said of calls that do not run.
#include "compiler/gl/base/gl_machine.h"

uint32_t gv_gl_floats(const struct gv_trace_call *call, uint32_t i, float *out,
                      uint32_t count)
{
    const struct gv_trace_value *v = gv_trace_argument(call, i);
    uint32_t there = 0;
    for (uint32_t k = 0; k < count; k++) {
        const struct gv_trace_value *item = gv_trace_item(v, k);
        out[k] = (float)gv_trace_real(item);
        if (item->kind != GV_TRACE_ABSENT && item->kind != GV_TRACE_NULL)
            there = k + 1;
    }
    return there;
}

static const char *error_name(uint32_t error)
{
    switch (error) {
    case GL_INVALID_ENUM:
        return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
        return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
        return "GL_INVALID_OPERATION";
    case GL_STACK_OVERFLOW:
        return "GL_STACK_OVERFLOW";
    case GL_STACK_UNDERFLOW:
        return "GL_STACK_UNDERFLOW";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        return "GL_INVALID_FRAMEBUFFER_OPERATION";
    default:
        return "GL_OUT_OF_MEMORY";
    }
}

bool gv_gl_reject(struct gv_gl *gl, uint32_t error)
{
    gv_builder_diagnose(gl->b, GV_NOTE, "gl-error", "%s: %s",
                        gl->call ? gl->call->function->name : "?", error_name(error));
    return true;
}

bool gv_gl_unsupported(struct gv_gl *gl, const char *what)
{
    gv_builder_diagnose(gl->b, GV_UNSUPPORTED, "unsupported", "%s", what);
    return true;
}
