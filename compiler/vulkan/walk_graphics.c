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

static const VkVertexInputBindingDescription *
find_binding(const VkPipelineVertexInputStateCreateInfo *in, uint32_t binding)
{
    for (uint32_t i = 0; i < in->vertexBindingDescriptionCount; i++)
        if (in->pVertexBindingDescriptions[i].binding == binding)
            return &in->pVertexBindingDescriptions[i];
    return NULL;
}

static uint32_t divisor_of(const VkPipelineVertexInputStateCreateInfo *in,
                           uint32_t binding)
{
    const VkPipelineVertexInputDivisorStateCreateInfoEXT *d = gv_walk_chained(
        in->pNext,
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
    for (uint32_t i = 0; d && i < d->vertexBindingDivisorCount; i++)
        if (d->pVertexBindingDivisors[i].binding == binding)
            return d->pVertexBindingDivisors[i].divisor;
    return 1;
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
    const VkPipelineVertexInputStateCreateInfo *in = p->graphics->pVertexInputState;
    const VkVertexInputBindingDescription *b = find_binding(in, a->binding);
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
    const bool instance = b->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
    const uint32_t rate[2] = { instance ? GV_INPUT_RATE_INSTANCE : GV_INPUT_RATE_VERTEX,
                               instance ? divisor_of(in, b->binding) : 1 };
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
    const VkPipelineVertexInputStateCreateInfo *in = p->graphics->pVertexInputState;
    const uint32_t count = in ? in->vertexAttributeDescriptionCount : 0;
    VkVertexInputAttributeDescription sorted[GV_MAX_VERTEX_ATTRIBUTES];
    if (count > GV_MAX_VERTEX_ATTRIBUTES) {
        gv_walk_unsupported(w, "%u vertex attributes", count);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = in->pVertexAttributeDescriptions[i];
    qsort(sorted, count, sizeof sorted[0], by_location);
    for (uint32_t i = 0; i < count; i++)
        if (!put_attribute(w, p, &sorted[i], v, out))
            return false;
    return true;
}

// ---- rasterization ----

static void put_raster(const struct gv_walk_pipeline *p, struct gv_graphics_desc *out)
{
    const VkPipelineRasterizationStateCreateInfo *s = p->graphics->pRasterizationState;
    if (!s)
        return;
    const VkPipelineRasterizationDepthClipStateCreateInfoEXT *clip = gv_walk_chained(
        s->pNext,
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking =
        gv_walk_chained(
            s->pNext,
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
    const VkPipelineRasterizationLineStateCreateInfoEXT *line = gv_walk_chained(
        s->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
    const VkPipelineRasterizationStateStreamCreateInfoEXT *stream = gv_walk_chained(
        s->pNext,
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
    out->depth_clamp = s->depthClampEnable;
    out->depth_clip = clip ? clip->depthClipEnable : !s->depthClampEnable;
    out->polygon_mode = (uint32_t)s->polygonMode;
    out->provoking_vertex = provoking ? (uint32_t)provoking->provokingVertexMode : 0;
    out->line_mode = line ? (uint32_t)line->lineRasterizationMode : 0;
    out->line_stipple = line && line->stippledLineEnable;
    out->rasterization_stream = stream ? stream->rasterizationStream : 0;
}

static void put_clip_control(const struct gv_walk_pipeline *p,
                             struct gv_graphics_desc *out)
{
    const VkPipelineViewportStateCreateInfo *s = p->graphics->pViewportState;
    const VkPipelineViewportDepthClipControlCreateInfoEXT *c =
        s ? gv_walk_chained(
                s->pNext,
                VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT)
          : NULL;
    out->negative_one_to_one = c && c->negativeOneToOne;
}

static void put_samples(const struct gv_walk_pipeline *p, struct gv_graphics_desc *out)
{
    const VkPipelineMultisampleStateCreateInfo *s = p->graphics->pMultisampleState;
    if (!s)
        return;
    out->samples = (uint32_t)s->rasterizationSamples;
    out->sample_shading = s->sampleShadingEnable;
    out->min_sample_shading = s->sampleShadingEnable ? s->minSampleShading : 0;
    if (s->pSampleMask)
        out->sample_mask = s->pSampleMask[0];
    out->alpha_to_coverage = s->alphaToCoverageEnable;
    out->alpha_to_one = s->alphaToOneEnable;
}

// ---- targets ----

static bool put_blend(struct gv_walk *w, const VkPipelineColorBlendAttachmentState *s,
                      struct gv_blend_desc *out)
{
    *out = (struct gv_blend_desc){ .enable = s->blendEnable,
                                   .write_mask = s->colorWriteMask & 15 };
    if (!s->blendEnable)
        return true;
    if (s->colorBlendOp > VK_BLEND_OP_MAX || s->alphaBlendOp > VK_BLEND_OP_MAX) {
        gv_walk_unsupported(w, "advanced blend operations");
        return false;
    }
    out->src_color = (uint32_t)s->srcColorBlendFactor;
    out->dst_color = (uint32_t)s->dstColorBlendFactor;
    out->color_op = (uint32_t)s->colorBlendOp;
    out->src_alpha = (uint32_t)s->srcAlphaBlendFactor;
    out->dst_alpha = (uint32_t)s->dstAlphaBlendFactor;
    out->alpha_op = (uint32_t)s->alphaBlendOp;
    return true;
}

static bool put_targets(struct gv_walk *w, const struct gv_walk_pipeline *p,
                        const struct gv_walk_form *f, struct gv_graphics_desc *out)
{
    const VkPipelineColorBlendStateCreateInfo *s = p->graphics->pColorBlendState;
    const VkPipelineColorWriteCreateInfoEXT *writes =
        s ? gv_walk_chained(s->pNext,
                            VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT)
          : NULL;
    out->color_count = f->color_count;
    out->depth_stencil_format = f->depth_format;
    for (uint32_t i = 0; i < f->color_count; i++) {
        out->color_formats[i] = f->colors[i];
        if (!f->colors[i] || !s || i >= s->attachmentCount)
            continue;
        if (!put_blend(w, &s->pAttachments[i], &out->blend[i]))
            return false;
        if (writes && i < writes->attachmentCount && !writes->pColorWriteEnables[i])
            out->blend[i].write_mask = 0;
    }
    out->logic_op_enable = s && s->logicOpEnable;
    out->logic_op = out->logic_op_enable ? f->logic : 0;
    return true;
}

static void put_stencil(const uint32_t face[4], struct gv_stencil_desc *out)
{
    *out = (struct gv_stencil_desc){ .fail_op = face[0],
                                     .pass_op = face[1],
                                     .depth_fail_op = face[2],
                                     .compare = face[3] };
}

static void put_form(const struct gv_walk_form *f, struct gv_graphics_desc *out)
{
    out->topology = f->topology;
    out->primitive_restart = f->restart;
    out->patch_control_points = f->control_points;
    out->viewport_count = f->viewport_count ? f->viewport_count : 1;
    out->rasterizer_discard = f->discard;
    out->cull = f->cull;
    out->front_face = f->front;
    out->depth_bias = f->bias;
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
    const VkPipelineTessellationStateCreateInfo *t = p->graphics->pTessellationState;
    const VkPipelineTessellationDomainOriginStateCreateInfo *origin =
        t ? gv_walk_chained(
                t->pNext,
                VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO)
          : NULL;
    gv_graphics_desc_default(out);
    put_form(&variant->form, out);
    put_raster(p, out);
    put_clip_control(p, out);
    put_samples(p, out);
    out->tessellation_origin = origin ? (uint32_t)origin->domainOrigin : 0;
    return put_input(w, p, variant, out) && put_targets(w, p, &variant->form, out);
}
