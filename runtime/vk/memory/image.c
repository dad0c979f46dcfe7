#include "runtime/vk/memory/image.h"

#include "resources/base/checked.h"
#include "runtime/vk/context.h"
#include "vm/formats.h"

struct gv_vk_image *gv_vk_image_find(struct gv_runtime *rt, uint64_t handle,
                                     const char *argument, struct gv_error *err)
{
    return gv_handles_find(&rt->handles, GV_KIND_IMAGE, handle, argument, err);
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

bool gv_vk_image_check_aspect(const struct gv_vk_image *image, uint32_t aspect,
                              const char *argument, struct gv_error *err)
{
    // GV_ASPECT_* equal VK_IMAGE_ASPECT_*.
    if (aspect && !(aspect & ~image->aspects))
        return true;
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%s: aspects 0x%x of an image that has 0x%x", argument, aspect,
                   image->aspects);
}

bool gv_vk_image_check_range(const struct gv_vk_image *image, uint32_t mip,
                             uint32_t mips, uint32_t layer, uint32_t layers,
                             const char *mip_name, const char *layer_name,
                             struct gv_error *err)
{
    if (!mips || !gv_range_inside(mip, mips, image->mips))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "%s: %u mips from %u of an image of %u", mip_name, mips, mip,
                       image->mips);
    if (!layers || !gv_range_inside(layer, layers, image->layers))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "%s: %u layers from %u of an image of %u", layer_name, layers,
                       layer, image->layers);
    return true;
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
