// What every handler uses: arguments, and what is said of calls that do not run.
#include "compiler/gl/base/gl_machine.h"

#include "compiler/compiler.h"
#include "resources/base/checked.h"

#define WORK_PER_BYTE 256u
#define MADE_PER_BYTE 256u

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

bool gv_gl_reject(struct gv_gl_sink *sink, uint32_t error)
{
    gv_builder_diagnose(sink->b, GV_NOTE, "gl-error", "%s: %s",
                        sink->call ? sink->call->function->name : "?",
                        error_name(error));
    return true;
}

// ---- how much there may be ----

// `floor` + `each` for each byte read.
static uint64_t bound(const struct gv_gl_work *w, uint64_t floor, uint64_t each)
{
    uint64_t most;
    return gv_mul_u64(w->read, each, &most) && gv_add_u64(most, floor, &most)
               ? most
               : UINT64_MAX;
}

static bool exceed(struct gv_gl_work *work, const char *what, uint64_t most,
                   struct gv_error *err)
{
    struct gv_error *failure = &work->failure;
    gv_error_clear(failure);
    gv_fail(failure, GV_ERR_LIMIT, GV_NO_OFFSET,
            "over %llu %s, out of proportion to what the trace tells",
            (unsigned long long)most, what);
    return !gv_gl_exceeded(work, err);
}

bool gv_gl_exceeded(const struct gv_gl_work *work, struct gv_error *err)
{
    const struct gv_error *failure = &work->failure;
    return failure->status != GV_OK &&
           !gv_fail(err, failure->status, failure->offset, "%s", failure->message);
}

bool gv_gl_work(struct gv_gl_work *w, uint64_t units, struct gv_error *err)
{
    const uint64_t most = bound(w, w->allowed ? w->allowed : GV_GL_WORK, WORK_PER_BYTE);
    if (w->done > most || units > most - w->done)
        return exceed(w, "vertices and texels in all (--option gl.work=N)", most, err);
    w->done += units;
    return true;
}

bool gv_gl_made(struct gv_gl_sink *sink, uint64_t bytes, struct gv_error *err)
{
    struct gv_gl_work *w = &sink->work;
    const uint64_t memory = sink->params && sink->params->memory_limit
                                ? sink->params->memory_limit
                                : GV_COMPILE_MEMORY;
    const uint64_t most = bound(w, memory / 2, MADE_PER_BYTE);
    if (w->made > most || bytes > most - w->made)
        return exceed(&sink->work, "bytes of vertices and texels (--mem-mb)", most,
                      err);
    w->made += bytes;
    return true;
}
