// From state to a graphics pipeline: a compact key, looked up before anything is built.
#include "compiler/aerogpu/aero.h"

#include <string.h>

#include "resources/hash.h"

#define DYNAMIC_BUFFERS 8u // uniform buffers fed as bytes that every device allows

// D3D stages as the waist's, in the order of enum gv_dxbc_stage.
static const uint32_t stage_bits[GV_DXBC_STAGE_COUNT] = {
    GV_STAGE_VERTEX,
    GV_STAGE_FRAGMENT,
    GV_STAGE_GEOMETRY,
    GV_STAGE_TESSELLATION_CONTROL,
    GV_STAGE_TESSELLATION_EVALUATION,
    GV_STAGE_COMPUTE,
};

// ---- interface ----

// Whether a binding row is a constant buffer that is fed as bytes.
static bool is_dynamic(const struct gv_binding_desc *b, const struct gv_aero_variant *v,
                       uint16_t dynamic)
{
    for (uint32_t i = 0; i < v->code.cbuffer_count; i++) {
        const struct gv_dxbc_cbuffer *cb = &v->code.cbuffers[i];
        if (cb->set == b->set && cb->binding == b->binding)
            return dynamic >> cb->slot & 1;
    }
    return false;
}

static void insert(struct gv_interface_desc *out, const struct gv_binding_desc *b)
{
    uint32_t at = out->binding_count++;
    while (at && (out->bindings[at - 1].set > b->set ||
                  (out->bindings[at - 1].set == b->set &&
                   out->bindings[at - 1].binding > b->binding))) {
        out->bindings[at] = out->bindings[at - 1];
        at--;
    }
    out->bindings[at] = *b;
}

bool gv_aero_interface(const struct gv_aero_variant *const *variants,
                       const uint16_t *dynamic, struct gv_interface_desc *out,
                       struct gv_error *err)
{
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++) {
        const struct gv_shader_stage *s = variants[k] ? &variants[k]->code.spirv : NULL;
        for (uint32_t i = 0; s && i < s->binding_count; i++) {
            struct gv_binding_desc b = s->bindings[i];
            if (is_dynamic(&b, variants[k], dynamic[k]))
                b.type = GV_BINDING_UNIFORM_BUFFER_DYNAMIC;
            b.stages = stage_bits[k];
            if (out->binding_count == GV_MAX_BINDINGS)
                return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                               "more than %u shader bindings", GV_MAX_BINDINGS);
            insert(out, &b);
        }
    }
    return true;
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

static bool choose_variants(struct gv_aero *a, const struct gv_cmd *c,
                            const struct gv_aero_context *x, enum gv_aero_fixed fixed,
                            struct gv_aero_variant **variants, struct gv_error *err)
{
    static const uint8_t order[] = { GV_DXBC_VERTEX, GV_DXBC_HULL, GV_DXBC_DOMAIN,
                                     GV_DXBC_GEOMETRY, GV_DXBC_PIXEL };
    for (uint32_t i = 0; i < sizeof order; i++) {
        uint32_t k = order[i];
        if (!x->shaders[k])
            continue;
        variants[k] = gv_aero_shader_variant(a, c, x, &x->shaders[k]->shader,
                                             in_front(variants, k), err);
        if (!variants[k])
            return gv_error_at_command(err, gv_builder_current_command(a->b));
        if (variants[k]->code.stage != (enum gv_dxbc_stage)k)
            return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
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

static bool check_stages(struct gv_aero *a, const struct gv_cmd *c,
                         const struct gv_aero_context *x, enum gv_aero_fixed fixed,
                         struct gv_error *err)
{
    bool patches = x->topology >= GV_AERO_TOPOLOGY_FIRST_PATCH;
    bool hull = x->shaders[GV_DXBC_HULL], domain = x->shaders[GV_DXBC_DOMAIN];
    if (x->shaders[GV_DXBC_COMPUTE])
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "a draw while a compute shader is bound");
    if (!x->shaders[GV_DXBC_VERTEX] && x->shaders[GV_DXBC_PIXEL])
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "no vertex shader is bound");
    if (!x->shaders[GV_DXBC_VERTEX] && !fixed)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "no shaders, and slot 0 has no known vertex form");
    if (hull != domain)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "a hull shader without a domain shader, or the reverse");
    if (patches != hull)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            patches ? "patches without a hull shader"
                                    : "a hull shader without patches");
    return true;
}

