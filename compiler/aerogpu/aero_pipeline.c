// From state to a graphics pipeline: a compact key, looked up before anything is built.
#include "compiler/aerogpu/aero.h"

#define DYNAMIC_BUFFERS 8u // uniform buffers fed as bytes that every device allows

_Static_assert((int)GV_DXBC_PIXEL == GV_LOWER_FRAGMENT &&
                   (int)GV_DXBC_GEOMETRY == GV_LOWER_GEOMETRY &&
                   (int)GV_DXBC_HULL == GV_LOWER_CONTROL &&
                   (int)GV_DXBC_DOMAIN == GV_LOWER_EVALUATION &&
                   (int)GV_DXBC_COMPUTE == GV_LOWER_COMPUTE,
               "stages are numbered alike");

// ---- parts ----

void gv_aero_part(struct gv_aero *a, struct gv_aero_variant *v, uint16_t dynamic,
                  struct gv_aero_part *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < v->code.cbuffer_count; i++) {
        const struct gv_dxbc_cbuffer *cb = &v->code.cbuffers[i];
        if (dynamic >> cb->slot & 1)
            out->places[out->count++] =
                (struct gv_lower_place){ cb->set, cb->binding, 0 };
    }
    out->part = (struct gv_lower_part){ .code = &v->code.spirv,
                                        .module = gv_aero_variant_module(a, v),
                                        .dynamic = out->places,
                                        .dynamic_count = out->count };
}

// ---- key ----

// The stage whose outputs stage `k` reads.
static const struct gv_aero_variant *in_front(struct gv_aero_variant *const *variants,
                                              uint32_t k)
{
    const struct gv_aero_variant *vertex = variants[GV_DXBC_VERTEX];
    const struct gv_aero_variant *last =
        variants[GV_DXBC_DOMAIN] ? variants[GV_DXBC_DOMAIN] : vertex;
    switch ((enum gv_dxbc_stage)k) {
    case GV_DXBC_HULL:
        return vertex;
    case GV_DXBC_DOMAIN:
        return variants[GV_DXBC_HULL];
    case GV_DXBC_GEOMETRY:
        return last;
    case GV_DXBC_PIXEL:
        return variants[GV_DXBC_GEOMETRY] ? variants[GV_DXBC_GEOMETRY] : last;
    case GV_DXBC_VERTEX:
    case GV_DXBC_COMPUTE:
    case GV_DXBC_STAGE_COUNT:
        break;
    }
    return NULL;
}

static bool choose_variants(struct gv_aero *a, const struct gv_aero_context *x,
                            enum gv_aero_fixed fixed, struct gv_aero_variant **variants,
                            struct gv_error *err)
{
    static const uint8_t order[] = { GV_DXBC_VERTEX, GV_DXBC_HULL, GV_DXBC_DOMAIN,
                                     GV_DXBC_GEOMETRY, GV_DXBC_PIXEL };
    for (uint32_t i = 0; i < sizeof order; i++) {
        uint32_t k = order[i];
        if (!x->shaders[k])
            continue;
        variants[k] = gv_aero_shader_variant(a, x, &x->shaders[k]->shader,
                                             in_front(variants, k), err);
        if (!variants[k])
            return gv_error_at_command(err, gv_builder_current_command(a->b));
        if (variants[k]->code.stage != (enum gv_dxbc_stage)k)
            return gv_aero_fail(a, GV_ERR_FORMAT, err,
                                "a bound shader is of another stage");
    }
    if (!fixed)
        return true;
    bool textured = fixed == GV_AERO_FIXED_POS3_UV;
    variants[GV_DXBC_VERTEX] = gv_aero_fixed_variant(a, fixed, err);
    variants[GV_DXBC_PIXEL] = gv_aero_fixed_variant(
        a, textured ? GV_AERO_FIXED_FS_TEXTURE : GV_AERO_FIXED_FS_COLOR, err);
    return variants[GV_DXBC_VERTEX] && variants[GV_DXBC_PIXEL];
}

