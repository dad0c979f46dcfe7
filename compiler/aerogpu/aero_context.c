// Contexts and their default state.
#include "compiler/aerogpu/aero.h"

static void default_state(struct gv_aero_context *x)
{
    x->topology = GV_AERO_TOPOLOGY_TRIANGLE_LIST;
    x->blend = (struct gv_aero_blend){ .src = GV_BLEND_FACTOR_ONE,
                                       .dst = GV_BLEND_FACTOR_ZERO,
                                       .src_alpha = GV_BLEND_FACTOR_ONE,
                                       .dst_alpha = GV_BLEND_FACTOR_ZERO,
                                       .constant = { 1, 1, 1, 1 },
                                       .sample_mask = UINT32_MAX };
    for (uint32_t i = 0; i < GV_AERO_TARGETS; i++)
        x->blend.write_mask[i] = 0xF;
    const struct gv_lower_stencil_face keep = { .compare = GV_COMPARE_ALWAYS };
    x->depth = (struct gv_aero_depth){ .enable = true,
                                       .write = true,
                                       .compare = GV_COMPARE_LESS,
                                       .read_mask = 0xFF,
                                       .write_mask = 0xFF,
                                       .front = keep,
                                       .back = keep };
    x->raster.cull = GV_CULL_BACK;
    x->alpha_test.compare = GV_COMPARE_ALWAYS;
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < GV_AERO_SAMPLERS; k++)
            x->samplers9[i][k] = (struct gv_aero_sampler_state){ .address = { 1, 1, 1 },
                                                                 .filter = { 1, 1, 0 },
                                                                 .max_anisotropy = 1 };
}

struct gv_aero_context *gv_aero_context(struct gv_aero *a, uint32_t id,
                                        struct gv_error *err)
{
    for (uint32_t i = 0; i < a->contexts.count; i++)
        if (a->contexts.items[i]->id == id)
            return a->contexts.items[i];
    if (a->contexts.count == GV_AERO_MAX_CONTEXTS) {
        gv_fail(err, GV_ERR_LIMIT, gv_builder_offset(a->b), "more than %u contexts",
                GV_AERO_MAX_CONTEXTS);
        return NULL;
    }
    struct gv_aero_context *x = gv_arena_alloc(a->arena, sizeof *x);
    if (!x) {
        gv_out_of_memory(err);
        return NULL;
    }
    x->id = id;
    default_state(x);
    gv_aero_context_touch(x);
    return a->contexts.items[a->contexts.count++] = x;
}

void gv_aero_context_touch(struct gv_aero_context *x)
{
    x->dirty = GV_AERO_DIRTY_ALL;
    x->indices.dirty = true;
    x->dirty_streams = UINT32_MAX;
    for (uint32_t i = 0; i < GV_DXBC_STAGE_COUNT; i++)
        gv_aero_stage_touch(&x->stages[i]);
}

void gv_aero_stage_touch(struct gv_aero_stage *s)
{
    s->dirty_constants = UINT32_MAX;
    s->dirty_textures = s->dirty_samplers = s->dirty_buffers = true;
}

void gv_aero_use_d3d9(struct gv_aero_context *x)
{
    if (x->d3d9)
        return;
    x->d3d9 = true;
    if (!x->explicit_depth)
        x->depth.compare = GV_COMPARE_LESS_OR_EQUAL;
    gv_aero_context_touch(x);
}
