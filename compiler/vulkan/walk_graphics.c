// The description of a graphics pipeline, from what was recorded and the state of a
// draw.
#include "compiler/vulkan/walk_pipeline.h"

#include "vm/formats.h"

#include <stdlib.h>

// ---- vertex input ----

static int by_location(const void *a, const void *b)
{
    const VkVertexInputAttributeDescription *x = a, *y = b;
    return (x->location > y->location) - (x->location < y->location);
}

static const struct gv_walk_input_binding *find_binding(const struct gv_walk_input *in,
                                                        uint32_t binding)
{
    for (uint32_t i = 0; i < in->binding_count; i++)
        if (in->bindings[i].binding == binding)
            return &in->bindings[i];
    return NULL;
}

// The slot for an attribute: that of its binding, or one of its own where the attribute
// lies behind the stride, which Vulkan allows and payloads do not.
static uint32_t find_slot(struct gv_walk_variant *v, struct gv_graphics_desc *out,
                          const struct gv_walk_slot *wanted, const uint32_t rate[2])
{
    for (uint32_t i = 0; i < v->slot_count; i++)
        if (v->slots[i].binding == wanted->binding &&
            v->slots[i].offset == wanted->offset)
            return i;
    if (v->slot_count == GV_MAX_VERTEX_BINDINGS)
        return GV_MAX_VERTEX_BINDINGS;
    const uint32_t i = v->slot_count++;
    v->slots[i] = *wanted;
    out->vertex_bindings[i].slot = i;
    out->vertex_bindings[i].rate = rate[0];
    out->vertex_bindings[i].divisor = rate[1];
    out->vertex_binding_count = v->slot_count;
    return i;
}

static bool put_attribute(struct gv_walk *w, const struct gv_walk_pipeline *p,
                          const VkVertexInputAttributeDescription *a,
                          struct gv_walk_variant *v, struct gv_graphics_desc *out)
{
    const struct gv_walk_input_binding *b = find_binding(v->form.input, a->binding);
    const struct gv_format_info *format = gv_format_info((uint64_t)a->format);
    if (!b || !format || b->binding >= GV_MAX_VERTEX_BINDINGS) {
        gv_walk_unsupported(w, "vertex attribute %u of binding %u and format %d",
                            a->location, a->binding, (int)a->format);
        return false;
    }
    const bool open = GV_WALK_IS_DYNAMIC(p, VERTEX_INPUT_BINDING_STRIDE);
    const uint32_t stride = open ? v->form.strides[b->binding] : b->stride;
    const bool behind =
        stride && (a->offset > stride || format->block_bytes > stride - a->offset);
    const struct gv_walk_slot wanted = { .binding = b->binding,
                                         .offset = behind ? a->offset : 0,
                                         .stride = stride,
                                         .stride_open = open };
    const bool instance = b->rate == GV_INPUT_RATE_INSTANCE;
    const uint32_t rate[2] = { b->rate, instance ? b->divisor : 1 };
    const uint32_t slot = find_slot(v, out, &wanted, rate);
    const uint32_t n = out->vertex_attribute_count;
    if (slot == GV_MAX_VERTEX_BINDINGS || n == GV_MAX_VERTEX_ATTRIBUTES) {
        gv_walk_unsupported(w, "more than %u vertex attributes",
                            GV_MAX_VERTEX_ATTRIBUTES);
        return false;
    }
    out->vertex_attributes[n].location = a->location;
    out->vertex_attributes[n].slot = slot;
    out->vertex_attributes[n].format = (uint32_t)a->format;
    out->vertex_attributes[n].offset = behind ? 0 : a->offset;
    out->vertex_attribute_count++;
    return true;
}

