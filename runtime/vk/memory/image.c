#include "runtime/vk/memory/image.h"

#include "runtime/vk/context.h"
#include "vm/formats.h"

struct gv_vk_image *gv_vk_image_find(const struct gv_handles *handles, uint64_t handle,
                                     const char *argument, struct gv_error *err)
{
    return gv_handles_find(handles, GV_KIND_IMAGE, handle, argument, err);
}

uint32_t gv_vk_image_mip_width(const struct gv_vk_image *image, uint32_t mip)
{
    return gv_mip_size(image->width, mip);
}

uint32_t gv_vk_image_mip_height(const struct gv_vk_image *image, uint32_t mip)
{
    return gv_mip_size(image->height, mip);
}

uint32_t gv_vk_image_mip_depth(const struct gv_vk_image *image, uint32_t mip)
{
    return gv_mip_size(image->depth, mip);
}

struct gv_image_shape gv_vk_image_shape(const struct gv_vk_image *image)
{
    return (struct gv_image_shape){
        .type = image->type,
        .format = (uint32_t)image->format,
        .width = image->width,
        .height = image->height,
        .depth = image->depth,
        .mips = image->mips,
        .layers = image->layers,
        .samples = image->samples,
        .usage = image->usage,
        .flags = image->flags,
    };
}

bool gv_vk_image_check_aspect(const struct gv_vk_image *image, uint32_t aspect,
                              const char *argument, struct gv_error *err)
{
    // GV_ASPECT_* equal VK_IMAGE_ASPECT_*.
    return gv_rule_aspect(image->aspects, aspect, argument, err);
}

bool gv_vk_image_check_range(const struct gv_vk_image *image, uint32_t mip,
                             uint32_t mips, uint32_t layer, uint32_t layers,
                             const char *mip_name, const char *layer_name,
                             struct gv_error *err)
{
    const struct gv_image_shape shape = gv_vk_image_shape(image);
    const struct gv_mip_range range = { mip, mips, layer, layers };
    return gv_rule_range(&shape, &range, mip_name, layer_name, err);
}

VkImageSubresourceRange gv_vk_image_range(const struct gv_vk_image *image, uint32_t mip,
                                          uint32_t mips, uint32_t layer,
                                          uint32_t layers)
{
    return (VkImageSubresourceRange){
        .aspectMask = image->aspects,
        .baseMipLevel = mip,
        .levelCount = mips,
        .baseArrayLayer = layer,
        .layerCount = layers,
    };
}
