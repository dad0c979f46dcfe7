// What the device does with each format of vm/formats.def, asked once: bindings want to
// know it, and a driver takes its time to say. And what stands in for what it does not
// do (format_ways.def).
#ifndef GV_VK_FORMAT_FEATURES_H
#define GV_VK_FORMAT_FEATURES_H

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

enum {
    GV_VK_FORMAT_ROWS = 0
#define GV_FORMAT(...) +1
#include "vm/formats.def"
#undef GV_FORMAT
};

struct gv_vk_format_row {
    VkFormatFeatureFlags optimal, buffer;
    VkFormat kept_as; // what images of it really have: itself, or a wider one
    uint64_t needed;  // that payloads have stated, as requirements do
};

struct gv_vk_formats {
    struct gv_vk_format_row rows[GV_VK_FORMAT_ROWS]; // as gv_formats
};

void gv_vk_formats_read(VkPhysicalDevice physical, VkDriverId driver,
                        struct gv_vk_formats *formats);

// NULL if `format` is none that a payload may name.
const struct gv_vk_format_row *gv_vk_format_row(const struct gv_vk_formats *formats,
                                                VkFormat format);

// Whether the device has `needed` (features of optimal tiling, those of buffers shifted
// left by 32) of a format by itself.
bool gv_vk_format_has(VkPhysicalDevice physical, VkDriverId driver, uint32_t format,
                      uint64_t needed);

// What images of `format` are kept in, so that all of `needed` can be had: itself where
// the device or a kernel of ours does it, or a wider format; 0 where neither helps.
uint32_t gv_vk_format_kept_as(VkPhysicalDevice physical, VkDriverId driver,
                              uint32_t format, uint64_t needed);

// A payload needs that, as it says before it makes images of the format. False: what is
// there already is kept in a way that does not have it.
bool gv_vk_formats_need(VkPhysicalDevice physical, VkDriverId driver,
                        struct gv_vk_formats *formats, uint32_t format, uint64_t needed,
                        bool first);

#endif
