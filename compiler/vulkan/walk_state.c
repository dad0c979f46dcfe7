// State that commands set, and the state that a draw has of it.
#include "compiler/vulkan/walk_pipeline.h"

#include <string.h>

#define STATE(name)                                                           \
    bool gv_walk_##name(struct gv_walk *w, const struct gv_vk_args_##name *a, \
                        struct gv_error *err)
#define SET(name, member, value)            \
    STATE(name)                             \
    {                                       \
        (void)err;                          \
        w->state->dynamic.member = (value); \
        return true;                        \
    }

SET(vkCmdSetLineWidth, line_width, a->lineWidth)
SET(vkCmdSetCullMode, cull, a->cullMode)
SET(vkCmdSetFrontFace, front, a->frontFace)
SET(vkCmdSetPrimitiveTopology, topology, a->primitiveTopology)
SET(vkCmdSetDepthTestEnable, depth_test, a->depthTestEnable)
SET(vkCmdSetDepthWriteEnable, depth_write, a->depthWriteEnable)
SET(vkCmdSetDepthCompareOp, depth_compare, a->depthCompareOp)
SET(vkCmdSetDepthBoundsTestEnable, bounds_test, a->depthBoundsTestEnable)
SET(vkCmdSetStencilTestEnable, stencil_test, a->stencilTestEnable)
SET(vkCmdSetRasterizerDiscardEnable, discard, a->rasterizerDiscardEnable)
SET(vkCmdSetDepthBiasEnable, bias_enable, a->depthBiasEnable)
SET(vkCmdSetPrimitiveRestartEnable, restart, a->primitiveRestartEnable)
SET(vkCmdSetPatchControlPointsEXT, control_points, a->patchControlPoints)
SET(vkCmdSetLogicOpEXT, logic, a->logicOp)
SET(vkCmdSetTessellationDomainOriginEXT, origin, (uint32_t)a->domainOrigin)
SET(vkCmdSetDepthClampEnableEXT, clamp, a->depthClampEnable)
SET(vkCmdSetPolygonModeEXT, polygon, a->polygonMode)
SET(vkCmdSetRasterizationSamplesEXT, samples, (uint32_t)a->rasterizationSamples)
SET(vkCmdSetSampleMaskEXT, sample_mask,
    a->pSampleMask && a->samples ? a->pSampleMask[0] : UINT32_MAX)
SET(vkCmdSetAlphaToCoverageEnableEXT, coverage, a->alphaToCoverageEnable)
SET(vkCmdSetAlphaToOneEnableEXT, to_one, a->alphaToOneEnable)
SET(vkCmdSetLogicOpEnableEXT, logic_enable, a->logicOpEnable)
SET(vkCmdSetRasterizationStreamEXT, stream, a->rasterizationStream)
SET(vkCmdSetDepthClipEnableEXT, clip, a->depthClipEnable)
SET(vkCmdSetProvokingVertexModeEXT, provoking, (uint32_t)a->provokingVertexMode)
SET(vkCmdSetLineRasterizationModeEXT, line_mode, (uint32_t)a->lineRasterizationMode)
SET(vkCmdSetLineStippleEnableEXT, stipple, a->stippledLineEnable)
SET(vkCmdSetDepthClipNegativeOneToOneEXT, minus_one, a->negativeOneToOne)

// Of several attachments; those behind the eighth are of no pass.
#define BLENDS(name, first, count, member, value)                         \
    STATE(name)                                                           \
    {                                                                     \
        (void)err;                                                        \
        struct gv_walk_dynamic *d = &w->state->dynamic;                   \
        for (uint32_t i = 0; i < (count); i++)                            \
            if ((first) < GV_WALK_COLORS && i < GV_WALK_COLORS - (first)) \
                d->blends[(first) + i].member = (value);                  \
        return true;                                                      \
    }

BLENDS(vkCmdSetColorBlendEnableEXT, a->firstAttachment, a->attachmentCount, enable,
       a->pColorBlendEnables[i])
