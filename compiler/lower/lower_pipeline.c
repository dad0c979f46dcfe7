#include "compiler/lower/lower_pipeline.h"

#include <string.h>

#include "resources/hash.h"

// ---- interface ----

static const uint32_t stage_bits[GV_LOWER_STAGES] = {
    [GV_LOWER_VERTEX] = GV_STAGE_VERTEX,
    [GV_LOWER_FRAGMENT] = GV_STAGE_FRAGMENT,
    [GV_LOWER_GEOMETRY] = GV_STAGE_GEOMETRY,
    [GV_LOWER_CONTROL] = GV_STAGE_TESSELLATION_CONTROL,
    [GV_LOWER_EVALUATION] = GV_STAGE_TESSELLATION_EVALUATION,
    [GV_LOWER_COMPUTE] = GV_STAGE_COMPUTE,
};

static bool is_dynamic(const struct gv_lower_part *part,
                       const struct gv_binding_desc *b)
{
    for (uint32_t i = 0; i < part->dynamic_count; i++)
        if (part->dynamic[i].set == b->set && part->dynamic[i].binding == b->binding)
            return true;
    return false;
}

// The same place in several stages is one row.
static bool is_there(struct gv_interface_desc *out, const struct gv_binding_desc *b)
{
    for (uint32_t i = 0; i < out->binding_count; i++)
        if (out->bindings[i].set == b->set && out->bindings[i].binding == b->binding) {
            struct gv_binding_desc *row = &out->bindings[i];
            row->stages |= b->stages;
            row->count = b->count > row->count ? b->count : row->count;
            return true;
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

bool gv_lower_interface(const struct gv_lower_part parts[GV_LOWER_STAGES],
                        struct gv_interface_desc *out, struct gv_error *err)
{
    for (uint32_t k = 0; k < GV_LOWER_STAGES; k++) {
        const struct gv_shader_stage *s = parts[k].code;
        for (uint32_t i = 0; s && i < s->binding_count; i++) {
            struct gv_binding_desc b = s->bindings[i];
            if (is_dynamic(&parts[k], &b))
                b.type = GV_BINDING_UNIFORM_BUFFER_DYNAMIC;
            b.stages = stage_bits[k];
            if (is_there(out, &b))
                continue;
            if (out->binding_count == GV_MAX_BINDINGS)
                return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                               "more than %u shader bindings", GV_MAX_BINDINGS);
            insert(out, &b);
        }
    }
    return true;
}

// ---- description ----

// Alpha factors: the constant's alpha, and targets whose alpha is 1.
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

static void describe_targets(const struct gv_lower_pipeline_key *k,
                             struct gv_graphics_desc *d)
{
    d->color_count = k->color_count;
    for (uint32_t i = 0; i < k->color_count; i++) {
        const struct gv_lower_blend *b = &k->blend[i];
        bool opaque = k->opaque >> i & 1;
        d->color_formats[i] = k->color_formats[i];
        d->blend[i] = (struct gv_blend_desc){
            .enable = b->enable && k->color_formats[i],
            .src_color = factor(b->src, false, opaque),
            .dst_color = factor(b->dst, false, opaque),
            .color_op = b->op,
            .src_alpha = factor(b->src_alpha, true, opaque),
            .dst_alpha = factor(b->dst_alpha, true, opaque),
            .alpha_op = b->op_alpha,
            // An alpha of 1 stays so.
            .write_mask = b->write_mask & (opaque ? ~(uint32_t)GV_COLOR_MASK_A : ~0u),
        };
    }
    d->depth_stencil_format = k->depth_format;
}

static struct gv_stencil_desc describe_face(const struct gv_lower_stencil_face *f)
{
    return (struct gv_stencil_desc){ .fail_op = f->fail,
                                     .pass_op = f->pass,
                                     .depth_fail_op = f->depth_fail,
                                     .compare = f->compare };
}

static bool is_strip(uint32_t topology)
{
    return topology == GV_TOPOLOGY_LINE_STRIP ||
           topology == GV_TOPOLOGY_TRIANGLE_STRIP ||
           topology == GV_TOPOLOGY_LINE_STRIP_ADJACENCY ||
           topology == GV_TOPOLOGY_TRIANGLE_STRIP_ADJACENCY;
}

static void describe_raster(const struct gv_lower_pipeline_key *k,
                            struct gv_graphics_desc *d)
{
    d->polygon_mode = k->wireframe > 1 ? GV_POLYGON_MODE_POINT
                      : k->wireframe   ? GV_POLYGON_MODE_LINE
                                       : GV_POLYGON_MODE_FILL;
    d->cull = k->cull;
    d->viewport_count = k->viewports ? k->viewports : 1;
    d->rasterizer_discard = k->discard;
    // Negative viewport heights (lower_state) keep windings.
    d->front_face =
        k->front_ccw ? GV_FRONT_FACE_COUNTER_CLOCKWISE : GV_FRONT_FACE_CLOCKWISE;
    d->depth_clamp = k->clamp;
    d->depth_clip = !k->clamp;
    d->depth_bias = k->bias;
    d->negative_one_to_one = k->minus_one_to_one;
    d->provoking_vertex =
        k->last_provokes ? GV_PROVOKING_VERTEX_LAST : GV_PROVOKING_VERTEX_FIRST;
    d->line_mode = k->line_mode;
    d->line_stipple = k->line_stipple;
    d->samples = k->samples ? k->samples : 1;
    d->sample_mask = ~(uint32_t)k->samples_off;
    d->sample_shading = k->shaded > 1;
    d->min_sample_shading = k->shaded > 1 ? (float)k->shaded / (float)d->samples : 0;
    d->alpha_to_coverage = k->alpha_to_coverage;
    d->alpha_to_one = k->alpha_to_one;
    d->logic_op_enable = k->logic != 0;
    d->logic_op = k->logic ? k->logic - 1u : GV_LOGIC_OP_COPY;
}

static void describe(const struct gv_lower_pipeline_key *k, struct gv_graphics_desc *d)
{
    gv_graphics_desc_default(d);
    d->topology = k->topology;
    d->patch_control_points = k->control_points;
    if (k->lower_left)
        d->tessellation_origin = GV_TESSELLATION_ORIGIN_LOWER_LEFT;
    d->primitive_restart = k->restart && is_strip(k->topology);
    describe_raster(k, d);
    d->depth_test = k->depth_enable;
    d->depth_write = k->depth_write;
    d->depth_compare = k->depth_enable ? k->depth_compare : GV_COMPARE_ALWAYS;
    d->stencil_test = k->stencil_enable;
    if (k->stencil_enable) {
        d->front = describe_face(&k->front);
        d->back = describe_face(&k->back);
    }
    describe_targets(k, d);
}

// ---- pipelines ----

void gv_lower_key_targets(struct gv_lower_pipeline_key *k,
                          const struct gv_lower_targets *t)
{
    memset(k, 0, sizeof *k);
    k->color_count = (uint8_t)t->color_count;
    for (uint32_t i = 0; i < t->color_count; i++) {
        k->color_formats[i] = t->colors[i].format;
        k->opaque |= (uint8_t)(t->colors[i].opaque << i);
    }
    k->depth_format = t->depth.format;
}

bool gv_lower_pipelines_init(struct gv_lower_pipelines *ps, struct gv_builder *b,
                             struct gv_arena *arena, struct gv_error *err)
{
    *ps = (struct gv_lower_pipelines){ .b = b, .arena = arena };
    ps->buckets = gv_arena_array(arena, GV_LOWER_PIPELINE_BUCKETS, sizeof(void *));
    ps->desc = gv_arena_alloc(arena, sizeof *ps->desc);
    return (ps->buckets && ps->desc) || gv_out_of_memory(err);
}

static struct gv_lower_pipeline **bucket_of(const struct gv_lower_pipelines *ps,
                                            const struct gv_lower_pipeline_key *k)
{
    struct gv_hash h = gv_hash_bytes(k, sizeof *k);
    return &ps->buckets[(h.bytes[0] | (uint32_t)h.bytes[1] << 8) %
                        GV_LOWER_PIPELINE_BUCKETS];
}

struct gv_lower_pipeline *gv_lower_pipeline_find(const struct gv_lower_pipelines *ps,
                                                 const struct gv_lower_pipeline_key *k)
{
    struct gv_lower_pipeline *p = *bucket_of(ps, k);
    // Keys are zeroed before they are filled: padding compares equal.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    while (p && memcmp(&p->key, k, sizeof *k) != 0)
        p = p->next;
    return p;
}

struct gv_graphics_desc *gv_lower_pipeline_begin(struct gv_lower_pipelines *ps,
                                                 const struct gv_lower_pipeline_key *k)
{
    describe(k, ps->desc);
    return ps->desc;
}

// Vertices outside of their buffer read zeros.
static const struct gv_requirement zeros_outside = {
    .kind = GV_REQUIRE_FEATURE,
    .strength = GV_ALTERNATIVE,
    .name = "robustBufferAccess2",
    .fallback = "vertex data that a draw leaves are copied for it",
};

bool gv_lower_pipeline_make(struct gv_lower_pipelines *ps,
                            const struct gv_lower_part parts[GV_LOWER_STAGES],
                            struct gv_pipeline *out, struct gv_error *err)
{
    const struct gv_stage_shaders shaders = {
        .vertex = parts[GV_LOWER_VERTEX].module,
        .fragment = parts[GV_LOWER_FRAGMENT].module,
        .geometry = parts[GV_LOWER_GEOMETRY].module,
        .tessellation_control = parts[GV_LOWER_CONTROL].module,
        .tessellation_evaluation = parts[GV_LOWER_EVALUATION].module,
    };
    if (!gv_lower_interface(parts, &ps->desc->interface, err))
        return false;
    if (ps->desc->vertex_binding_count)
        gv_builder_require(ps->b, &zeros_outside);
    *out = gv_builder_graphics(ps->b, ps->desc, &shaders);
    return true;
}

bool gv_lower_pipeline_add(struct gv_lower_pipelines *ps, struct gv_lower_pipeline *p,
                           const struct gv_lower_pipeline_key *k,
                           const struct gv_lower_part parts[GV_LOWER_STAGES],
                           struct gv_error *err)
{
    memcpy(&p->key, k, sizeof *k); // padding too: keys compare as bytes
    if (!gv_lower_pipeline_make(ps, parts, &p->object, err))
        return false;
    struct gv_lower_pipeline **bucket = bucket_of(ps, k);
    p->next = *bucket;
    *bucket = p;
    return true;
}
