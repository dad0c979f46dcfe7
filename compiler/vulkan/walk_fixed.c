// State that a recorded pipeline has itself.
#include "compiler/vulkan/walk_pipeline.h"

#include <string.h>

static struct gv_walk_stencil read_face(const VkStencilOpState *s)
{
    return (struct gv_walk_stencil){
        .compare_mask = s->compareMask,
        .write_mask = s->writeMask,
        .reference = s->reference,
        .fail = s->failOp,
        .pass = s->passOp,
        .depth_fail = s->depthFailOp,
        .compare = s->compareOp,
    };
}

static const char *read_viewports(const VkPipelineViewportStateCreateInfo *s,
                                  struct gv_walk_dynamic *d)
{
    if (s->viewportCount > GV_MAX_VIEWPORTS || s->scissorCount > GV_MAX_VIEWPORTS)
        return "more than 16 viewports";
    const VkPipelineViewportDepthClipControlCreateInfoEXT *clip = gv_walk_chained(
        s->pNext,
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
    d->minus_one = clip && clip->negativeOneToOne;
    d->viewport_count = s->viewportCount;
    if (s->pViewports)
        memcpy(d->viewports, s->pViewports, s->viewportCount * sizeof d->viewports[0]);
    if (s->pScissors)
        memcpy(d->scissors, s->pScissors, s->scissorCount * sizeof d->scissors[0]);
    return NULL;
}

static void read_raster_chain(const void *next, struct gv_walk_dynamic *d)
{
    const VkPipelineRasterizationDepthClipStateCreateInfoEXT *clip = gv_walk_chained(
        next,
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
    const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking =
        gv_walk_chained(
            next,
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
    const VkPipelineRasterizationStateStreamCreateInfoEXT *stream = gv_walk_chained(
        next, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
    d->clip = clip ? clip->depthClipEnable : GV_WALK_NO_CLAMP;
    d->provoking = provoking ? (uint32_t)provoking->provokingVertexMode : 0;
    d->stream = stream ? stream->rasterizationStream : 0;
}

static void read_raster(const VkPipelineRasterizationStateCreateInfo *s,
                        struct gv_walk_dynamic *d)
{
    const VkPipelineRasterizationLineStateCreateInfoEXT *line = gv_walk_chained(
        s->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
    d->line_width = s->lineWidth;
    d->bias[0] = s->depthBiasConstantFactor;
    d->bias[1] = s->depthBiasClamp;
    d->bias[2] = s->depthBiasSlopeFactor;
    d->cull = s->cullMode;
    d->front = s->frontFace;
    d->discard = s->rasterizerDiscardEnable;
    d->bias_enable = s->depthBiasEnable;
    d->stipple_factor = line && line->stippledLineEnable ? line->lineStippleFactor : 1;
    d->stipple_pattern = line ? line->lineStipplePattern : 0xffff;
    d->stipple = line && line->stippledLineEnable;
    d->line_mode = line ? (uint32_t)line->lineRasterizationMode : 0;
    d->polygon = s->polygonMode;
    d->clamp = s->depthClampEnable;
    read_raster_chain(s->pNext, d);
}

static void read_depth(const VkPipelineDepthStencilStateCreateInfo *s,
                       struct gv_walk_dynamic *d)
{
    d->depth_test = s->depthTestEnable;
    d->depth_write = s->depthWriteEnable;
    d->depth_compare = s->depthCompareOp;
    d->bounds_test = s->depthBoundsTestEnable;
    d->stencil_test = s->stencilTestEnable;
    d->stencil[0] = read_face(&s->front);
    d->stencil[1] = read_face(&s->back);
    d->bounds[0] = s->minDepthBounds;
    d->bounds[1] = s->maxDepthBounds;
}

static void read_samples(const VkPipelineMultisampleStateCreateInfo *s,
                         struct gv_walk_dynamic *d)
{
    d->samples = (uint32_t)s->rasterizationSamples;
    d->sample_mask = s->pSampleMask && d->samples ? s->pSampleMask[0] : UINT32_MAX;
    d->coverage = s->alphaToCoverageEnable;
    d->to_one = s->alphaToOneEnable;
}

static void read_blend(const VkPipelineColorBlendStateCreateInfo *s,
                       struct gv_walk_dynamic *d)
{
    const VkPipelineColorWriteCreateInfoEXT *writes = gv_walk_chained(
        s->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
    memcpy(d->blend, s->blendConstants, sizeof d->blend);
    d->logic = s->logicOp;
    d->logic_enable = s->logicOpEnable;
    for (uint32_t i = 0;
         s->pAttachments && i < s->attachmentCount && i < GV_WALK_COLORS; i++) {
        const VkPipelineColorBlendAttachmentState *a = &s->pAttachments[i];
        d->blends[i] = (struct gv_walk_blend){
            .enable = a->blendEnable,
            .equation = { a->srcColorBlendFactor, a->dstColorBlendFactor,
                          a->colorBlendOp, a->srcAlphaBlendFactor,
                          a->dstAlphaBlendFactor, a->alphaBlendOp },
            .mask = a->colorWriteMask,
            .written = !writes || i >= writes->attachmentCount ||
                       writes->pColorWriteEnables[i],
        };
        d->blend_count = i + 1;
    }
}

static void read_tessellation(const VkPipelineTessellationStateCreateInfo *s,
                              struct gv_walk_dynamic *d)
{
    const VkPipelineTessellationDomainOriginStateCreateInfo *origin = gv_walk_chained(
        s->pNext,
        VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
    d->control_points = s->patchControlPoints;
    d->origin = origin ? (uint32_t)origin->domainOrigin : 0;
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

static const char *read_input(struct gv_vulkan *v,
                              const VkPipelineVertexInputStateCreateInfo *s,
                              struct gv_walk_dynamic *d)
{
    struct gv_walk_input in;
    memset(&in, 0, sizeof in);
    if (s->vertexBindingDescriptionCount > GV_MAX_VERTEX_BINDINGS ||
        s->vertexAttributeDescriptionCount > GV_MAX_VERTEX_ATTRIBUTES)
        return "more than 32 vertex attributes";
    in.binding_count = s->vertexBindingDescriptionCount;
    in.attribute_count = s->vertexAttributeDescriptionCount;
    for (uint32_t i = 0; i < in.binding_count; i++) {
        const VkVertexInputBindingDescription *b = &s->pVertexBindingDescriptions[i];
        in.bindings[i] = (struct gv_walk_input_binding){ b->binding, b->stride,
                                                         (uint32_t)b->inputRate,
                                                         divisor_of(s, b->binding) };
    }
    for (uint32_t i = 0; i < in.attribute_count; i++)
        in.attributes[i] = s->pVertexAttributeDescriptions[i];
    d->input = gv_walk_find_input(&v->walk, &in);
    return d->input ? NULL : "so many kinds of vertex input";
}

const char *gv_walk_read_fixed(struct gv_vulkan *v,
                               const VkGraphicsPipelineCreateInfo *info,
                               struct gv_walk_dynamic *d)
{
    const char *unsupported = NULL;
    d->clip = GV_WALK_NO_CLAMP;
    d->samples = 1;
    d->sample_mask = UINT32_MAX;
    if (info->pInputAssemblyState) {
        d->topology = info->pInputAssemblyState->topology;
        d->restart = info->pInputAssemblyState->primitiveRestartEnable;
    }
    if (info->pVertexInputState)
        unsupported = read_input(v, info->pVertexInputState, d);
    if (info->pTessellationState)
        read_tessellation(info->pTessellationState, d);
    if (info->pRasterizationState)
        read_raster(info->pRasterizationState, d);
    if (info->pMultisampleState)
        read_samples(info->pMultisampleState, d);
    if (info->pDepthStencilState)
        read_depth(info->pDepthStencilState, d);
    if (info->pColorBlendState)
        read_blend(info->pColorBlendState, d);
    return unsupported || !info->pViewportState
               ? unsupported
               : read_viewports(info->pViewportState, d);
}