BLENDS(vkCmdSetColorBlendEquationEXT, a->firstAttachment, a->attachmentCount, equation,
       a->pColorBlendEquations[i])
BLENDS(vkCmdSetColorWriteMaskEXT, a->firstAttachment, a->attachmentCount, mask,
       a->pColorWriteMasks[i])
BLENDS(vkCmdSetColorWriteEnableEXT, 0u, a->attachmentCount, written,
       a->pColorWriteEnables[i])

STATE(vkCmdSetLineStippleEXT)
{
    (void)err;
    w->state->dynamic.stipple_factor = a->lineStippleFactor;
    w->state->dynamic.stipple_pattern = a->lineStipplePattern;
    return true;
}

STATE(vkCmdSetDepthBias)
{
    (void)err;
    float *bias = w->state->dynamic.bias;
    bias[0] = a->depthBiasConstantFactor;
    bias[1] = a->depthBiasClamp;
    bias[2] = a->depthBiasSlopeFactor;
    return true;
}

STATE(vkCmdSetBlendConstants)
{
    (void)err;
    memcpy(w->state->dynamic.blend, a->blendConstants, sizeof w->state->dynamic.blend);
    return true;
}

STATE(vkCmdSetDepthBounds)
{
    (void)err;
    w->state->dynamic.bounds[0] = a->minDepthBounds;
    w->state->dynamic.bounds[1] = a->maxDepthBounds;
    return true;
}

// ---- stencil: both faces, or one ----

#define FACES(name, statement)                                         \
    STATE(name)                                                        \
    {                                                                  \
        (void)err;                                                     \
        for (uint32_t i = 0; i < 2; i++) {                             \
            struct gv_walk_stencil *s = &w->state->dynamic.stencil[i]; \
            if (a->faceMask >> i & 1) {                                \
                statement;                                             \
            }                                                          \
        }                                                              \
        return true;                                                   \
    }

FACES(vkCmdSetStencilCompareMask, s->compare_mask = a->compareMask)
FACES(vkCmdSetStencilWriteMask, s->write_mask = a->writeMask)
FACES(vkCmdSetStencilReference, s->reference = a->reference)
FACES(vkCmdSetStencilOp, s->fail = a->failOp; s->pass = a->passOp;
      s->depth_fail = a->depthFailOp; s->compare = a->compareOp)

// ---- viewports and scissors ----

static bool put_range(const struct gv_walk *w, uint32_t first, uint32_t count,
                      struct gv_error *err)
{
    return (first <= GV_MAX_VIEWPORTS && count <= GV_MAX_VIEWPORTS - first) ||
           gv_fail(err, GV_ERR_LIMIT, w->cap->place.offset, "%s: %u viewports from %u",
                   w->cap->name, count, first);
}

static bool put_viewports(struct gv_walk *w, uint32_t first, uint32_t count,
                          const VkViewport *v, struct gv_error *err)
{
    if (!put_range(w, first, count, err))
        return false;
    memcpy(w->state->dynamic.viewports + first, v, count * sizeof *v);
    return true;
}

static bool put_scissors(struct gv_walk *w, uint32_t first, uint32_t count,
                         const VkRect2D *r, struct gv_error *err)
{
    if (!put_range(w, first, count, err))
        return false;
    memcpy(w->state->dynamic.scissors + first, r, count * sizeof *r);
    return true;
}

STATE(vkCmdSetViewport)
{
    return put_viewports(w, a->firstViewport, a->viewportCount, a->pViewports, err);
}

STATE(vkCmdSetScissor)
{
    return put_scissors(w, a->firstScissor, a->scissorCount, a->pScissors, err);
}

STATE(vkCmdSetViewportWithCount)
{
    if (!put_viewports(w, 0, a->viewportCount, a->pViewports, err))
        return false;
    w->state->dynamic.viewport_count = a->viewportCount;
    return true;
}

