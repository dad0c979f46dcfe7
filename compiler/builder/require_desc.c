// What pipelines, samplers and shader modules need of a device.
#include "compiler/builder/require.h"

#include "compiler/builder/builder.h"
#include "resources/base/cursor.h"
#include "vm/spirv/spirv_capability.h"
#include "vm/spirv/spirv_words.h"

#include <math.h>

static bool is_list(uint32_t topology)
{
    return topology == GV_TOPOLOGY_POINT_LIST || topology == GV_TOPOLOGY_LINE_LIST ||
           topology == GV_TOPOLOGY_TRIANGLE_LIST ||
           topology == GV_TOPOLOGY_LINE_LIST_ADJACENCY ||
           topology == GV_TOPOLOGY_TRIANGLE_LIST_ADJACENCY;
}

static bool has_adjacency(uint32_t topology)
{
    return topology >= GV_TOPOLOGY_LINE_LIST_ADJACENCY &&
           topology <= GV_TOPOLOGY_TRIANGLE_STRIP_ADJACENCY;
}

static bool require_input(struct gv_requirements *r,
                          const struct gv_graphics_desc *desc)
{
    const char *divisor_extension = "VK_EXT_vertex_attribute_divisor";
    const char *restart_extension = "VK_EXT_primitive_topology_list_restart";
    bool ok = true;
    for (uint32_t i = 0; i < desc->vertex_attribute_count; i++)
        ok = ok && gv_require_vertex_format(r, desc->vertex_attributes[i].format);
    for (uint32_t i = 0; i < desc->vertex_binding_count; i++) {
        if (desc->vertex_bindings[i].rate != GV_INPUT_RATE_INSTANCE)
            continue;
        uint32_t divisor = desc->vertex_bindings[i].divisor;
        if (divisor != 1)
            ok = ok && gv_require_feature(r, "vertexAttributeInstanceRateDivisor",
                                          divisor_extension);
        if (divisor == 0)
            ok = ok && gv_require_feature(r, "vertexAttributeInstanceRateZeroDivisor",
                                          divisor_extension);
    }
    if (desc->topology == GV_TOPOLOGY_TRIANGLE_FAN)
        ok = ok && gv_require_feature(r, "triangleFans", NULL);
    if (has_adjacency(desc->topology))
        ok = ok && gv_require_feature(r, "geometryShader", NULL);
    if (desc->primitive_restart && is_list(desc->topology))
        ok = ok &&
             gv_require_feature(r, "primitiveTopologyListRestart", restart_extension);
    if (desc->primitive_restart && desc->topology == GV_TOPOLOGY_PATCH_LIST)
        ok = ok && gv_require_feature(r, "primitiveTopologyPatchListRestart",
                                      restart_extension);
    return ok;
}

static bool require_lines(struct gv_requirements *r,
                          const struct gv_graphics_desc *desc)
{
    static const char *const modes[] = { NULL, "rectangularLines", "bresenhamLines",
                                         "smoothLines" };
    static const char *const stippled[] = { "stippledRectangularLines",
                                            "stippledRectangularLines",
                                            "stippledBresenhamLines",
                                            "stippledSmoothLines" };
    const char *extension = "VK_EXT_line_rasterization";
    const struct gv_requirement quads = { .kind = GV_REQUIRE_FEATURE,
                                          .strength = GV_PREFERRED,
                                          .name = "smoothLines",
                                          .fallback =
                                              "smooth lines are drawn as quads" };
    uint32_t mode = desc->line_mode & 3;
    if (mode == GV_LINE_MODE_RECTANGULAR_SMOOTH && !desc->line_stipple &&
        (desc->topology == GV_TOPOLOGY_LINE_LIST ||
         desc->topology == GV_TOPOLOGY_LINE_STRIP))
        return gv_requirements_add(r, &quads);
    return (!modes[mode] || gv_require_feature(r, modes[mode], extension)) &&
           (!desc->line_stipple || gv_require_feature(r, stippled[mode], extension));
}

