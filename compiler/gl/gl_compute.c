#include "compiler/gl/gl_compute.h"

#include <string.h>

#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/base/gl_conditions.h"
#include "compiler/gl/draw/gl_draw_stages.h"
#include "compiler/gl/draw/gl_drawing.h"
#include "resources/base/checked.h"
#include "resources/base/cursor.h"

#define COMMAND_BYTES 12u  // DispatchIndirectCommand
#define MOST_GROUPS 65535u // GL_MAX_COMPUTE_WORK_GROUP_COUNT of llvmpipe

// How many workgroups: said, or where the device will find it.
struct groups {
    uint32_t count[3];
    struct gv_gl_buffer *buffer; // NULL: said
    uint64_t offset;
};

// ---- the work ----

static void emit(struct gv_gl_sink *sink, const struct groups *g)
{
    const struct gv_buffer from =
        g->buffer ? gv_gl_buffer_gpu(sink, g->buffer, GV_BUFFER_USAGE_INDIRECT)
                  : (struct gv_buffer){ 0 };
    if (from.id)
        gv_emit(sink->b, dispatch_indirect, .buffer = from, .offset = g->offset,
                .ranges = gv_data(""), .size = 0);
    else if (!g->buffer)
        gv_emit(sink->b, dispatch, .x = g->count[0], .y = g->count[1], .z = g->count[2],
                .ranges = gv_data(""), .size = 0);
}

// Makes the buffer such that the device can read the numbers there, ahead of all
// bindings: it may be made anew for that.
static void prepare(struct gv_gl_sink *sink, const struct groups *g)
{
    if (g->buffer)
        gv_gl_buffer_gpu(sink, g->buffer, GV_BUFFER_USAGE_INDIRECT);
}

static bool run_stages(struct gv_gl *gl, const struct gv_gl_variant *v,
                       const struct gv_gl_program_inputs *in,
                       struct gv_gl_stages *stages, const struct groups *g,
                       struct gv_error *err)
{
    struct gv_gl_drawing *x = gl->drawing;
    struct gv_pipeline pipeline;
    memset(&x->state, 0, sizeof x->state);
    prepare(&gl->sink, g);
    if (!gv_gl_storage_find(gl, stages, x->storage, err) ||
        !gv_gl_set_textures(gl, stages, NULL, err) ||
        !gv_gl_compute_pipeline(gl->sink.b, v, stages, &pipeline, err))
        return false;
    gv_gl_set_blocks(stages, &x->state);
    gv_gl_program_uniforms(gl, v, in, stages, x->uniforms);
    struct gv_builder *b = gv_lower_transfer(&gl->sink.pass); // outside of passes
    gv_emit(b, bind_pipeline, .pipeline = pipeline);
    gv_gl_bind_state(b, &x->state, x->uniforms);
    gv_gl_storage_bind(b, x->storage);
    emit(&gl->sink, g);
    gv_gl_storage_done(&gl->sink, x->storage);
    return !gv_builder_failed(gl->sink.b, err);
}

// The program in use computes as long as this lasts.
static bool run(struct gv_gl *gl, const struct groups *g, struct gv_error *err)
{
    struct gv_gl_context *c = gl->context;
    struct gv_gl_program *drawn = c->program;
    const struct gv_gl_program_inputs in = { .context = c, .drawn = GV_GL_CLASS_LINES };
    struct gv_gl_stages stages;
    bool ok = true;
    if (!gv_gl_may_render(gl->context))
        return true;
    c->program = gv_gl_compute_program(c);
    const struct gv_gl_variant *v =
        c->program ? gv_gl_program_stages(gl, &in, &stages, &ok, err) : NULL;
    if (!c->program || (v && !stages.codes[GV_LOWER_COMPUTE]))
        ok = gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    else if (v)
        ok = run_stages(gl, v, &in, &stages, g, err);
    c->program = drawn;
    return ok;
}

// ---- calls ----

static bool dispatch(struct gv_gl *gl, const struct groups *g, struct gv_error *err)
{
    uint64_t all = 1;
    for (uint32_t i = 0; i < 3; i++) {
        if (g->count[i] > MOST_GROUPS)
            return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
        all *= g->count[i];
    }
    if (!g->buffer && !all)
        return true;
    if (all > GV_MAX_DISPATCH_GROUPS)
        return gv_gl_unsupported_over(&gl->sink, GV_GL_LACK(WORKGROUPS), all,
                                      GV_MAX_DISPATCH_GROUPS);
    return gv_gl_work(&gl->sink.work, GV_GL_DRAW_WORK, err) && run(gl, g, err);
}

static bool gl_DispatchCompute(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    const struct groups g = { .count = { gv_gl_uint(call, 0), gv_gl_uint(call, 1),
                                         gv_gl_uint(call, 2) } };
    return dispatch(gl, &g, err);
}

// (offset), in GL_DISPATCH_INDIRECT_BUFFER.
static bool gl_DispatchComputeIndirect(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    const uint32_t name =
        *gv_gl_buffer_binding(gl->context, GL_DISPATCH_INDIRECT_BUFFER);
    const int64_t offset = gv_trace_sint(gv_trace_argument(call, 0));
    struct gv_gl_buffer *b = gv_gl_buffer_find(&gl->objects, name);
    struct groups g = { .offset = (uint64_t)offset };
    if (offset < 0 || offset % 4)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!b || !gv_range_inside((uint64_t)offset, COMMAND_BYTES, b->size))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (b->unknown && !b->on_device)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(PACKED_GROUPS));
    for (uint32_t i = 0; i < 3 && !b->unknown; i++)
        g.count[i] = gv_load_u32(b->bytes + offset + (size_t)4 * i);
    g.buffer = b->unknown ? b : NULL;
    return dispatch(gl, &g, err);
}

const struct gv_gl_row gv_gl_compute_rows[] = {
    { "glDispatchCompute", gl_DispatchCompute, 0 },
    { "glDispatchComputeIndirect", gl_DispatchComputeIndirect, 0 },
    { NULL, NULL, 0 },
};
