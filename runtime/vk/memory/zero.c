#include "runtime/vk/memory/zero.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/staging.h"
#include "vm/formats.h"

#include <string.h>

void gv_vk_list_buffer(struct gv_vk_barriers *barriers, struct gv_vk_buffer *buffer)
{
    gv_link_add(&barriers->undefined_buffers, &buffer->undefined);
}

void gv_vk_list_image(struct gv_vk_barriers *barriers, struct gv_vk_image *image)
{
    image->undefined_count = image->mips * image->layers;
    gv_link_add(&barriers->undefined_images, &image->undefined);
}

void gv_vk_mark_buffer_defined(struct gv_vk_buffer *buffer)
{
    gv_link_remove(&buffer->undefined);
}

void gv_vk_mark_image_defined(struct gv_vk_image *image,
                              const VkImageSubresourceRange *range)
{
    if (!image->undefined_count)
        return;
    for (uint32_t l = 0; l < range->layerCount; l++)
        for (uint32_t m = 0; m < range->levelCount; m++) {
            struct gv_vk_sub *sub =
                &image->subs[(size_t)(range->baseArrayLayer + l) * image->mips +
                             range->baseMipLevel + m];
            image->undefined_count -= !sub->defined;
            sub->defined = true;
        }
    if (!image->undefined_count)
        gv_link_remove(&image->undefined);
}

bool gv_vk_define_buffer(struct gv_vk_commands *commands,
                         struct gv_vk_barriers *barriers, struct gv_vk_buffer *buffer,
                         struct gv_error *err)
{
    if (!gv_link_listed(&buffer->undefined))
        return true;
    gv_vk_mark_buffer_defined(buffer);
    if (!gv_vk_barriers_write_buffer(
            commands, barriers,
            (struct gv_vk_bytes){ buffer, 0, gv_vk_buffer_words(buffer) }, true, err) ||
        !gv_vk_barriers_emit(commands, barriers, err) ||
        !gv_vk_commands_begin_work(commands, err))
        return false;
    vkCmdFillBuffer(commands->buffer, buffer->handle, 0, VK_WHOLE_SIZE, 0);
    return true;
}

// Compressed formats cannot be cleared: zeros are uploaded, the same bytes for each
// layer.
static bool upload_zeros(struct gv_runtime *rt, const struct gv_vk_image *image,
                         uint32_t layer, uint32_t layers, uint32_t mip,
                         struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)image->format);
    uint32_t width = gv_vk_image_mip_width(image, mip);
    uint32_t height = gv_vk_image_mip_height(image, mip);
    uint32_t depth = gv_vk_image_mip_depth(image, mip);
    const struct gv_texel_box box = { .width = width,
                                      .height = height,
                                      .slices = depth };
    uint64_t bytes;
    struct gv_vk_slice slice;
    if (!gv_format_box_bytes(info, GV_ASPECT_COLOR, &box, &bytes) ||
        !gv_vk_staging_upload(rt, bytes, 16, &slice, err))
        return false;
    memset(slice.data, 0, bytes);
    for (uint32_t l = layer; l < layer + layers; l++) {
        const VkBufferImageCopy region = {
            .bufferOffset = slice.offset,
            .imageSubresource = { image->aspects, mip, l, 1 },
            .imageExtent = { width, height, depth },
        };
        vkCmdCopyBufferToImage(rt->commands->buffer, slice.buffer, image->handle,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    }
    return true;
}

static bool clear_range(struct gv_runtime *rt, struct gv_vk_image *image,
                        const VkImageSubresourceRange *range, struct gv_error *err)
{
    const VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    if (!gv_vk_barriers_write_image(rt, image, range, layout, true, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    const VkClearColorValue zero = { .uint32 = { 0 } };
    const VkClearDepthStencilValue nothing = { 0 };
    if (image->aspects != VK_IMAGE_ASPECT_COLOR_BIT)
        vkCmdClearDepthStencilImage(rt->commands->buffer, image->handle, layout,
                                    &nothing, 1, range);
    else if (!gv_format_info((uint64_t)image->format)->compressed)
        vkCmdClearColorImage(rt->commands->buffer, image->handle, layout, &zero, 1,
                             range);
    else
        for (uint32_t m = 0; m < range->levelCount; m++)
            if (!upload_zeros(rt, image, range->baseArrayLayer, range->layerCount,
                              range->baseMipLevel + m, err))
                return false;
    return true;
}

static bool is_defined(const struct gv_vk_image *image, uint32_t layer, uint32_t mip)
{
    return image->subs[(size_t)layer * image->mips + mip].defined;
}

bool gv_vk_image_undefined(const struct gv_vk_image *image,
                           const VkImageSubresourceRange *range)
{
    if (!image->undefined_count)
        return false;
    for (uint32_t l = 0; l < range->layerCount; l++)
        for (uint32_t m = 0; m < range->levelCount; m++)
            if (is_defined(image, range->baseArrayLayer + l, range->baseMipLevel + m))
                return false;
    return true;
}

bool gv_vk_define_image(struct gv_runtime *rt, struct gv_vk_image *image,
                        const VkImageSubresourceRange *range, struct gv_error *err)
{
    if (!image->undefined_count)
        return true;
    if (image->undefined_count == image->mips * image->layers)
        return clear_range(rt, image, range, err);
    for (uint32_t l = range->baseArrayLayer;
         l < range->baseArrayLayer + range->layerCount; l++)
        for (uint32_t m = range->baseMipLevel;
             m < range->baseMipLevel + range->levelCount; m++) {
            const VkImageSubresourceRange one = gv_vk_image_range(image, m, 1, l, 1);
            if (!is_defined(image, l, m) && !clear_range(rt, image, &one, err))
                return false;
        }
    return true;
}

bool gv_vk_define_all(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_barriers *b = rt->barriers;
    while (b->undefined_buffers)
        if (!gv_vk_define_buffer(
                rt->commands, rt->barriers,
                GV_LINK_HOLDER(b->undefined_buffers, struct gv_vk_buffer, undefined),
                err))
            return false;
    while (b->undefined_images) {
        struct gv_vk_image *image =
            GV_LINK_HOLDER(b->undefined_images, struct gv_vk_image, undefined);
        const VkImageSubresourceRange all =
            gv_vk_image_range(image, 0, image->mips, 0, image->layers);
        if (!gv_vk_define_image(rt, image, &all, err))
            return false;
    }
    return true;
}

bool gv_vk_settle(struct gv_runtime *rt, struct gv_error *err)
{
    if (!rt->in_pass)
        return true;
    return gv_runtime_suspend(rt, err) && gv_vk_define_all(rt, err) &&
           gv_runtime_resume(rt, err);
}
