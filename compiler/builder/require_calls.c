// What each call needs of a device.
#include "compiler/builder/require.h"

#include "compiler/builder/builder.h"
#include "compiler/builder/slots.h"
#include "vm/formats.h"

#include <math.h>
#include <stdlib.h>

// The value of an argument, by its name in calls.def.
#define VALUE(call, argument) (((const struct gv_values_##call *)values)->argument)

static const char feedback_extension[] = "VK_EXT_transform_feedback";
static const char conditional_extension[] = "VK_EXT_conditional_rendering";

static uint32_t trait(const struct gv_slots *slots, uint64_t object)
{
    const struct gv_live_object *live = gv_slots_find(slots, object);
    return live ? live->trait : 0;
}

static bool of_buffer(struct gv_requirements *r, const struct gv_slots *slots,
                      const void *values)
{
    (void)slots;
    uint64_t usage = VALUE(buffer_create, usage);
    return (!(usage & GV_BUFFER_USAGE_TRANSFORM_FEEDBACK) ||
            gv_require_feature(r, "transformFeedback", feedback_extension)) &&
           (!(usage & GV_BUFFER_USAGE_CONDITIONAL) ||
            gv_require_feature(r, "conditionalRendering", conditional_extension));
}

// Dimensions beyond what every device has (Vulkan 1.3, table "Required Limits").
static bool of_image_size(struct gv_requirements *r, const void *values)
{
    uint64_t width = VALUE(image_create, width), height = VALUE(image_create, height);
    uint64_t side = width > height ? width : height;
    switch (VALUE(image_create, type)) {
    case GV_IMAGE_TYPE_1D:
        side = gv_require_limit(r, "maxImageDimension1D", width, 4096);
        break;
    case GV_IMAGE_TYPE_3D:
        if (VALUE(image_create, depth) > side)
            side = VALUE(image_create, depth);
        side = gv_require_limit(r, "maxImageDimension3D", side, 256);
        break;
    default:
        if (VALUE(image_create, flags) & GV_IMAGE_FLAG_CUBE_COMPATIBLE)
            side = gv_require_limit(r, "maxImageDimensionCube", side, 4096);
        else
            side = gv_require_limit(r, "maxImageDimension2D", side, 4096);
    }
    return side &&
           gv_require_limit(r, "maxImageArrayLayers", VALUE(image_create, layers), 256);
}

// Shapes that a portable device (VK_KHR_portability_subset) may lack.
static bool of_image_shape(struct gv_requirements *r, const void *values)
{
    bool slices = VALUE(image_create, flags) & GV_IMAGE_FLAG_2D_ARRAY_COMPATIBLE;
    bool array = VALUE(image_create, samples) > 1 && VALUE(image_create, layers) > 1;
    return (!slices || gv_require_feature(r, "imageView2DOn3DImage", NULL)) &&
           (!array || gv_require_feature(r, "multisampleArrayImage", NULL));
}

// Sample counts of images: 1 and 4 are everywhere, but of sampled integers 1 alone.
static bool of_samples(struct gv_requirements *r, const void *values, uint64_t bits)
{
    const struct gv_format_info *info = gv_format_info(VALUE(image_create, format));
    uint64_t samples = VALUE(image_create, samples);
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
                     const void *values)
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
        if (VALUE(image_create, usage) & needs[i].usage)
            bits |= needs[i].need;
    return (!bits || gv_require_format(r, VALUE(image_create, format), bits)) &&
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
static uint64_t texel_elements(const struct gv_slots *slots, const void *values)
{
    const struct gv_format_info *info =
        gv_format_info(VALUE(bind_texel_buffer, format));
    const struct gv_live_object *buffer =
        gv_slots_find(slots, VALUE(bind_texel_buffer, buffer.id));
    uint64_t offset = VALUE(bind_texel_buffer, offset);
    uint64_t size = VALUE(bind_texel_buffer, size);
    if (!info || !buffer || offset >= buffer->bytes)
        return 0;
    return (size ? size : buffer->bytes - offset) / info->block_bytes;
}

static bool of_bound_buffer(struct gv_requirements *r, const struct gv_slots *slots,
                            const void *values)
{
    const uint64_t size = VALUE(bind_buffer, size);
    const uint32_t usage = trait(slots, VALUE(bind_buffer, buffer.id));
    return !(usage & GV_BUFFER_USAGE_STORAGE) ||
           gv_require_limit(r, "maxStorageBufferRange", size, UINT64_C(1) << 27);
}

