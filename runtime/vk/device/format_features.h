// What the device does with each format of vm/formats.def, asked once: bindings want to
// know it, and a driver takes its time to say.
#ifndef GV_VK_FORMAT_FEATURES_H
#define GV_VK_FORMAT_FEATURES_H

#include <volk.h>

enum {
    GV_VK_FORMAT_ROWS = 0
#define GV_FORMAT(...) +1
#include "vm/formats.def"
#undef GV_FORMAT
};

struct gv_vk_format_row {
    VkFormatFeatureFlags optimal, buffer;
};

struct gv_vk_formats {
    struct gv_vk_format_row rows[GV_VK_FORMAT_ROWS]; // as gv_formats
};

void gv_vk_formats_read(VkPhysicalDevice physical, struct gv_vk_formats *formats);

// NULL if `format` is none that a payload may name.
const struct gv_vk_format_row *gv_vk_format_row(const struct gv_vk_formats *formats,
                                                VkFormat format);

#endif
