// Draws and dispatches: dirty state becomes calls, then the work itself.
#include "compiler/aerogpu/aero.h"

// ---- viewport and scissor ----

// The scissor in force, or NULL.
static const struct gv_lower_scissor *scissor_of(const struct gv_aero_context *x)
{
    return x->raster.scissor_enable && x->scissor.set ? &x->scissor.to : NULL;
}

bool gv_aero_scissor(const struct gv_aero_context *x, struct gv_lower_rectangle *out)
{
    return gv_lower_scissor(scissor_of(x), x->target_set.width, x->target_set.height,
                            out);
}

// False: nothing can be seen.
static bool emit_viewport(struct gv_aero *a, const struct gv_aero_context *x)
{
    return gv_lower_set_viewport(a->b, x->viewport.set ? &x->viewport.to : NULL,
                                 scissor_of(x), x->target_set.width,
                                 x->target_set.height);
}

static bool bias_in_24_bits(const struct gv_aero_context *x)
{
    return x->pipeline->base.key.depth_format == GV_FORMAT_D32_SFLOAT_S8_UINT;
}

static void emit_dynamic_state(struct gv_aero *a, struct gv_aero_context *x)
{
    if (x->dirty & GV_AERO_DIRTY_BLEND_CONSTANT)
        gv_emit(a->b, set_blend_constants, .r = x->blend.constant[0],
                .g = x->blend.constant[1], .b = x->blend.constant[2],
                .a = x->blend.constant[3]);
    if (x->dirty & GV_AERO_DIRTY_STENCIL)
        gv_lower_set_stencil(a->b, x->depth.reference, x->depth.read_mask,
                             x->depth.write_mask);
    bool other_unit =
        x->raster.depth_bias && x->biased_in_24_bits != bias_in_24_bits(x);
    if (other_unit || (x->dirty & GV_AERO_DIRTY_DEPTH_BIAS)) {
        x->biased_in_24_bits = bias_in_24_bits(x);
        gv_lower_set_depth_bias(
            a->b, &(struct gv_lower_depth_bias){ .units = (float)x->raster.depth_bias,
                                                 .in_24_bits = x->biased_in_24_bits });
    }
    x->dirty &= ~(uint32_t)(GV_AERO_DIRTY_BLEND_CONSTANT | GV_AERO_DIRTY_STENCIL |
                            GV_AERO_DIRTY_DEPTH_BIAS);
}

// ---- vertices and indices ----

static bool bind_vertices(struct gv_aero *a, struct gv_aero_context *x,
                          struct gv_error *err)
{
    struct gv_lower_vertices streams[GV_AERO_VERTEX_BUFFERS];
    struct gv_error inner = GV_ERROR_INIT;
    uint32_t read = x->pipeline->base.slots.used | x->pipeline->base.slots.zeros;
    for (uint32_t i = 0; i < GV_AERO_VERTEX_BUFFERS && read >> i; i++) {
        const struct gv_aero_vertex_stream *s = &x->streams[i];
        streams[i] =
            (struct gv_lower_vertices){ s->buffer ? &s->buffer->buffer.base : NULL,
                                        s->stride, s->offset };
    }
    return gv_lower_bind_streams(&a->buffers, streams, &x->pipeline->base.slots,
                                 &x->dirty_streams, &inner) ||
           gv_aero_refuse(a, &inner, err);
}

// The indices that a draw reads.
struct index_range {
    uint32_t first, count;
};

static bool bind_indices(struct gv_aero *a, struct gv_aero_context *x,
                         struct index_range *r, struct gv_error *err)
{
    if (!x->indices.buffer)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "no index buffer is bound");
    gv_lower_bind_indices(&a->buffers, &x->indices, &r->first, r->count);
    return true;
}

// ---- preparing ----

// Every target has one sample: without its bit in the mask nothing is drawn.
static bool invisible(const struct gv_aero_context *x)
{
    return x->skip || !(x->blend.sample_mask & 1);
}

void gv_aero_use_context(struct gv_aero *a, struct gv_aero_context *x)
{
    if (a->contexts.current != x && x)
        gv_aero_context_touch(x);
    if (a->contexts.current != x)
        a->contexts.bound_pipeline.id = 0;
    a->contexts.current = x;
}

// Whether what is bound by now wants another pipeline: buffers that turned known or
// unknown are taken otherwise, and shaders may follow what is bound.
static bool bindings_moved(const struct gv_aero_context *x)
{
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++) {
        const struct gv_aero_variant *v = x->pipeline->variants[k];
        const struct gv_aero_stage *s = &x->stages[k];
        if (v && (s->dirty_constants || s->dirty_textures) && gv_aero_need_moved(x, v))
            return true;
        if (v && x->stages[k].dirty_constants && v->code.cbuffer_count &&
            gv_aero_dynamic_constants(x, v, k, x->dynamic_limit) !=
                x->pipeline->base.key.dynamic[k])
            return true;
    }
    return false;
}

static bool prepare_pipeline(struct gv_aero *a, struct gv_aero_context *x,
                             struct gv_error *err)
{
    gv_aero_use_context(a, x);
    const struct gv_lower_targets *targets = gv_aero_current_targets(a, x);
    if (x->dirty & GV_AERO_DIRTY_PIPELINE || !x->pipeline || bindings_moved(x))
        if (!gv_aero_pipeline_update(a, x, targets, err))
            return false;
    if (x->dirty & GV_AERO_DIRTY_VIEWPORT) {
        x->skip = !emit_viewport(a, x);
        x->dirty &= ~(uint32_t)GV_AERO_DIRTY_VIEWPORT;
    }
    return true;
}

