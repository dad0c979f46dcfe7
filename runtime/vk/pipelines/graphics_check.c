#include "runtime/vk/pipelines/graphics_check.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/pipelines/color_blend.h"
#include "runtime/vk/pipelines/quads.h"
#include "vm/formats.h"
#include "vm/spirv/spirv_match.h"

// ---- primitives ----

static bool check_tessellation(const struct gv_vk_device *device,
                               const struct gv_graphics_desc *d, struct gv_error *err)
{
    if (d->topology != GV_TOPOLOGY_PATCH_LIST)
        return true;
    if (d->patch_control_points > GV_VK_LIMITS(device)->maxTessellationPatchSize)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "patches of %u vertices, the device allows %u",
                       d->patch_control_points,
                       GV_VK_LIMITS(device)->maxTessellationPatchSize);
    return gv_vk_require(device, "tessellationShader", err);
}

static bool check_adjacency(const struct gv_vk_device *device, uint32_t topology,
                            struct gv_error *err)
{
    bool adjacency = topology >= GV_TOPOLOGY_LINE_LIST_ADJACENCY &&
                     topology <= GV_TOPOLOGY_TRIANGLE_STRIP_ADJACENCY;
    return !adjacency || gv_vk_require(device, "geometryShader", err);
}

// ---- rasterisation ----

// NULL: none, or quads stand in for it (quads.h).
static const char *line_feature(const struct gv_vk_device *device,
                                const struct gv_graphics_desc *d)
{
    if (gv_vk_smooths_lines(device, d))
        return NULL;
    switch (d->line_mode) {
    case GV_LINE_MODE_RECTANGULAR:
        return d->line_stipple ? "stippledRectangularLines" : "rectangularLines";
    case GV_LINE_MODE_BRESENHAM:
        return d->line_stipple ? "stippledBresenhamLines" : "bresenhamLines";
    case GV_LINE_MODE_RECTANGULAR_SMOOTH:
        return d->line_stipple ? "stippledSmoothLines" : "smoothLines";
    default:
        return d->line_stipple ? "stippledRectangularLines" : NULL;
    }
}

static bool check_lines(const struct gv_vk_device *device,
                        const struct gv_graphics_desc *d, struct gv_error *err)
{
    const char *feature = line_feature(device, d);
    if (feature && !gv_vk_require(device, feature, err))
        return false;
    if (d->line_mode == GV_LINE_MODE_DEFAULT && d->line_stipple &&
        !GV_VK_LIMITS(device)->strictLines)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "stippled default lines need strictLines");
    return true;
}

static bool check_stream(const struct gv_vk_device *device, uint32_t stream,
                         struct gv_error *err)
{
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *p =
        &device->transform_feedback;
    if (stream == 0)
        return true;
    if (!gv_vk_require(device, "geometryStreams", err))
        return false;
    return (stream < p->maxTransformFeedbackStreams &&
            p->transformFeedbackRasterizationStreamSelect) ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "the device cannot rasterise stream %u", stream);
}

static bool check_raster(const struct gv_vk_device *device,
                         const struct gv_graphics_desc *d, struct gv_error *err)
{
    if (d->viewport_count > 1 && !gv_vk_require(device, "multiViewport", err))
        return false;
    if (d->viewport_count > GV_VK_LIMITS(device)->maxViewports)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "%u viewports",
                       d->viewport_count);
    if (d->depth_clamp && !gv_vk_require(device, "depthClamp", err))
        return false;
    if (d->depth_clip == d->depth_clamp &&
        !gv_vk_require(device, "depthClipEnable", err))
        return false;
    if (d->negative_one_to_one && !gv_vk_require(device, "depthClipControl", err))
        return false;
    if (d->polygon_mode != GV_POLYGON_MODE_FILL &&
        !gv_vk_require(device, "fillModeNonSolid", err))
        return false;
    if (d->polygon_mode == GV_POLYGON_MODE_POINT &&
        !gv_vk_require(device, "pointPolygons", err))
        return false;
    if (d->provoking_vertex == GV_PROVOKING_VERTEX_LAST &&
        !gv_vk_require(device, "provokingVertexLast", err))
        return false;
    if (d->depth_bounds && !gv_vk_require(device, "depthBounds", err))
        return false;
    return check_lines(device, d, err) &&
           check_stream(device, d->rasterization_stream, err);
}