static bool require_rasterization(struct gv_requirements *r,
                                  const struct gv_graphics_desc *desc)
{
    const struct {
        bool used;
        const char *feature, *extension;
    } rows[] = {
        { desc->viewport_count > 1, "multiViewport", NULL },
        { desc->depth_clamp, "depthClamp", NULL },
        // Without the extension, clipping is the opposite of clamping.
        { desc->depth_clip == desc->depth_clamp, "depthClipEnable",
          "VK_EXT_depth_clip_enable" },
        { desc->negative_one_to_one, "depthClipControl", "VK_EXT_depth_clip_control" },
        { desc->polygon_mode != GV_POLYGON_MODE_FILL, "fillModeNonSolid", NULL },
        { desc->polygon_mode == GV_POLYGON_MODE_POINT, "pointPolygons", NULL },
        { desc->provoking_vertex == GV_PROVOKING_VERTEX_LAST, "provokingVertexLast",
          "VK_EXT_provoking_vertex" },
        { desc->rasterization_stream > 0, "geometryStreams",
          "VK_EXT_transform_feedback" },
        { desc->sample_shading, "sampleRateShading", NULL },
        { desc->alpha_to_one, "alphaToOne", NULL },
        { desc->depth_bounds, "depthBounds", NULL },
        { desc->logic_op_enable, "logicOp", NULL },
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].used)
            ok = ok && gv_require_feature(r, rows[i].feature, rows[i].extension);
    return ok && require_lines(r, desc);
}

static bool same_blend(const struct gv_blend_desc *a, const struct gv_blend_desc *b)
{
    if (a->enable != b->enable || a->write_mask != b->write_mask)
        return false;
    return !a->enable ||
           (a->src_color == b->src_color && a->dst_color == b->dst_color &&
            a->color_op == b->color_op && a->src_alpha == b->src_alpha &&
            a->dst_alpha == b->dst_alpha && a->alpha_op == b->alpha_op);
}

// Alpha of the blend constant as a factor of colours.
static bool is_constant_alpha(const struct gv_blend_desc *blend)
{
    return blend->enable &&
           (blend->src_color == GV_BLEND_FACTOR_CONSTANT_ALPHA ||
            blend->src_color == GV_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA ||
            blend->dst_color == GV_BLEND_FACTOR_CONSTANT_ALPHA ||
            blend->dst_color == GV_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA);
}

static bool is_dual_source(const struct gv_blend_desc *blend)
{
    return blend->enable && (blend->src_color >= GV_BLEND_FACTOR_SRC1_COLOR ||
                             blend->dst_color >= GV_BLEND_FACTOR_SRC1_COLOR ||
                             blend->src_alpha >= GV_BLEND_FACTOR_SRC1_COLOR ||
                             blend->dst_alpha >= GV_BLEND_FACTOR_SRC1_COLOR);
}

static bool require_targets(struct gv_requirements *r,
                            const struct gv_graphics_desc *desc)
{
    const struct gv_blend_desc *first = NULL;
    bool ok = true;
    for (uint32_t i = 0; i < desc->color_count; i++) {
        const struct gv_blend_desc *blend = &desc->blend[i];
        if (!desc->color_formats[i]) // a gap
            continue;
        ok = ok &&
             gv_require_format(r, desc->color_formats[i],
                               GV_NEED_COLOR | (blend->enable ? GV_NEED_BLEND : 0));
        if (is_dual_source(blend))
            ok = ok && gv_require_feature(r, "dualSrcBlend", NULL);
        if (is_constant_alpha(blend))
            ok = ok && gv_require_feature(r, "constantAlphaColorBlendFactors", NULL);
        if (first && !same_blend(first, blend))
            ok = ok && gv_require_feature(r, "independentBlend", NULL);
        first = first ? first : blend;
    }
    return ok &&
           (!desc->depth_stencil_format ||
            gv_require_format(r, desc->depth_stencil_format, GV_NEED_DEPTH_STENCIL)) &&
           gv_require_limit(r, "maxColorAttachments", desc->color_count, 4);
}