static bool check_stages(struct gv_aero *a, const struct gv_aero_context *x,
                         enum gv_aero_fixed fixed, struct gv_error *err)
{
    bool patches = x->topology >= GV_AERO_TOPOLOGY_FIRST_PATCH;
    bool hull = x->shaders[GV_DXBC_HULL], domain = x->shaders[GV_DXBC_DOMAIN];
    if (x->shaders[GV_DXBC_COMPUTE])
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "a draw while a compute shader is bound");
    if (!x->shaders[GV_DXBC_VERTEX] && x->shaders[GV_DXBC_PIXEL])
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "no vertex shader is bound");
    if (!x->shaders[GV_DXBC_VERTEX] && !fixed)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "no shaders, and slot 0 has no known vertex form");
    if (hull != domain)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "a hull shader without a domain shader, or the reverse");
    if (patches != hull)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            patches ? "patches without a hull shader"
                                    : "a hull shader without patches");
    return true;
}

static struct gv_lower_blend key_blend(const struct gv_aero_context *x)
{
    const struct gv_aero_blend *b = &x->blend;
    if (!b->enable)
        return (struct gv_lower_blend){ 0 };
    return (struct gv_lower_blend){
        .enable = 1,
        .src = b->src,
        .dst = b->dst,
        .op = b->op,
        .src_alpha = b->separate_alpha ? b->src_alpha : b->src,
        .dst_alpha = b->separate_alpha ? b->dst_alpha : b->dst,
        .op_alpha = b->separate_alpha ? b->op_alpha : b->op,
    };
}

static void key_depth(const struct gv_aero_context *x, const struct gv_lower_targets *t,
                      struct gv_lower_pipeline_key *k)
{
    const struct gv_aero_depth *d = &x->depth;
    if (t->depth.image.id && d->enable) {
        k->depth_enable = 1;
        k->depth_write = d->write;
        k->depth_compare = d->compare;
    }
    if (t->depth_aspects & GV_ASPECT_STENCIL && d->stencil_enable) {
        k->stencil_enable = 1;
        k->front = d->front;
        k->back = d->two_sided ? d->back : d->front;
        if (d->two_sided && x->raster.front_ccw) { // `back` is that of CCW triangles
            k->front = d->back;
            k->back = d->front;
        }
    }
}

// What a pipeline is made of.
struct recipe {
    enum gv_aero_fixed fixed;
    struct gv_aero_variant *variants[GV_DXBC_STAGE_COUNT];
    uint16_t dynamic[GV_DXBC_STAGE_COUNT]; // constant buffers fed as bytes
    struct gv_lower_pipeline_key key;
};

// From all that comes before it in the recipe.
static void make_key(const struct gv_aero_context *x, const struct gv_lower_targets *t,
                     struct recipe *r)
{
    struct gv_lower_pipeline_key *k = &r->key;
    const struct gv_aero_variant *ps = r->variants[GV_DXBC_PIXEL];
    gv_lower_key_targets(k, t);
    for (uint32_t i = 0; i < GV_DXBC_STAGE_COUNT; i++) {
        k->stages[i] = r->variants[i] ? r->variants[i]->serial : 0;
        k->dynamic[i] = r->dynamic[i];
    }
    k->input = x->layout && !r->fixed ? x->layout->named.serial : 0;
    for (uint32_t i = 0; i < t->color_count; i++) {
        k->blend[i] = key_blend(x);
        // What the shader does not write keeps its content.
        if (t->colors[i].image.id && ps && ps->code.targets >> i & 1)
            k->blend[i].write_mask = x->blend.write_mask[i];
    }
    gv_aero_enum(GV_AERO_ENUM_topology, x->topology, &k->topology);
    if (k->topology == GV_TOPOLOGY_PATCH_LIST)
        k->control_points = (uint8_t)(x->topology - GV_AERO_TOPOLOGY_FIRST_PATCH + 1);
    key_depth(x, t, k);
    k->wireframe = x->raster.wireframe;
    k->cull = r->fixed ? 0 : x->raster.cull; // no culling in the fixed interpretation
    k->front_ccw = x->raster.front_ccw;
    k->clamp = x->raster.clamp;
    k->bias = x->raster.depth_bias != 0;
    k->restart = !x->d3d9; // Direct3D 9: all indices are vertices
}