// ---- samples and targets ----

static bool check_samples(const struct gv_vk_device *device,
                          const struct gv_graphics_desc *d, struct gv_error *err)
{
    const VkPhysicalDeviceLimits *l = GV_VK_LIMITS(device);
    VkSampleCountFlags allowed = l->framebufferNoAttachmentsSampleCounts;
    if (d->color_count)
        allowed &= l->framebufferColorSampleCounts;
    if (d->depth_stencil_format)
        allowed &= l->framebufferDepthSampleCounts;
    if (!(d->samples & allowed))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device cannot draw with %u samples", d->samples);
    if (d->sample_shading && !gv_vk_require(device, "sampleRateShading", err))
        return false;
    return !d->alpha_to_one || gv_vk_require(device, "alphaToOne", err);
}

static bool is_second_source(uint32_t factor)
{
    return factor >= GV_BLEND_FACTOR_SRC1_COLOR;
}

// As a factor of colours; of alpha every device takes it.
static bool is_constant_alpha(const struct gv_blend_desc *b)
{
    return b->src_color == GV_BLEND_FACTOR_CONSTANT_ALPHA ||
           b->src_color == GV_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA ||
           b->dst_color == GV_BLEND_FACTOR_CONSTANT_ALPHA ||
           b->dst_color == GV_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
}

static bool check_blend(const struct gv_vk_device *device,
                        const struct gv_graphics_desc *d, uint32_t i,
                        struct gv_error *err)
{
    const struct gv_blend_desc *b = &d->blend[i];
    if (!b->enable)
        return true;
    bool dual = is_second_source(b->src_color) || is_second_source(b->dst_color) ||
                is_second_source(b->src_alpha) || is_second_source(b->dst_alpha);
    if (dual && !gv_vk_require(device, "dualSrcBlend", err))
        return false;
    if (is_constant_alpha(b) &&
        !gv_vk_require(device, "constantAlphaColorBlendFactors", err))
        return false;
    if (dual && d->color_count > GV_VK_LIMITS(device)->maxFragmentDualSrcAttachments)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "two-source blending with %u targets", d->color_count);
    VkFormat format = (VkFormat)d->color_formats[i];
    if (format && !(gv_vk_format_features(device, format) &
                    VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device cannot blend target %u's format", i);
    return true;
}

static bool check_target(const struct gv_vk_device *device,
                         const struct gv_graphics_desc *d, uint32_t i,
                         struct gv_error *err)
{
    uint32_t format = d->color_formats[i];
    const struct gv_format_info *info = gv_format_info(format);
    if (!check_blend(device, d, i, err))
        return false;
    if (!format)
        return true;
    if (!info || !(info->aspects & GV_ASPECT_COLOR) ||
        !(gv_vk_format_features(device, (VkFormat)format) &
          VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device cannot draw to target %u's format", i);
    return true;
}

static bool check_targets(const struct gv_vk_device *device,
                          const struct gv_graphics_desc *d,
                          const struct gv_spirv_module *fragment, struct gv_error *err)
{
    if (d->color_count > GV_VK_LIMITS(device)->maxColorAttachments)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "%u colour targets",
                       d->color_count);
    for (uint32_t i = 0; i < d->color_count; i++)
        if (!check_target(device, d, i, err))
            return false;
    if (gv_vk_color_blend_differs(d, fragment) &&
        !gv_vk_require(device, "independentBlend", err))
        return false;
    if (d->logic_op_enable && !gv_vk_require(device, "logicOp", err))
        return false;
    VkFormat format = (VkFormat)d->depth_stencil_format;
    return !format ||
           (gv_vk_format_features(device, format) &
            VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "the device cannot draw to the depth-stencil format");
}

bool gv_vk_graphics_check(const struct gv_vk_device *device,
                          const struct gv_graphics_desc *d,
                          const struct gv_spirv_module *const modules[5],
                          struct gv_error *err)
{
    const VkPhysicalDeviceFeatures *core = &device->features.core.features;
    return check_tessellation(device, d, err) &&
           check_adjacency(device, d->topology, err) &&
           gv_spirv_match_point_size(
               d, modules, core->shaderTessellationAndGeometryPointSize, err) &&
           check_raster(device, d, err) && check_samples(device, d, err) &&
           check_targets(device, d, modules[4], err);
}