STATE(vkCmdSetScissorWithCount)
{
    if (!put_scissors(w, 0, a->scissorCount, a->pScissors, err))
        return false;
    return true;
}

// ---- the state of a draw ----

#define TAKE(state, member)           \
    if (GV_WALK_IS_DYNAMIC(p, state)) \
        memcpy((void *)&out->member, (const void *)&d->member, sizeof out->member);

static void resolve_blends(const struct gv_walk_pipeline *p,
                           const struct gv_walk_dynamic *d, struct gv_walk_dynamic *out)
{
    // Without any of its own, the pipeline has as many attachments as the pass.
    if (GV_WALK_IS_DYNAMIC(p, COLOR_BLEND_ENABLE_EXT) &&
        GV_WALK_IS_DYNAMIC(p, COLOR_BLEND_EQUATION_EXT) &&
        GV_WALK_IS_DYNAMIC(p, COLOR_WRITE_MASK_EXT))
        out->blend_count = GV_WALK_COLORS;
    for (uint32_t i = 0; i < out->blend_count; i++) {
        if (i >= p->fixed.blend_count)
            out->blends[i].written = true;
        TAKE(COLOR_BLEND_ENABLE_EXT, blends[i].enable)
        TAKE(COLOR_BLEND_EQUATION_EXT, blends[i].equation)
        TAKE(COLOR_WRITE_MASK_EXT, blends[i].mask)
        TAKE(COLOR_WRITE_ENABLE_EXT, blends[i].written)
    }
}

void gv_walk_resolve(const struct gv_walk_state *s, struct gv_walk_dynamic *out)
{
    const struct gv_walk_pipeline *p = s->graphics.pipeline;
    const struct gv_walk_dynamic *d = &s->dynamic;
    *out = p->fixed;
    TAKE(VIEWPORT, viewports)
    TAKE(SCISSOR, scissors)
    TAKE(VIEWPORT_WITH_COUNT, viewports)
    TAKE(VIEWPORT_WITH_COUNT, viewport_count)
    TAKE(SCISSOR_WITH_COUNT, scissors)
    TAKE(LINE_WIDTH, line_width)
    TAKE(DEPTH_BIAS, bias)
    TAKE(BLEND_CONSTANTS, blend)
    TAKE(DEPTH_BOUNDS, bounds)
    TAKE(LINE_STIPPLE_EXT, stipple_factor)
    TAKE(LINE_STIPPLE_EXT, stipple_pattern)
    TAKE(CULL_MODE, cull)
    TAKE(FRONT_FACE, front)
    TAKE(PRIMITIVE_TOPOLOGY, topology)
    TAKE(DEPTH_TEST_ENABLE, depth_test)
    TAKE(DEPTH_WRITE_ENABLE, depth_write)
    TAKE(DEPTH_COMPARE_OP, depth_compare)
    TAKE(DEPTH_BOUNDS_TEST_ENABLE, bounds_test)
    TAKE(STENCIL_TEST_ENABLE, stencil_test)
    TAKE(RASTERIZER_DISCARD_ENABLE, discard)
    TAKE(DEPTH_BIAS_ENABLE, bias_enable)
    TAKE(PRIMITIVE_RESTART_ENABLE, restart)
    TAKE(PATCH_CONTROL_POINTS_EXT, control_points)
    TAKE(LOGIC_OP_EXT, logic)
    TAKE(TESSELLATION_DOMAIN_ORIGIN_EXT, origin)
    TAKE(DEPTH_CLAMP_ENABLE_EXT, clamp)
    TAKE(POLYGON_MODE_EXT, polygon)
    TAKE(RASTERIZATION_SAMPLES_EXT, samples)
    TAKE(SAMPLE_MASK_EXT, sample_mask)
    TAKE(ALPHA_TO_COVERAGE_ENABLE_EXT, coverage)
    TAKE(ALPHA_TO_ONE_ENABLE_EXT, to_one)
    TAKE(LOGIC_OP_ENABLE_EXT, logic_enable)
    TAKE(RASTERIZATION_STREAM_EXT, stream)
    TAKE(DEPTH_CLIP_ENABLE_EXT, clip)
    TAKE(PROVOKING_VERTEX_MODE_EXT, provoking)
    TAKE(LINE_RASTERIZATION_MODE_EXT, line_mode)
    TAKE(LINE_STIPPLE_ENABLE_EXT, stipple)
    TAKE(DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, minus_one)
    if (GV_WALK_IS_DYNAMIC(p, VERTEX_INPUT_EXT))
        out->input = d->input;
    resolve_blends(p, d, out);
    for (uint32_t i = 0; i < 2; i++) {
        TAKE(STENCIL_COMPARE_MASK, stencil[i].compare_mask)
        TAKE(STENCIL_WRITE_MASK, stencil[i].write_mask)
        TAKE(STENCIL_REFERENCE, stencil[i].reference)
        TAKE(STENCIL_OP, stencil[i].fail)
        TAKE(STENCIL_OP, stencil[i].pass)
        TAKE(STENCIL_OP, stencil[i].depth_fail)
        TAKE(STENCIL_OP, stencil[i].compare)
    }
#undef TAKE
}

