// Clears of whole mips and layers, outside passes.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/transfer/texel_converter.h"

// Barriers for a clear; the command buffer is ready after it.
static bool prepare(struct gv_runtime *rt, struct gv_vk_image *image,
                    const VkImageSubresourceRange *range, bool whole,
                    struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)image->format);
    if (info->compressed || !(image->features & VK_FORMAT_FEATURE_TRANSFER_DST_BIT))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "image: the device clears no images of %s", info->name);
    return gv_vk_barriers_write_image(
               rt, image, range, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, whole, err) &&
           gv_vk_barriers_emit(rt->commands, rt->barriers, err) &&
           gv_vk_commands_begin_work(rt->commands, err);
}

// Values that were cleared to, as the format holds them.
static bool round_cleared(struct gv_runtime *rt, struct gv_vk_image *image,
                          const VkImageSubresourceRange *range, struct gv_error *err)
{
    for (uint32_t i = 0; i < range->levelCount && image->samples == 1; i++) {
        const uint32_t mip = range->baseMipLevel + i;
        const struct gv_vk_box box = { .image = image,
                                       .aspect = GV_ASPECT_COLOR,
                                       .mip = mip,
                                       .layer = range->baseArrayLayer,
                                       .layers = range->layerCount,
                                       .width = gv_vk_image_mip_width(image, mip),
                                       .height = gv_vk_image_mip_height(image, mip),
                                       .depth = gv_vk_image_mip_depth(image, mip) };
        if (!gv_vk_texels_round(rt, &box, err))
            return false;
    }
    return true;
}

bool gv_do_image_clear_color(struct gv_runtime *rt,
                             const struct gv_args_image_clear_color *a,
                             uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_image *image =
        gv_vk_image_find(&rt->handles, a->image.u, "image", err);
    uint32_t mip = (uint32_t)a->mip.u, mips = (uint32_t)a->mips.u;
    uint32_t layer = (uint32_t)a->layer.u, layers = (uint32_t)a->layers.u;
    if (!image || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_image_check_aspect(image, GV_ASPECT_COLOR, "image", err) ||
        !gv_vk_image_check_range(image, mip, mips, layer, layers, "mip", "layer", err))
        return false;
    const VkImageSubresourceRange range =
        gv_vk_image_range(image, mip, mips, layer, layers);
    const VkClearColorValue value = {
        .uint32 = { (uint32_t)a->c0.u, (uint32_t)a->c1.u, (uint32_t)a->c2.u,
                    (uint32_t)a->c3.u },
    };
    if (!prepare(rt, image, &range, true, err))
        return false;
    vkCmdClearColorImage(rt->commands->buffer, image->handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1, &range);
    return round_cleared(rt, image, &range, err);
}

bool gv_do_image_clear_depth_stencil(struct gv_runtime *rt,
                                     const struct gv_args_image_clear_depth_stencil *a,
                                     uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_image *image =
        gv_vk_image_find(&rt->handles, a->image.u, "image", err);
    uint32_t mip = (uint32_t)a->mip.u, mips = (uint32_t)a->mips.u;
    uint32_t layer = (uint32_t)a->layer.u, layers = (uint32_t)a->layers.u;
    uint32_t aspect = (uint32_t)a->aspect.u;
    float depth = gv_arg_f32(a->depth);
    if (!image || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_image_check_aspect(image, aspect, "aspect", err) ||
        !gv_vk_image_check_range(image, mip, mips, layer, layers, "mip", "layer", err))
        return false;
    if (aspect & GV_ASPECT_COLOR)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "aspect: the image has colour");
    if (!(depth >= 0 && depth <= 1)) // also NaN
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "depth: %g is not in 0..1",
                       (double)depth);
    VkImageSubresourceRange range = gv_vk_image_range(image, mip, mips, layer, layers);
    const VkClearDepthStencilValue value = { depth, (uint32_t)a->stencil.u };
    if (!prepare(rt, image, &range, aspect == image->aspects, err))
        return false;
    range.aspectMask = aspect;
    vkCmdClearDepthStencilImage(rt->commands->buffer, image->handle,
                                VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1,
                                &range);
    return true;
}