static void key_blend(const struct gv_aero_context *x, struct gv_aero_pipeline_key *k)
{
    const struct gv_aero_blend *b = &x->blend;
    if (!b->enable)
        return;
    k->blend_enable = 1;
    k->src = b->src;
    k->dst = b->dst;
    k->op = b->op;
    k->src_alpha = b->separate_alpha ? b->src_alpha : b->src;
    k->dst_alpha = b->separate_alpha ? b->dst_alpha : b->dst;
    k->op_alpha = b->separate_alpha ? b->op_alpha : b->op;
}

static void key_depth(const struct gv_aero_context *x, const struct gv_lower_targets *t,
                      struct gv_aero_pipeline_key *k)
{
    const struct gv_aero_depth *d = &x->depth;
    k->depth_format = t->depth.format;
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

static void make_key(const struct gv_aero_context *x, enum gv_aero_fixed fixed,
                     struct gv_aero_variant *const *variants,
                     const struct gv_lower_targets *t, const uint16_t *dynamic,
                     struct gv_aero_pipeline_key *k)
{
    memset(k, 0, sizeof *k);
    const struct gv_aero_variant *ps = variants[GV_DXBC_PIXEL];
    for (uint32_t i = 0; i < GV_DXBC_STAGE_COUNT; i++) {
        k->variants[i] = variants[i] ? variants[i]->serial : 0;
        k->dynamic[i] = dynamic[i];
    }
    k->layout = x->layout && !fixed ? x->layout->serial : 0;
    for (uint32_t i = 0; i < t->color_count; i++) {
        k->color_formats[i] = t->colors[i].format;
        // What the shader does not write keeps its content; X8 alpha stays 1.
        if (t->colors[i].image.id && ps && ps->code.targets >> i & 1)
            k->write_mask[i] = x->blend.write_mask[i];
        if (t->colors[i].opaque) {
            k->write_mask[i] &= 7;
            k->opaque |= (uint8_t)(1u << i);
        }
    }
    k->topology = (uint8_t)x->topology;
    k->fixed = (uint8_t)fixed;
    key_blend(x, k);
    key_depth(x, t, k);
    k->wireframe = x->raster.wireframe;
    k->cull = fixed ? 0 : x->raster.cull; // no culling in the fixed interpretation
    k->front_ccw = x->raster.front_ccw;
    k->clamp = x->raster.clamp;
    k->bias = x->raster.depth_bias != 0;
    k->no_restart = x->d3d9;
}

// ---- description ----

// Alpha factors: the constant's alpha, and X8 targets, whose alpha is 1.
static uint32_t factor(uint32_t f, bool alpha, bool opaque)
{
    if (opaque && f == GV_BLEND_FACTOR_DST_ALPHA)
        return GV_BLEND_FACTOR_ONE;
    if (opaque && f == GV_BLEND_FACTOR_ONE_MINUS_DST_ALPHA)
        return GV_BLEND_FACTOR_ZERO;
    if (opaque && f == GV_BLEND_FACTOR_SRC_ALPHA_SATURATE && !alpha)
        return GV_BLEND_FACTOR_ZERO; // min(source alpha, 1 - 1)
    if (alpha && f == GV_BLEND_FACTOR_CONSTANT_COLOR)
        return GV_BLEND_FACTOR_CONSTANT_ALPHA;
    if (alpha && f == GV_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR)
        return GV_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
    return f;
}

static void describe_targets(const struct gv_aero_pipeline_key *k, uint32_t color_count,
                             struct gv_graphics_desc *d)
{
    d->color_count = color_count;
    for (uint32_t i = 0; i < color_count; i++) {
        bool opaque = k->opaque >> i & 1;
        d->color_formats[i] = k->color_formats[i];
        d->blend[i] = (struct gv_blend_desc){
            .enable = k->blend_enable && k->color_formats[i],
            .src_color = factor(k->src, false, opaque),
            .dst_color = factor(k->dst, false, opaque),
            .color_op = k->op,
            .src_alpha = factor(k->src_alpha, true, opaque),
            .dst_alpha = factor(k->dst_alpha, true, opaque),
            .alpha_op = k->op_alpha,
            .write_mask = k->write_mask[i],
        };
    }
    d->depth_stencil_format = k->depth_format;
}

static struct gv_stencil_desc describe_face(const struct gv_aero_stencil_face *f)
{
    return (struct gv_stencil_desc){ .fail_op = f->fail,
                                     .pass_op = f->pass,
                                     .depth_fail_op = f->depth_fail,
                                     .compare = f->compare };
}

static void describe(const struct gv_aero_pipeline_key *k, uint32_t color_count,
                     struct gv_graphics_desc *d)
{
    gv_graphics_desc_default(d);
    uint8_t topology = GV_TOPOLOGY_TRIANGLE_LIST;
    gv_aero_enum(GV_AERO_ENUM_topology, k->topology, &topology);
    d->topology = topology;
    if (topology == GV_TOPOLOGY_PATCH_LIST)
        d->patch_control_points = k->topology - GV_AERO_TOPOLOGY_FIRST_PATCH + 1;
    d->primitive_restart =
        !k->no_restart &&
        (topology == GV_TOPOLOGY_LINE_STRIP || topology == GV_TOPOLOGY_TRIANGLE_STRIP ||
         topology == GV_TOPOLOGY_LINE_STRIP_ADJACENCY ||
         topology == GV_TOPOLOGY_TRIANGLE_STRIP_ADJACENCY);
    d->polygon_mode = k->wireframe ? GV_POLYGON_MODE_LINE : GV_POLYGON_MODE_FILL;
    d->cull = k->cull;
    // Negative viewport heights keep D3D's windings.
    d->front_face =
        k->front_ccw ? GV_FRONT_FACE_COUNTER_CLOCKWISE : GV_FRONT_FACE_CLOCKWISE;
    d->depth_clamp = k->clamp;
    d->depth_clip = !k->clamp;
    d->depth_bias = k->bias;
    d->depth_test = k->depth_enable;
    d->depth_write = k->depth_write;
    d->depth_compare = k->depth_enable ? k->depth_compare : GV_COMPARE_ALWAYS;
    d->stencil_test = k->stencil_enable;
    if (k->stencil_enable) {
        d->front = describe_face(&k->front);
        d->back = describe_face(&k->back);
    }
    describe_targets(k, color_count, d);
}

// Direct3D reads zeros outside of vertex buffers.
static const struct gv_requirement zeros_outside = {
    .kind = GV_REQUIRE_FEATURE,
    .strength = GV_ALTERNATIVE,
    .name = "robustBufferAccess2",
    .fallback = "vertex data that a draw leaves are copied for it",
};

static bool build(struct gv_aero *a, const struct gv_cmd *c,
                  const struct gv_aero_context *x, struct gv_aero_variant **variants,
                  uint32_t color_count, struct gv_aero_pipeline *p,
                  struct gv_error *err)
{
    struct gv_graphics_desc *d = &a->graphics;
    struct gv_stage_shaders shaders = { 0 };
    describe(&p->key, color_count, d);
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++)
        p->variants[k] = variants[k];
    if (p->key.fixed)
        gv_aero_fixed_input((enum gv_aero_fixed)p->key.fixed, d, p);
    else if (!gv_aero_input(a, c, x, &variants[GV_DXBC_VERTEX]->code, d, p, err))
        return false;
    if (!gv_aero_interface(p->variants, p->key.dynamic, &d->interface, err))
        return false;
    struct gv_shader *const modules[GV_DXBC_STAGE_COUNT] = {
        &shaders.vertex,
        &shaders.fragment,
        &shaders.geometry,
        &shaders.tessellation_control,
        &shaders.tessellation_evaluation,
    };
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++)
        if (variants[k])
            *modules[k] = gv_aero_variant_module(a, variants[k]);
    if (d->vertex_binding_count)
        gv_builder_require(a->b, &zeros_outside);
    p->object = gv_builder_graphics(a->b, d, &shaders);
    return true;
}

