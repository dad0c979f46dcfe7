#include "runtime/vk/device/format_features.h"

#include "vm/formats.h"

void gv_vk_formats_read(VkPhysicalDevice physical, struct gv_vk_formats *formats)
{
    for (size_t i = 0; i < GV_VK_FORMAT_ROWS; i++) {
        VkFormatProperties properties;
        vkGetPhysicalDeviceFormatProperties(physical, (VkFormat)gv_formats[i].value,
                                            &properties);
        formats->rows[i] = (struct gv_vk_format_row){
            .optimal = properties.optimalTilingFeatures,
            .buffer = properties.bufferFeatures,
        };
    }
}

const struct gv_vk_format_row *gv_vk_format_row(const struct gv_vk_formats *formats,
                                                VkFormat format)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)format);
    return info ? &formats->rows[info - gv_formats] : NULL;
}
