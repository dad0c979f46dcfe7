// What each call needs of a device.
#include "compiler/builder/require.h"

#include "compiler/builder/slots.h"
#include "vm/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The number of an argument, by its name in calls.def.
#define NUMBER(call, argument) \
    values[offsetof(struct gv_args_##call, argument) / sizeof(union gv_arg)].number
#define DATA(call, argument) \
    values[offsetof(struct gv_args_##call, argument) / sizeof(union gv_arg)].data

static const char feedback_extension[] = "VK_EXT_transform_feedback";
static const char conditional_extension[] = "VK_EXT_conditional_rendering";

static uint32_t trait(const struct gv_slots *slots, uint64_t object)
{
    const struct gv_live_object *live = gv_slots_find(slots, object);
    return live ? live->trait : 0;
}

static bool of_buffer(struct gv_requirements *r, const struct gv_slots *slots,
                      const struct gv_value *values)
{
    (void)slots;
    uint64_t usage = NUMBER(buffer_create, usage);
    return (!(usage & GV_BUFFER_USAGE_TRANSFORM_FEEDBACK) ||
            gv_require_feature(r, "transformFeedback", feedback_extension)) &&
           (!(usage & GV_BUFFER_USAGE_CONDITIONAL) ||
            gv_require_feature(r, "conditionalRendering", conditional_extension));
}

// Dimensions beyond what every device has (Vulkan 1.3, table "Required Limits").
static bool of_image_size(struct gv_requirements *r, const struct gv_value *values)
{
    uint64_t width = NUMBER(image_create, width), height = NUMBER(image_create, height);
    uint64_t side = width > height ? width : height;
    switch (NUMBER(image_create, type)) {
    case GV_IMAGE_TYPE_1D:
        side = gv_require_limit(r, "maxImageDimension1D", width, 4096);
        break;
    case GV_IMAGE_TYPE_3D:
        if (NUMBER(image_create, depth) > side)
            side = NUMBER(image_create, depth);
        side = gv_require_limit(r, "maxImageDimension3D", side, 256);
        break;
    default:
        if (NUMBER(image_create, flags) & GV_IMAGE_FLAG_CUBE_COMPATIBLE)
            side = gv_require_limit(r, "maxImageDimensionCube", side, 4096);
        else
            side = gv_require_limit(r, "maxImageDimension2D", side, 4096);
    }
    return side && gv_require_limit(r, "maxImageArrayLayers",
                                    NUMBER(image_create, layers), 256);
}

// Shapes that a portable device (VK_KHR_portability_subset) may lack.
static bool of_image_shape(struct gv_requirements *r, const struct gv_value *values)
{
    bool slices = NUMBER(image_create, flags) & GV_IMAGE_FLAG_2D_ARRAY_COMPATIBLE;
    bool array = NUMBER(image_create, samples) > 1 && NUMBER(image_create, layers) > 1;
    return (!slices || gv_require_feature(r, "imageView2DOn3DImage", NULL)) &&
           (!array || gv_require_feature(r, "multisampleArrayImage", NULL));
}

// Sample counts of images: 1 and 4 are everywhere, but of sampled integers 1 alone.
static bool of_samples(struct gv_requirements *r, const struct gv_value *values,
                       uint64_t bits)
{
    const struct gv_format_info *info = gv_format_info(NUMBER(image_create, format));
    uint64_t samples = NUMBER(image_create, samples);
    bool integers =
        info && (bits & GV_NEED_SAMPLED) &&
        (info->kind == GV_FORMAT_KIND_UINT || info->kind == GV_FORMAT_KIND_SINT);
    const struct gv_requirement counts = {
        .kind = GV_REQUIRE_LIMIT,
        .name = bits & GV_NEED_DEPTH_STENCIL ? "framebufferDepthSampleCounts"
                                             : "framebufferColorSampleCounts",
        .value = samples,
    };
    const struct gv_requirement sampled = { .kind = GV_REQUIRE_LIMIT,
                                            .name = "sampledImageIntegerSampleCounts",
                                            .value = samples };
    return (samples == 1 || samples == 4 || gv_requirements_add(r, &counts)) &&
           (samples == 1 || !integers || gv_requirements_add(r, &sampled));
}

static bool of_image(struct gv_requirements *r, const struct gv_slots *slots,
                     const struct gv_value *values)
{
    (void)slots;
    static const struct {
        uint32_t usage, need;
    } needs[] = {
        { GV_IMAGE_USAGE_SAMPLED, GV_NEED_SAMPLED },
        { GV_IMAGE_USAGE_STORAGE, GV_NEED_STORAGE },
        { GV_IMAGE_USAGE_COLOR_ATTACHMENT, GV_NEED_COLOR },
        { GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT, GV_NEED_DEPTH_STENCIL },
    };
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (NUMBER(image_create, usage) & needs[i].usage)
            bits |= needs[i].need;
    return (!bits || gv_require_format(r, NUMBER(image_create, format), bits)) &&
           of_samples(r, values, bits) && of_image_shape(r, values) &&
           of_image_size(r, values);
}

static bool of_copy(struct gv_requirements *r, const struct gv_slots *slots,
                    uint64_t src, uint64_t dst, uint64_t filter)
{
    uint32_t linear = filter == GV_FILTER_LINEAR ? GV_NEED_LINEAR : 0;
    return gv_require_format(r, trait(slots, src), GV_NEED_BLIT_SRC | linear) &&
           gv_require_format(r, trait(slots, dst), GV_NEED_BLIT_DST);
}

// Texels of a view, which a device with a smaller limit would cut short.
static uint64_t texel_elements(const struct gv_slots *slots,
                               const struct gv_value *values)
{
    const struct gv_format_info *info =
        gv_format_info(NUMBER(bind_texel_buffer, format));
    const struct gv_live_object *buffer =
        gv_slots_find(slots, NUMBER(bind_texel_buffer, buffer));
    uint64_t offset = NUMBER(bind_texel_buffer, offset);
    uint64_t size = NUMBER(bind_texel_buffer, size);
    if (!info || !buffer || offset >= buffer->bytes)
        return 0;
    return (size ? size : buffer->bytes - offset) / info->block_bytes;
}

static bool of_texel_buffer(struct gv_requirements *r, const struct gv_slots *slots,
                            const struct gv_value *values)
{
    uint32_t usage = trait(slots, NUMBER(bind_texel_buffer, buffer));
    uint64_t bits = usage & GV_BUFFER_USAGE_UNIFORM_TEXEL   ? GV_NEED_UNIFORM_TEXEL
                    : usage & GV_BUFFER_USAGE_STORAGE_TEXEL ? GV_NEED_STORAGE_TEXEL
                                                            : 0;
    return !bits || (gv_require_format(r, NUMBER(bind_texel_buffer, format), bits) &&
                     gv_require_limit(r, "maxTexelBufferElements",
                                      texel_elements(slots, values), 65536));
}

// A view of an image in a format of its own (0: the image's).
static bool of_view_format(struct gv_requirements *r, const struct gv_slots *slots,
                           uint64_t image, uint64_t format, uint64_t bits)
{
    const struct gv_format_info *own = gv_format_info(trait(slots, image));
    const struct gv_format_info *info = gv_format_info(format);
    bool read_anew = own && info && !gv_format_same_components(own, info);
    return gv_require_format(r, format, bits) &&
           (!read_anew ||
            gv_require_feature(r, "imageViewFormatReinterpretation", NULL));
}

static bool of_texture(struct gv_requirements *r, const struct gv_slots *slots,
                       const struct gv_value *values)
{
    return (NUMBER(bind_texture, type) != GV_VIEW_TYPE_CUBE_ARRAY ||
            gv_require_feature(r, "imageCubeArray", NULL)) &&
           (gv_swizzle_is_straight((uint32_t)NUMBER(bind_texture, swizzle)) ||
            gv_require_feature(r, "imageViewFormatSwizzle", NULL)) &&
           of_view_format(r, slots, NUMBER(bind_texture, image),
                          NUMBER(bind_texture, format), GV_NEED_SAMPLED);
}

static double float_of(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

// One axis of a viewport, from `at`, `size` long (perhaps downward). A device has
// bounds of at least twice its largest size to both sides (Vulkan 1.3, "Limits").
static bool of_viewport_axis(struct gv_requirements *r, const char *limit, double at,
                             double size)
{
    double low = size < 0 ? at + size : at, high = size < 0 ? at : at + size;
    double needed = fmax(fabs(size), fmax(-low, high + 1) / 2);
    return !(needed < UINT32_MAX) || // not a number, or refused everywhere
           gv_require_limit(r, limit, (uint64_t)ceil(needed), 4096);
}

static bool of_viewport(struct gv_requirements *r, const struct gv_slots *slots,
                        const struct gv_value *values)
{
    (void)slots;
    return of_viewport_axis(r, "maxViewportDimensions[0]",
                            float_of(NUMBER(set_viewport, x)),
                            float_of(NUMBER(set_viewport, width))) &&
           of_viewport_axis(r, "maxViewportDimensions[1]",
                            float_of(NUMBER(set_viewport, y)),
                            float_of(NUMBER(set_viewport, height)));
}

// Passes smaller than their images need no more than they are.
static bool of_pass(struct gv_requirements *r, const struct gv_slots *slots,
                    const struct gv_value *values)
{
    (void)slots;
    return gv_require_limit(r, "maxFramebufferWidth", NUMBER(pass_begin, width),
                            4096) &&
           gv_require_limit(r, "maxFramebufferHeight", NUMBER(pass_begin, height),
                            4096) &&
           gv_require_limit(r, "maxFramebufferLayers", NUMBER(pass_begin, layers), 256);
}

static bool of_query(struct gv_requirements *r, const struct gv_slots *slots,
                     const struct gv_value *values)
{
    (void)slots;
    switch (NUMBER(query_create, type)) {
    case GV_QUERY_TYPE_PIPELINE_STATISTICS:
        return gv_require_sizes(r, GV_SIZES_COUNTED) &&
               gv_require_feature(r, "pipelineStatisticsQuery", NULL);
    case GV_QUERY_TYPE_TRANSFORM_FEEDBACK:
        return gv_require_feature(r, "transformFeedback", feedback_extension);
    case GV_QUERY_TYPE_PRIMITIVES_GENERATED:
        return gv_require_sizes(r, GV_SIZES_COUNTED) &&
               gv_require_feature(r, "primitivesGeneratedQuery",
                                  "VK_EXT_primitives_generated_query");
    default:
        return true;
    }
}

// Points and lines are those of the last stage before rasterization.
static bool of_sizes(struct gv_requirements *r, const struct gv_slots *slots,
                     const struct gv_graphics_desc *desc, const struct gv_value *values)
{
    uint64_t geometry = NUMBER(pipeline_create_graphics, geometry);
    uint64_t domain = NUMBER(pipeline_create_graphics, tessellation_evaluation);
    uint64_t last = geometry ? geometry
                    : domain ? domain
                             : NUMBER(pipeline_create_graphics, vertex);
    return gv_require_pipeline_sizes(r, desc, geometry || domain, trait(slots, last));
}

static bool of_graphics(struct gv_requirements *r, const struct gv_slots *slots,
                        const struct gv_value *values)
{
    struct gv_graphics_desc *desc = malloc(sizeof *desc);
    struct gv_cursor c = gv_cursor_make(DATA(pipeline_create_graphics, desc),
                                        NUMBER(pipeline_create_graphics, size));
    bool ok = desc && gv_graphics_desc_decode(&c, desc, NULL) &&
              gv_require_graphics(r, desc) && of_sizes(r, slots, desc, values);
    free(desc);
    return ok &&
           (!NUMBER(pipeline_create_graphics, geometry) ||
            gv_require_feature(r, "geometryShader", NULL)) &&
           (!NUMBER(pipeline_create_graphics, tessellation_evaluation) ||
            gv_require_feature(r, "tessellationShader", NULL));
}

static bool of_sampler(struct gv_requirements *r, const struct gv_slots *slots,
                       const struct gv_value *values)
{
    (void)slots;
    struct gv_sampler_desc desc;
    struct gv_cursor c =
        gv_cursor_make(DATA(sampler_create, desc), NUMBER(sampler_create, size));
    return gv_sampler_desc_decode(&c, &desc, NULL) && gv_require_sampler(r, &desc);
}

// Records may state a first instance; what they hold is the device's secret.
static bool of_records(struct gv_requirements *r, uint64_t count)
{
    return gv_require_feature(r, "drawIndirectFirstInstance", NULL) &&
           (count <= 1 || gv_require_feature(r, "multiDrawIndirect", NULL));
}

static bool of_blit(struct gv_requirements *r, const struct gv_slots *slots,
                    const struct gv_value *values)
{
    return of_copy(r, slots, NUMBER(image_blit, src), NUMBER(image_blit, dst),
                   NUMBER(image_blit, filter));
}

static bool of_mipmaps(struct gv_requirements *r, const struct gv_slots *slots,
                       const struct gv_value *values)
{
    return of_copy(r, slots, NUMBER(image_mipmaps, image), NUMBER(image_mipmaps, image),
                   NUMBER(image_mipmaps, filter));
}

static bool of_shader(struct gv_requirements *r, const struct gv_slots *slots,
                      const struct gv_value *values)
{
    (void)slots;
    return gv_require_spirv(r, DATA(shader_create, spirv),
                            (size_t)NUMBER(shader_create, size));
}

static bool of_color(struct gv_requirements *r, const struct gv_slots *slots,
                     const struct gv_value *values)
{
    return of_view_format(r, slots, NUMBER(pass_color, image),
                          NUMBER(pass_color, format), GV_NEED_COLOR);
}

static bool of_index_buffer(struct gv_requirements *r, const struct gv_slots *slots,
                            const struct gv_value *values)
{
    (void)slots;
    return NUMBER(bind_index_buffer, type) != GV_INDEX_TYPE_UINT8 ||
           gv_require_feature(r, "indexTypeUint8", "VK_EXT_index_type_uint8");
}

static bool of_uniform_bytes(struct gv_requirements *r, const struct gv_slots *slots,
                             const struct gv_value *values)
{
    (void)slots;
    return gv_require_limit(r, "maxUniformBufferRange",
                            NUMBER(bind_uniform_bytes, size), 16384);
}

static bool of_storage_image(struct gv_requirements *r, const struct gv_slots *slots,
                             const struct gv_value *values)
{
    return of_view_format(r, slots, NUMBER(bind_storage_image, image),
                          NUMBER(bind_storage_image, format), GV_NEED_STORAGE);
}

static bool of_depth_bias(struct gv_requirements *r, const struct gv_slots *slots,
                          const struct gv_value *values)
{
    (void)slots;
    return !NUMBER(set_depth_bias, clamp) ||
           gv_require_feature(r, "depthBiasClamp", NULL);
}

static bool of_line_width(struct gv_requirements *r, const struct gv_slots *slots,
                          const struct gv_value *values)
{
    (void)slots;
    return NUMBER(set_line_width, width) == 0x3f800000u || // 1.0
           gv_require_sizes(r, GV_WIDE_LINES);
}

static bool of_draws(struct gv_requirements *r, const struct gv_slots *slots,
                     const struct gv_value *values)
{
    (void)slots;
    return of_records(r, NUMBER(draw_indirect, count));
}

static bool of_indexed_draws(struct gv_requirements *r, const struct gv_slots *slots,
                             const struct gv_value *values)
{
    (void)slots;
    return of_records(r, NUMBER(draw_indexed_indirect, count));
}

static bool of_query_begin(struct gv_requirements *r, const struct gv_slots *slots,
                           const struct gv_value *values)
{
    (void)slots;
    return !NUMBER(query_begin, precise) ||
           gv_require_feature(r, "occlusionQueryPrecise", NULL);
}

static bool of_feedback(struct gv_requirements *r, const struct gv_slots *slots,
                        const struct gv_value *values)
{
    (void)slots;
    (void)values;
    return gv_require_feature(r, "transformFeedback", feedback_extension);
}

static bool of_counted_draw(struct gv_requirements *r, const struct gv_slots *slots,
                            const struct gv_value *values)
{
    return gv_require_sizes(r, GV_SIZES_COUNTED) && of_feedback(r, slots, values);
}

static bool of_condition(struct gv_requirements *r, const struct gv_slots *slots,
                         const struct gv_value *values)
{
    (void)slots;
    (void)values;
    return gv_require_feature(r, "conditionalRendering", conditional_extension);
}

// By call; the others need nothing.
static bool (*const needs[])(struct gv_requirements *, const struct gv_slots *,
                             const struct gv_value *) = {
    [GV_CALL_buffer_create] = of_buffer,
    [GV_CALL_image_create] = of_image,
    [GV_CALL_image_blit] = of_blit,
    [GV_CALL_image_mipmaps] = of_mipmaps,
    [GV_CALL_sampler_create] = of_sampler,
    [GV_CALL_shader_create] = of_shader,
    [GV_CALL_pipeline_create_graphics] = of_graphics,
    [GV_CALL_query_create] = of_query,
    [GV_CALL_pass_color] = of_color,
    [GV_CALL_pass_begin] = of_pass,
    [GV_CALL_bind_index_buffer] = of_index_buffer,
    [GV_CALL_bind_uniform_bytes] = of_uniform_bytes,
    [GV_CALL_bind_texel_buffer] = of_texel_buffer,
    [GV_CALL_bind_texture] = of_texture,
    [GV_CALL_bind_storage_image] = of_storage_image,
    [GV_CALL_set_viewport] = of_viewport,
    [GV_CALL_set_depth_bias] = of_depth_bias,
    [GV_CALL_set_line_width] = of_line_width,
    [GV_CALL_draw_indirect] = of_draws,
    [GV_CALL_draw_indexed_indirect] = of_indexed_draws,
    [GV_CALL_query_begin] = of_query_begin,
    [GV_CALL_feedback_begin] = of_feedback,
    [GV_CALL_draw_transform_feedback] = of_counted_draw,
    [GV_CALL_condition_begin] = of_condition,
};

bool gv_requirements_watch(enum gv_call call)
{
    return (size_t)call < sizeof needs / sizeof needs[0] && needs[call];
}

bool gv_requirements_of_call(struct gv_requirements *r, const struct gv_slots *slots,
                             enum gv_call call, const struct gv_value *values)
{
    return !gv_requirements_watch(call) || needs[call](r, slots, values);
}