static bool prepare_draw(struct gv_aero *a, struct gv_aero_context *x,
                         struct index_range *indices, struct gv_error *err)
{
    // Bindings may need transfers, which end the pass: they come before it begins.
    const struct gv_aero_pipeline *p = x->pipeline;
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++)
        if (p->variants[k] &&
            !gv_aero_bind_stage(a, x, k, p->variants[k], p->base.key.dynamic[k], err))
            return false;
    if (!bind_vertices(a, x, err) || (indices && !bind_indices(a, x, indices, err)))
        return false;
    gv_aero_pass_begin(a, x);
    if (a->contexts.bound_pipeline.id != p->base.object.id)
        gv_emit(a->b, bind_pipeline, .pipeline = p->base.object);
    a->contexts.bound_pipeline = p->base.object;
    emit_dynamic_state(a, x);
    return true;
}

static bool check_count(struct gv_aero *a, uint32_t vertices, uint32_t instances,
                        struct gv_error *err)
{
    if ((uint64_t)vertices * instances > GV_AERO_MAX_DRAW_VERTICES)
        return gv_aero_fail(a, GV_ERR_LIMIT, err,
                            "%u vertices of %u instances are over the limit", vertices,
                            instances);
    return true;
}

GV_AERO_HANDLER(gv_aero_draw)
{
    uint32_t vertices = GV_CMD_U32(c, DRAW, vertex_count);
    uint32_t instances = GV_CMD_U32(c, DRAW, instance_count);
    if (!vertices || !instances)
        return true;
    if (!check_count(a, vertices, instances, err) || !prepare_pipeline(a, x, err))
        return false;
    if (invisible(x))
        return true;
    if (!prepare_draw(a, x, NULL, err))
        return false;
    gv_emit(a->b, draw, .vertex_count = vertices, .instance_count = instances,
            .first_vertex = GV_CMD_U32(c, DRAW, first_vertex),
            .first_instance = GV_CMD_U32(c, DRAW, first_instance));
    return true;
}

GV_AERO_HANDLER(gv_aero_draw_indexed)
{
    uint32_t indices = GV_CMD_U32(c, DRAW_INDEXED, index_count);
    uint32_t instances = GV_CMD_U32(c, DRAW_INDEXED, instance_count);
    struct index_range range = { GV_CMD_U32(c, DRAW_INDEXED, first_index), indices };
    if (!indices || !instances)
        return true;
    if (!check_count(a, indices, instances, err) || !prepare_pipeline(a, x, err))
        return false;
    if (invisible(x))
        return true;
    if (!prepare_draw(a, x, &range, err))
        return false;
    gv_emit(a->b, draw_indexed, .index_count = indices, .instance_count = instances,
            .first_index = range.first,
            .base_vertex = (int32_t)GV_CMD_U32(c, DRAW_INDEXED, base_vertex),
            .first_instance = GV_CMD_U32(c, DRAW_INDEXED, first_instance));
    return true;
}

// ---- compute ----

static bool compute_pipeline(struct gv_aero *a, struct gv_aero_variant *v,
                             uint16_t dynamic, struct gv_error *err)
{
    if (v->compute.id && v->compute_dynamic == dynamic)
        return true;
    struct gv_aero_part part;
    struct gv_lower_part parts[GV_LOWER_STAGES] = { 0 };
    gv_aero_part(a, v, dynamic, &part);
    parts[GV_LOWER_COMPUTE] = part.part;
    a->compute = (struct gv_compute_desc){ 0 };
    if (!gv_lower_interface(parts, &a->compute.interface, err))
        return false;
    v->compute = gv_builder_compute(a->b, &a->compute, part.part.module);
    v->compute_dynamic = dynamic;
    return true;
}

GV_AERO_HANDLER(gv_aero_dispatch)
{
    const uint32_t k = GV_DXBC_COMPUTE;
    uint32_t stage,
        groups[3] = { GV_CMD_U32(c, DISPATCH, x), GV_CMD_U32(c, DISPATCH, y),
                      GV_CMD_U32(c, DISPATCH, z) };
    if (x->d3d9)
        return true; // ignored under Direct3D 9 rules
    if (!gv_aero_stage_of(a, 2, GV_CMD_U32(c, DISPATCH, stage_ex), &stage, err))
        return false;
    if (stage != k)
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, err,
                            "unsupported: DISPATCH of stage_ex %u",
                            GV_CMD_U32(c, DISPATCH, stage_ex));
    if (!groups[0] || !groups[1] || !groups[2])
        return true;
    for (uint32_t i = 0; i < 3; i++)
        if (groups[i] > GV_AERO_MAX_GROUPS)
            return gv_aero_fail(a, GV_ERR_LIMIT, err, "%u groups", groups[i]);
    if (!x->shaders[k])
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "no compute shader is bound");
    struct gv_aero_variant *v =
        gv_aero_shader_variant(a, x, &x->shaders[k]->shader, NULL, err);
    if (!v)
        return gv_error_at_command(err, gv_builder_current_command(a->b));
    if (v->code.stage != GV_DXBC_COMPUTE)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "the bound shader is of another stage");
    gv_aero_use_context(a, x);
    gv_lower_transfer(&a->pass);
    uint16_t dynamic = gv_aero_dynamic_constants(x, v, k, 8);
    if (!compute_pipeline(a, v, dynamic, err))
        return false;
    gv_aero_stage_touch(&x->stages[k]);
    if (!gv_aero_bind_stage(a, x, k, v, dynamic, err))
        return false;
    gv_emit(a->b, bind_pipeline, .pipeline = v->compute);
    gv_emit(a->b, dispatch, .x = groups[0], .y = groups[1], .z = groups[2],
            .ranges = gv_data(""), .size = 0);
    gv_aero_buffers_written(a, x);
    return true;
}