static bool of_texel_buffer(struct gv_requirements *r, const struct gv_slots *slots,
                            const void *values)
{
    uint32_t usage = trait(slots, VALUE(bind_texel_buffer, buffer.id));
    uint64_t bits = usage & GV_BUFFER_USAGE_UNIFORM_TEXEL   ? GV_NEED_UNIFORM_TEXEL
                    : usage & GV_BUFFER_USAGE_STORAGE_TEXEL ? GV_NEED_STORAGE_TEXEL
                                                            : 0;
    return !bits || (gv_require_format(r, VALUE(bind_texel_buffer, format), bits) &&
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
                       const void *values)
{
    return (VALUE(bind_texture, type) != GV_VIEW_TYPE_CUBE_ARRAY ||
            gv_require_feature(r, "imageCubeArray", NULL)) &&
           (gv_swizzle_is_straight(VALUE(bind_texture, swizzle)) ||
            gv_require_feature(r, "imageViewFormatSwizzle", NULL)) &&
           of_view_format(r, slots, VALUE(bind_texture, image.id),
                          VALUE(bind_texture, format), GV_NEED_SAMPLED);
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
                        const void *values)
{
    (void)slots;
    return of_viewport_axis(r, "maxViewportDimensions[0]", VALUE(set_viewport, x),
                            VALUE(set_viewport, width)) &&
           of_viewport_axis(r, "maxViewportDimensions[1]", VALUE(set_viewport, y),
                            VALUE(set_viewport, height));
}

// Passes smaller than their images need no more than they are.
static bool of_pass(struct gv_requirements *r, const struct gv_slots *slots,
                    const void *values)
{
    (void)slots;
    return gv_require_limit(r, "maxFramebufferWidth", VALUE(pass_begin, width), 4096) &&
           gv_require_limit(r, "maxFramebufferHeight", VALUE(pass_begin, height),
                            4096) &&
           gv_require_limit(r, "maxFramebufferLayers", VALUE(pass_begin, layers), 256);
}

static bool of_query(struct gv_requirements *r, const struct gv_slots *slots,
                     const void *values)
{
    (void)slots;
    switch (VALUE(query_create, type)) {
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
                     const struct gv_graphics_desc *desc, const void *values)
{
    uint64_t geometry = VALUE(pipeline_create_graphics, geometry.id);
    uint64_t domain = VALUE(pipeline_create_graphics, tessellation_evaluation.id);
    uint64_t last = geometry ? geometry
                    : domain ? domain
                             : VALUE(pipeline_create_graphics, vertex.id);
    return gv_require_pipeline_sizes(r, desc, geometry || domain, trait(slots, last));
}

static bool of_graphics(struct gv_requirements *r, const struct gv_slots *slots,
                        const void *values)
{
    struct gv_graphics_desc *desc = malloc(sizeof *desc);
    struct gv_cursor c = gv_cursor_make(VALUE(pipeline_create_graphics, desc.data),
                                        VALUE(pipeline_create_graphics, size));
    bool ok = desc && gv_graphics_desc_decode(&c, desc, NULL) &&
              gv_require_graphics(r, desc) && of_sizes(r, slots, desc, values);
    free(desc);
    return ok &&
           (!VALUE(pipeline_create_graphics, geometry.id) ||
            gv_require_feature(r, "geometryShader", NULL)) &&
           (!VALUE(pipeline_create_graphics, tessellation_evaluation.id) ||
            gv_require_feature(r, "tessellationShader", NULL));
}

static bool of_sampler(struct gv_requirements *r, const struct gv_slots *slots,
                       const void *values)
{
    (void)slots;
    struct gv_sampler_desc desc;
    struct gv_cursor c =
        gv_cursor_make(VALUE(sampler_create, desc.data), VALUE(sampler_create, size));
    return gv_sampler_desc_decode(&c, &desc, NULL) && gv_require_sampler(r, &desc);
}

// Records may state a first instance; what they hold is the device's secret.
static bool of_records(struct gv_requirements *r, uint64_t count)
{
    return gv_require_feature(r, "drawIndirectFirstInstance", NULL) &&
           (count <= 1 || gv_require_feature(r, "multiDrawIndirect", NULL));
}

static bool of_blit(struct gv_requirements *r, const struct gv_slots *slots,
                    const void *values)
{
    return of_copy(r, slots, VALUE(image_blit, src.id), VALUE(image_blit, dst.id),
                   VALUE(image_blit, filter));
}

static bool of_mipmaps(struct gv_requirements *r, const struct gv_slots *slots,
                       const void *values)
{
    const struct gv_format_info *info =
        gv_format_info(trait(slots, VALUE(image_mipmaps, image.id)));
    const uint64_t filter = VALUE(image_mipmaps, filter);
    const bool depth = info && info->aspects != GV_ASPECT_COLOR;
    if (filter == GV_FILTER_BOX || (depth && filter != GV_FILTER_NEAREST))
        return true; // which the runtime makes itself
    return of_copy(r, slots, VALUE(image_mipmaps, image.id),
                   VALUE(image_mipmaps, image.id), VALUE(image_mipmaps, filter));
}

static bool of_shader(struct gv_requirements *r, const struct gv_slots *slots,
                      const void *values)
{
    (void)slots;
    return gv_require_spirv(r, VALUE(shader_create, spirv.data),
                            (size_t)VALUE(shader_create, size));
}

static bool of_color(struct gv_requirements *r, const struct gv_slots *slots,
                     const void *values)
{
    return of_view_format(r, slots, VALUE(pass_color, image.id),
                          VALUE(pass_color, format), GV_NEED_COLOR);
}

static bool of_index_buffer(struct gv_requirements *r, const struct gv_slots *slots,
                            const void *values)
{
    (void)slots;
    return VALUE(bind_index_buffer, type) != GV_INDEX_TYPE_UINT8 ||
           gv_require_feature(r, "indexTypeUint8", "VK_EXT_index_type_uint8");
}

static bool of_uniform_bytes(struct gv_requirements *r, const struct gv_slots *slots,
                             const void *values)
{
    (void)slots;
    return gv_require_limit(r, "maxUniformBufferRange", VALUE(bind_uniform_bytes, size),
                            16384);
}

static bool of_storage_image(struct gv_requirements *r, const struct gv_slots *slots,
                             const void *values)
{
    return of_view_format(r, slots, VALUE(bind_storage_image, image.id),
                          VALUE(bind_storage_image, format), GV_NEED_STORAGE);
}

static bool of_depth_bias(struct gv_requirements *r, const struct gv_slots *slots,
                          const void *values)
{
    (void)slots;
    return VALUE(set_depth_bias, clamp) == 0.0f ||
           gv_require_feature(r, "depthBiasClamp", NULL);
}

static bool of_line_width(struct gv_requirements *r, const struct gv_slots *slots,
                          const void *values)
{
    (void)slots;
    return VALUE(set_line_width, width) == 1.0f || gv_require_sizes(r, GV_WIDE_LINES);
}

static bool of_draws(struct gv_requirements *r, const struct gv_slots *slots,
                     const void *values)
{
    (void)slots;
    return of_records(r, VALUE(draw_indirect, count));
}

static bool of_indexed_draws(struct gv_requirements *r, const struct gv_slots *slots,
                             const void *values)
{
    (void)slots;
    return of_records(r, VALUE(draw_indexed_indirect, count));
}

static bool of_query_begin(struct gv_requirements *r, const struct gv_slots *slots,
                           const void *values)
{
    (void)slots;
    return !VALUE(query_begin, precise) ||
           gv_require_feature(r, "occlusionQueryPrecise", NULL);
}

static bool of_feedback(struct gv_requirements *r, const struct gv_slots *slots,
                        const void *values)
{
    (void)slots;
    (void)values;
    return gv_require_feature(r, "transformFeedback", feedback_extension);
}

static bool of_counted_draw(struct gv_requirements *r, const struct gv_slots *slots,
                            const void *values)
{
    return gv_require_sizes(r, GV_SIZES_COUNTED) && of_feedback(r, slots, values);
}

static bool of_condition(struct gv_requirements *r, const struct gv_slots *slots,
                         const void *values)
{
    (void)slots;
    (void)values;
    return gv_require_feature(r, "conditionalRendering", conditional_extension);
}

// By call; the others need nothing.
static bool (*const needs[])(struct gv_requirements *, const struct gv_slots *,
                             const void *) = {
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
    [GV_CALL_bind_buffer] = of_bound_buffer,
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
                             enum gv_call call, const void *values)
{
    return !gv_requirements_watch(call) || needs[call](r, slots, values);
}