static struct gv_aero_pipeline **bucket_of(struct gv_aero *a,
                                           const struct gv_aero_pipeline_key *key)
{
    struct gv_hash h = gv_hash_bytes(key, sizeof *key);
    return &a->pipelines[(h.bytes[0] | (uint32_t)h.bytes[1] << 8) %
                         GV_AERO_PIPELINE_BUCKETS];
}

static struct gv_aero_pipeline *find_or_build(struct gv_aero *a, const struct gv_cmd *c,
                                              const struct gv_aero_context *x,
                                              struct gv_aero_variant **variants,
                                              uint32_t color_count,
                                              const struct gv_aero_pipeline_key *key,
                                              struct gv_error *err)
{
    struct gv_aero_pipeline **bucket = bucket_of(a, key);
    for (struct gv_aero_pipeline *p = *bucket; p; p = p->next)
        // Keys are zeroed before they are filled: padding compares equal.
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
        if (!memcmp(&p->key, key, sizeof *key))
            return p;
    struct gv_aero_pipeline *p = gv_arena_alloc(a->arena, sizeof *p);
    if (!p) {
        gv_out_of_memory(err);
        return NULL;
    }
    memcpy(&p->key, key, sizeof *key); // padding too: keys compare as bytes
    if (!build(a, c, x, variants, color_count, p, err))
        return NULL;
    p->next = *bucket;
    return *bucket = p;
}