static bool put_input(struct gv_walk *w, const struct gv_walk_pipeline *p,
                      struct gv_walk_variant *v, struct gv_graphics_desc *out)
{
    const struct gv_walk_input *in = v->form.input;
    VkVertexInputAttributeDescription sorted[GV_MAX_VERTEX_ATTRIBUTES] = { 0 };
    const uint32_t count = in ? in->attribute_count : 0;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = in->attributes[i];
    qsort(sorted, count, sizeof sorted[0], by_location);
    for (uint32_t i = 0; i < count; i++)
        if (!put_attribute(w, p, &sorted[i], v, out))
            return false;
    return true;
}

// ---- targets ----

static bool put_blend(struct gv_walk *w, const struct gv_walk_form *f, uint32_t i,
                      struct gv_blend_desc *out)
{
    const uint32_t *b = f->blends[i];
    if (b[2] > VK_BLEND_OP_MAX || b[5] > VK_BLEND_OP_MAX) {
        gv_walk_unsupported(w, "advanced blend operations");
        return false;
    }
    *out = (struct gv_blend_desc){ .enable = f->blend_enable[i],
                                   .src_color = b[0],
                                   .dst_color = b[1],
                                   .color_op = b[2],
                                   .src_alpha = b[3],
                                   .dst_alpha = b[4],
                                   .alpha_op = b[5],
                                   .write_mask = b[6] };
    return true;
}

static bool put_targets(struct gv_walk *w, const struct gv_walk_form *f,
                        struct gv_graphics_desc *out)
{
    out->color_count = f->color_count;
    out->depth_stencil_format = f->depth_format;
    out->logic_op_enable = f->logic_enable;
    out->logic_op = f->logic;
    for (uint32_t i = 0; i < f->color_count; i++) {
        out->color_formats[i] = f->colors[i];
        if (f->colors[i] && !put_blend(w, f, i, &out->blend[i]))
            return false;
    }
    return true;
}

// ---- rasterization ----

static void put_raster(const struct gv_walk_form *f, struct gv_graphics_desc *out)
{
    out->viewport_count = f->viewport_count ? f->viewport_count : 1;
    out->rasterizer_discard = f->discard;
    out->depth_clamp = f->clamp;
    out->depth_clip = f->clip;
    out->negative_one_to_one = f->minus_one;
    out->polygon_mode = f->polygon;
    out->cull = f->cull;
    out->front_face = f->front;
    out->depth_bias = f->bias;
    out->provoking_vertex = f->provoking;
    out->line_mode = f->line_mode;
    out->line_stipple = f->stipple;
    out->rasterization_stream = f->stream;
    out->samples = f->samples;
    out->sample_mask = f->sample_mask;
    out->alpha_to_coverage = f->coverage;
    out->alpha_to_one = f->to_one;
}

static void put_stencil(const uint32_t face[4], struct gv_stencil_desc *out)
{
    *out = (struct gv_stencil_desc){ .fail_op = face[0],
                                     .pass_op = face[1],
                                     .depth_fail_op = face[2],
                                     .compare = face[3] };
}

static void put_depth(const struct gv_walk_form *f, struct gv_graphics_desc *out)
{
    out->depth_test = f->depth_test;
    out->depth_write = f->depth_write;
    out->depth_compare = f->depth_compare;
    out->depth_bounds = f->bounds_test;
    out->stencil_test = f->stencil_test;
    put_stencil(f->stencil[0], &out->front);
    put_stencil(f->stencil[1], &out->back);
}

bool gv_walk_describe(struct gv_walk *w, const struct gv_walk_pipeline *p,
                      struct gv_walk_variant *variant, struct gv_graphics_desc *out)
{
    const VkPipelineMultisampleStateCreateInfo *s = p->graphics->pMultisampleState;
    const struct gv_walk_form *f = &variant->form;
    gv_graphics_desc_default(out);
    out->topology = f->topology;
    out->primitive_restart = f->restart;
    out->patch_control_points = f->control_points;
    out->tessellation_origin = f->origin;
    put_raster(f, out);
    put_depth(f, out);
    if (s && s->sampleShadingEnable) {
        out->sample_shading = true;
        out->min_sample_shading = s->minSampleShading;
    }
    return put_input(w, p, variant, out) && put_targets(w, f, out);
}
