#include "runtime/vk/device/format_features.h"

#include "vm/calls.h"
#include "vm/formats.h"
#include "vm/texel.h"

#include <stddef.h>

// ---- what the device says ----

// lavapipe blends what is signed and normalised as llvmpipe does, and does not say so,
// since it does not clamp what Vulkan wants clamped.
static VkFormatFeatureFlags unsaid(VkDriverId driver, uint32_t format,
                                   VkFormatFeatureFlags said)
{
    bool is_signed = gv_format_info(format)->kind == GV_FORMAT_KIND_SNORM;
    return driver == VK_DRIVER_ID_MESA_LLVMPIPE && is_signed &&
                   said & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT
               ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT
               : 0;
}

static struct gv_vk_format_row read_row(VkPhysicalDevice physical, VkDriverId driver,
                                        uint32_t format)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(physical, (VkFormat)format, &properties);
    const VkFormatFeatureFlags optimal = properties.optimalTilingFeatures;
    return (struct gv_vk_format_row){
        .optimal = optimal | unsaid(driver, format, optimal),
        .buffer = properties.bufferFeatures,
        .kept_as = (VkFormat)format,
    };
}

static uint64_t features_of(VkPhysicalDevice physical, VkDriverId driver,
                            uint32_t format)
{
    const struct gv_vk_format_row row = read_row(physical, driver, format);
    return (uint64_t)row.buffer << 32 | row.optimal;
}

bool gv_vk_format_has(VkPhysicalDevice physical, VkDriverId driver, uint32_t format,
                      uint64_t needed)
{
    return (features_of(physical, driver, format) & needed) == needed;
}

// ---- what stands in ----

enum way { NONE, OWN, WIDER };

static const struct {
    VkFormatFeatureFlags feature;
    enum way way;
} uses[] = {
#define GV_FORMAT_USE(use, feature, way) { VK_FORMAT_FEATURE_##feature##_BIT, way },
#define GV_FORMAT_WIDER(format, first, second, third)
#include "runtime/vk/device/format_ways.def"
#undef GV_FORMAT_USE
#undef GV_FORMAT_WIDER
};

static const struct {
    uint32_t format, instead[3];
} wider[] = {
#define GV_FORMAT_USE(use, feature, way)
#define GV_FORMAT_WIDER(format, first, second, third) \
    { GV_FORMAT_##format,                             \
      { GV_FORMAT_##first, GV_FORMAT_##second, GV_FORMAT_##third } },
#include "runtime/vk/device/format_ways.def"
#undef GV_FORMAT_USE
#undef GV_FORMAT_WIDER
};

static uint64_t features_by(enum way way)
{
    uint64_t features = 0;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i].way == way)
            features |= uses[i].feature;
    return features;
}

// Whether `format` has all that is needed but for what kernels do, which want to get at
// its texels.
static bool will_do(VkPhysicalDevice physical, VkDriverId driver, uint32_t format,
                    uint64_t needed)
{
    const uint64_t have = features_of(physical, driver, format);
    const uint64_t transfer =
        VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    struct gv_texel texel;
    if ((have & needed) == needed)
        return true;
    return (have & transfer) == transfer &&
           gv_texel_lay_out(&texel, gv_format_info(format), 0) && texel.bytes <= 16 &&
           (needed & ~(have | features_by(OWN))) == 0;
}

uint32_t gv_vk_format_kept_as(VkPhysicalDevice physical, VkDriverId driver,
                              uint32_t format, uint64_t needed)
{
    if (will_do(physical, driver, format, needed))
        return format;
    const uint64_t by_wider = features_by(WIDER) | features_by(OWN);
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++)
        for (int k = 0; k < 3; k++)
            if (wider[i].format == format && (needed & ~by_wider) == 0 &&
                will_do(physical, driver, wider[i].instead[k], needed))
                return wider[i].instead[k];
    return 0;
}

bool gv_vk_formats_need(VkPhysicalDevice physical, VkDriverId driver,
                        struct gv_vk_formats *formats, uint32_t format, uint64_t needed,
                        bool first)
{
    const struct gv_format_info *info = gv_format_info(format);
    struct gv_vk_format_row *row = info ? &formats->rows[info - gv_formats] : NULL;
    if (!row)
        return false;
    row->needed |= needed;
    const uint32_t kept = gv_vk_format_kept_as(physical, driver, format, row->needed);
    if (!kept || (!first && kept != (uint32_t)row->kept_as))
        return false;
    row->kept_as = (VkFormat)kept;
    return true;
}

// ---- all formats ----

void gv_vk_formats_read(VkPhysicalDevice physical, VkDriverId driver,
                        struct gv_vk_formats *formats)
{
    const VkFormatFeatureFlags depth = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
    for (size_t i = 0; i < GV_VK_FORMAT_ROWS; i++)
        formats->rows[i] = read_row(physical, driver, gv_formats[i].value);
    // Depths need no more than to be drawn to: which of both there is, is the device's.
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++) {
        const struct gv_format_info *info = gv_format_info(wider[i].format);
        struct gv_vk_format_row *row = &formats->rows[info - gv_formats];
        if (info->aspects != GV_ASPECT_COLOR && !(row->optimal & depth))
            row->kept_as = (VkFormat)wider[i].instead[0];
    }
}

const struct gv_vk_format_row *gv_vk_format_row(const struct gv_vk_formats *formats,
                                                VkFormat format)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)format);
    return info ? &formats->rows[info - gv_formats] : NULL;
}