// A scissor as payloads have it: its corner is not negative.
static void emit_scissor(struct gv_walk *w, uint32_t index, const VkRect2D *r)
{
    const int64_t right = (int64_t)r->offset.x + r->extent.width;
    const int64_t bottom = (int64_t)r->offset.y + r->extent.height;
    const int64_t x = r->offset.x > 0 ? r->offset.x : 0;
    const int64_t y = r->offset.y > 0 ? r->offset.y : 0;
    gv_emit(w->b, set_scissor, .index = index, .x = (uint32_t)x, .y = (uint32_t)y,
            .width = (uint32_t)(right > x ? right - x : 0),
            .height = (uint32_t)(bottom > y ? bottom - y : 0));
}

static void emit_stencil(struct gv_walk *w, const struct gv_walk_stencil s[2])
{
    static const enum gv_of_FACE faces[2] = { GV_FACE_FRONT, GV_FACE_BACK };
    for (uint32_t i = 0; i < 2; i++) {
        gv_emit(w->b, set_stencil_reference, .faces = faces[i],
                .reference = s[i].reference);
        gv_emit(w->b, set_stencil_masks, .faces = faces[i],
                .compare = s[i].compare_mask, .write = s[i].write_mask);
    }
}

void gv_walk_emit_state(struct gv_walk *w, const struct gv_walk_dynamic *d)
{
    const uint32_t count = d->viewport_count ? d->viewport_count : 1;
    for (uint32_t i = 0; i < count && !d->discard; i++) {
        const VkViewport *v = &d->viewports[i];
        gv_emit(w->b, set_viewport, .index = i, .x = v->x, .y = v->y, .width = v->width,
                .height = v->height, .min_depth = v->minDepth,
                .max_depth = v->maxDepth);
        emit_scissor(w, i, &d->scissors[i]);
    }
    gv_emit(w->b, set_blend_constants, .r = d->blend[0], .g = d->blend[1],
            .b = d->blend[2], .a = d->blend[3]);
    if (d->stencil_test)
        emit_stencil(w, d->stencil);
    if (d->bias_enable)
        gv_emit(w->b, set_depth_bias, .constant = d->bias[0], .clamp = d->bias[1],
                .slope = d->bias[2]);
    if (d->bounds_test)
        gv_emit(w->b, set_depth_bounds, .min = d->bounds[0], .max = d->bounds[1]);
    if (d->line_width != 0)
        gv_emit(w->b, set_line_width, .width = d->line_width);
    if (d->stipple)
        gv_emit(w->b, set_line_stipple, .factor = d->stipple_factor,
                .pattern = d->stipple_pattern);
}