// Storage that a stage may write. Whether it does is the shader's secret; devices
// without these features are few.
static bool require_interface(struct gv_requirements *r,
                              const struct gv_interface_desc *interface)
{
    const uint32_t vertex_like = GV_STAGE_VERTEX | GV_STAGE_TESSELLATION_CONTROL |
                                 GV_STAGE_TESSELLATION_EVALUATION | GV_STAGE_GEOMETRY;
    bool ok = true;
    for (uint32_t i = 0; i < interface->binding_count; i++) {
        const struct gv_binding_desc *binding = &interface->bindings[i];
        if (binding->type != GV_BINDING_STORAGE_IMAGE &&
            binding->type != GV_BINDING_STORAGE_TEXEL_BUFFER &&
            binding->type != GV_BINDING_STORAGE_BUFFER)
            continue;
        if (binding->stages & vertex_like)
            ok = ok && gv_require_feature(r, "vertexPipelineStoresAndAtomics", NULL);
        if (binding->stages & GV_STAGE_FRAGMENT)
            ok = ok && gv_require_feature(r, "fragmentStoresAndAtomics", NULL);
    }
    return ok;
}

bool gv_require_graphics(struct gv_requirements *r, const struct gv_graphics_desc *desc)
{
    return require_input(r, desc) && require_rasterization(r, desc) &&
           require_targets(r, desc) && require_interface(r, &desc->interface);
}

static bool is_mirror_clamp(const struct gv_sampler_desc *desc)
{
    return desc->address_u == GV_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE ||
           desc->address_v == GV_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE ||
           desc->address_w == GV_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
}

bool gv_require_sampler(struct gv_requirements *r, const struct gv_sampler_desc *desc)
{
    const char *border_extension = "VK_EXT_custom_border_color";
    bool custom = desc->border == GV_BORDER_COLOR_FLOAT_CUSTOM ||
                  desc->border == GV_BORDER_COLOR_INT_CUSTOM;
    bool ok = true;
    if (desc->max_anisotropy > 1)
        ok = gv_require_feature(r, "samplerAnisotropy", NULL) &&
             gv_require_limit(r, "maxSamplerAnisotropy",
                              (uint64_t)ceilf(desc->max_anisotropy), 16);
    if (custom)
        ok = ok && gv_require_feature(r, "customBorderColors", border_extension) &&
             gv_require_feature(r, "customBorderColorWithoutFormat", border_extension);
    if (is_mirror_clamp(desc))
        ok = ok && gv_require_feature(r, "samplerMirrorClampToEdge", NULL);
    if (desc->lod_bias != 0)
        ok = ok && gv_require_feature(r, "samplerMipLodBias", NULL) &&
             gv_require_limit(r, "maxSamplerLodBias",
                              (uint64_t)ceilf(fabsf(desc->lod_bias)), 2);
    if (desc->compare_enable)
        ok = ok && gv_require_feature(r, "mutableComparisonSamplers", NULL);
    if (desc->non_seamless_cube)
        ok = ok && gv_require_feature(r, "nonSeamlessCubeMap",
                                      "VK_EXT_non_seamless_cube_map");
    return ok;
}

static bool require_capability(struct gv_requirements *r, uint32_t capability)
{
    bool ok = true;
    for (size_t i = 0; i < gv_spirv_capability_count; i++) {
        const struct gv_spirv_capability *row = &gv_spirv_capabilities[i];
        if (row->code == capability)
            ok = ok &&
                 gv_require_feature(r, *row->feature ? row->feature : NULL,
                                    *row->extension ? row->extension : NULL) &&
                 gv_require_limit(r, "subgroupSupportedOperations", row->subgroup_bit,
                                  0);
    }
    return ok;
}

// What a float mode of 32 bits is asked for under. Modes of other widths are taken out
// of a module in silence where they are missing.
static const char *float_property(uint32_t mode)
{
    switch (mode) {
#define MODE_OF_WIDTH_16(mode, property)
#define MODE_OF_WIDTH_32(mode, property) \
    case mode:                           \
        return #property;
#define MODE_OF_WIDTH_64(mode, property)
#define GV_FLOAT_MODE(mode, capability, width, family, property) \
    MODE_OF_WIDTH_##width(mode, property)
#include "vm/spirv/float_modes.def"
#undef GV_FLOAT_MODE
    }
    return NULL;
}