// ---- pipelines ----

static bool build(struct gv_aero *a, const struct gv_aero_context *x,
                  const struct recipe *r, struct gv_aero_pipeline *p,
                  struct gv_error *err)
{
    struct gv_graphics_desc *d = gv_lower_pipeline_begin(&a->pipelines, &r->key);
    struct gv_aero_part parts[GV_DXBC_STAGE_COUNT];
    struct gv_lower_part lower[GV_LOWER_STAGES] = { 0 };
    if (r->fixed)
        gv_aero_fixed_input(r->fixed, d, &p->base.slots);
    else if (!gv_aero_input(a, x, &r->variants[GV_DXBC_VERTEX]->code, d, &p->base.slots,
                            err))
        return false;
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++) {
        p->variants[k] = r->variants[k];
        if (!r->variants[k])
            continue;
        gv_aero_part(a, r->variants[k], r->key.dynamic[k], &parts[k]);
        lower[k] = parts[k].part;
    }
    return gv_lower_pipeline_add(&a->pipelines, &p->base, &r->key, lower, err);
}

static struct gv_aero_pipeline *find_or_build(struct gv_aero *a,
                                              const struct gv_aero_context *x,
                                              const struct recipe *r,
                                              struct gv_error *err)
{
    struct gv_lower_pipeline *found = gv_lower_pipeline_find(&a->pipelines, &r->key);
    if (found) // `base` is their first member
        return (struct gv_aero_pipeline *)found;
    struct gv_aero_pipeline *p = gv_arena_alloc(a->arena, sizeof *p);
    if (!p) {
        gv_out_of_memory(err);
        return NULL;
    }
    return build(a, x, r, p, err) ? p : NULL;
}

bool gv_aero_pipeline_update(struct gv_aero *a, struct gv_aero_context *x,
                             const struct gv_lower_targets *targets,
                             struct gv_error *err)
{
    struct recipe r = { .fixed = GV_AERO_FIXED_NONE };
    if (!x->shaders[GV_DXBC_VERTEX] && !x->shaders[GV_DXBC_PIXEL])
        r.fixed = gv_aero_fixed_for(x);
    if (!check_stages(a, x, r.fixed, err) ||
        !choose_variants(a, x, r.fixed, r.variants, err))
        return false;
    uint32_t stages = 0;
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++)
        stages += r.variants[k] && r.variants[k]->code.cbuffer_count;
    x->dynamic_limit = stages ? DYNAMIC_BUFFERS / stages : 0;
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++)
        if (r.variants[k])
            r.dynamic[k] =
                gv_aero_dynamic_constants(x, r.variants[k], k, x->dynamic_limit);
    make_key(x, targets, &r);
    const struct gv_aero_pipeline *old = x->pipeline;
    struct gv_aero_pipeline *p = find_or_build(a, x, &r, err);
    if (!p)
        return false;
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++)
        if (!old || old->variants[k] != p->variants[k] ||
            old->base.key.dynamic[k] != r.dynamic[k])
            gv_aero_stage_touch(&x->stages[k]);
    const struct gv_lower_slots *slots = &p->base.slots;
    if (!old || old->base.slots.used != slots->used ||
        old->base.slots.zeros != slots->zeros)
        x->dirty_streams |= slots->used | slots->zeros;
    x->pipeline = p;
    x->dirty &= ~(uint32_t)GV_AERO_DIRTY_PIPELINE;
    return true;
}