bool gv_aero_pipeline_update(struct gv_aero *a, const struct gv_cmd *c,
                             struct gv_aero_context *x,
                             const struct gv_lower_targets *targets,
                             struct gv_error *err)
{
    struct gv_aero_variant *variants[GV_DXBC_STAGE_COUNT] = { 0 };
    enum gv_aero_fixed fixed = GV_AERO_FIXED_NONE;
    if (!x->shaders[GV_DXBC_VERTEX] && !x->shaders[GV_DXBC_PIXEL])
        fixed = gv_aero_fixed_for(x);
    if (!check_stages(a, c, x, fixed, err) ||
        !choose_variants(a, c, x, fixed, variants, err))
        return false;
    uint32_t stages = 0;
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++)
        stages += variants[k] && variants[k]->code.cbuffer_count;
    x->dynamic_limit = stages ? DYNAMIC_BUFFERS / stages : 0;
    uint16_t dynamic[GV_DXBC_STAGE_COUNT] = { 0 };
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++)
        if (variants[k])
            dynamic[k] = gv_aero_dynamic_constants(x, variants[k], k, x->dynamic_limit);
    struct gv_aero_pipeline_key key;
    make_key(x, fixed, variants, targets, dynamic, &key);
    const struct gv_aero_pipeline *old = x->pipeline;
    struct gv_aero_pipeline *p =
        find_or_build(a, c, x, variants, targets->color_count, &key, err);
    if (!p)
        return false;
    for (uint32_t k = 0; k < GV_DXBC_STAGE_COUNT; k++)
        if (!old || old->variants[k] != p->variants[k] ||
            old->key.dynamic[k] != key.dynamic[k])
            gv_aero_stage_touch(&x->stages[k]);
    if (!old || old->streams != p->streams || old->zero_streams != p->zero_streams)
        x->dirty_streams |= p->streams | p->zero_streams;
    x->pipeline = p;
    x->dirty &= ~(uint32_t)GV_AERO_DIRTY_PIPELINE;
    return true;
}