// How floats behave: a wish, without which the shader runs.
static bool require_float_mode(struct gv_requirements *r, const uint32_t *mode,
                               size_t words)
{
    static const struct {
        SpvExecutionMode mode;
        uint8_t strength; // only floats of 32 bits could show numbers below 2^-126
        const char *fallback;
    } rows[] = {
        { SpvExecutionModeDenormPreserve, GV_ALTERNATIVE,
          "numbers below 2^-126 may become zero" },
        { SpvExecutionModeDenormFlushToZero, GV_ALTERNATIVE,
          "numbers below 2^-126 may not become zero" },
        { SpvExecutionModeSignedZeroInfNanPreserve, GV_PREFERRED,
          "infinities, NaN and signs of zeros may be lost" },
        { SpvExecutionModeRoundingModeRTE, GV_PREFERRED,
          "results may be rounded otherwise" },
        { SpvExecutionModeRoundingModeRTZ, GV_PREFERRED,
          "results may be rounded otherwise" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (words >= 2 && mode[0] == (uint32_t)rows[i].mode && mode[1] == 32) {
            const struct gv_requirement row = { .kind = GV_REQUIRE_LIMIT,
                                                .strength = rows[i].strength,
                                                .name = float_property(mode[0]),
                                                .value = 1,
                                                .fallback = rows[i].fallback };
            return gv_requirements_add(r, &row);
        }
    return true;
}

// Sizes and modes of a stage that a device need not take: SPIR-V specification, 3.6.
static bool require_mode(struct gv_requirements *r, const uint32_t *mode, size_t words)
{
    static const char *const sizes[3] = { "maxComputeWorkGroupSize[0]",
                                          "maxComputeWorkGroupSize[1]",
                                          "maxComputeWorkGroupSize[2]" };
    static const uint32_t guaranteed[3] = { 128, 128, 64 };
    if (words >= 2 && mode[0] == SpvExecutionModeOutputVertices)
        return gv_require_limit(r, "maxGeometryOutputVertices", mode[1], 256);
    if (words >= 1 && mode[0] == SpvExecutionModePointMode)
        return gv_require_feature(r, "tessellationPointMode", NULL);
    if (words >= 1 && mode[0] == SpvExecutionModeIsolines)
        return gv_require_feature(r, "tessellationIsolines", NULL);
    if (words < 4 || mode[0] != SpvExecutionModeLocalSize)
        return require_float_mode(r, mode, words);
    uint64_t invocations = 1;
    bool ok = true;
    for (size_t i = 0; i < 3; i++) {
        invocations *= mode[1 + i] & 0xffff; // more is beyond every device
        ok = ok && gv_require_limit(r, sizes[i], mode[1 + i], guaranteed[i]);
    }
    return ok &&
           gv_require_limit(r, "maxComputeWorkGroupInvocations", invocations, 128);
}

// Capabilities, execution modes and the like stand before the first function, 2.4.
bool gv_require_spirv(struct gv_requirements *r, const void *words, size_t size)
{
    struct gv_cursor c = gv_cursor_make(words, size);
    gv_cursor_take(&c, GV_SPIRV_HEADER_WORDS * sizeof(uint32_t));
    while (!c.bad && gv_cursor_left(&c) >= sizeof(uint32_t)) {
        uint32_t head = gv_cursor_u32(&c), count = head >> 16, op = head & 0xffff;
        uint32_t operands[5] = { 0 };
        if (count == 0 || op == SpvOpFunction)
            break;
        size_t end = c.pos + (count - 1) * sizeof(uint32_t);
        for (uint32_t i = 0; i + 1 < count && i < 5; i++)
            operands[i] = gv_cursor_u32(&c);
        if (c.bad || end > c.size)
            break;
        gv_cursor_seek(&c, end);
        if (op == SpvOpCapability && !require_capability(r, operands[0]))
            return false;
        if (op == SpvOpExecutionMode && count >= 3 &&
            !require_mode(r, operands + 1, count - 2 < 4 ? count - 2 : 4))
            return false;
    }
    return true;
}
