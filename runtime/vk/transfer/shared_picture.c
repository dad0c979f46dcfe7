#include "runtime/vk/transfer/shared_picture.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/memory/object_costs.h"
#include "vm/calls.h"

#include <stdlib.h>

struct garbage {
    VkImage handle;
    struct gv_vk_memory memory;
};

static void free_image(struct gv_vk_heaps *heaps, VkImage image,
                       struct gv_vk_memory *memory)
{
    vkDestroyImage(heaps->device->handle, image, NULL);
    gv_vk_memory_free(heaps, memory);
}

static void free_garbage(struct gv_runtime *rt, void *object)
{
    struct garbage *garbage = object;
    free_image(rt->heaps, garbage->handle, &garbage->memory);
    free(garbage);
}

void gv_vk_shared_picture_drop(struct gv_runtime *rt,
                               struct gv_vk_shared_picture *picture)
{
    struct garbage *garbage = picture->handle ? malloc(sizeof *garbage) : NULL;
    if (garbage) {
        *garbage = (struct garbage){ picture->handle, picture->memory };
        gv_vk_commands_defer(rt, free_garbage, garbage);
    } else if (picture->handle) {
        gv_vk_commands_idle(rt, NULL);
        free_image(rt->heaps, picture->handle, &picture->memory);
    }
    *picture = (struct gv_vk_shared_picture){ 0 };
}

static bool create(struct gv_runtime *rt, struct gv_vk_shared_picture *picture,
                   struct gv_error *err)
{
    VkDevice device = rt->device->handle;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = picture->format,
        .extent = { picture->width, picture->height, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    if (!gv_vk_ok(vkCreateImage(device, &info, NULL, &picture->handle), "vkCreateImage",
                  err))
        return false;
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device, picture->handle, &needs);
    return gv_vk_make_room(rt, needs.size, err) &&
           gv_vk_memory_alloc(rt->heaps, &needs, GV_VK_MEMORY_DEVICE, false,
                              &picture->memory, err) &&
           gv_vk_ok(vkBindImageMemory(device, picture->handle, picture->memory.handle,
                                      picture->memory.offset),
                    "vkBindImageMemory", err);
}

static bool fit(struct gv_runtime *rt, struct gv_vk_shared_picture *picture,
                const struct gv_vk_box *box, struct gv_error *err)
{
    VkFormat format = gv_vk_device_format(rt->device, box->image->format);
    if (picture->handle && picture->format == format && picture->width == box->width &&
        picture->height == box->height)
        return true;
    gv_vk_shared_picture_drop(rt, picture);
    if (!(gv_vk_format_features(rt->device, box->image->format) &
          VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device cannot sample a picture of this format");
    picture->format = format;
    picture->width = box->width;
    picture->height = box->height;
    if (create(rt, picture, err))
        return true;
    gv_vk_shared_picture_drop(rt, picture);
    return false;
}

// Between the host's reading, which came before on this queue or was waited for, the
// copy, and the host's next reading.
static void move(const struct gv_vk_commands *commands,
                 const struct gv_vk_shared_picture *picture, bool begin)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = begin ? VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
                              : VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .srcAccessMask = begin ? 0 : VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = begin ? VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT
                              : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask =
            begin ? VK_ACCESS_2_TRANSFER_WRITE_BIT : VK_ACCESS_2_MEMORY_READ_BIT,
        .oldLayout =
            begin ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .newLayout = begin ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
                           : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = picture->handle,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(commands->buffer, &info);
}

bool gv_vk_shared_picture_take(struct gv_runtime *rt,
                               struct gv_vk_shared_picture *picture,
                               const struct gv_vk_box *box, uint32_t flags,
                               struct gv_error *err)
{
    const VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageSubresourceRange range = gv_vk_box_range(box);
    if (!fit(rt, picture, box, err) ||
        !gv_vk_barriers_read_image(rt, box->image, &range, layout, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    const VkImageCopy region = {
        .srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, box->mip, box->layer, 1 },
        .srcOffset = { (int32_t)box->x, (int32_t)box->y, (int32_t)box->z },
        .dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
        .extent = { box->width, box->height, 1 },
    };
    move(rt->commands, picture, true);
    vkCmdCopyImage(rt->commands->buffer, box->image->handle, layout, picture->handle,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    move(rt->commands, picture, false);
    picture->flags = flags;
    picture->serial = rt->commands->serial;
    return true;
}

bool gv_vk_shared_picture_show(struct gv_runtime *rt,
                               const struct gv_vk_shared_picture *picture,
                               struct gv_runtime_image *image, struct gv_error *err)
{
    if (picture->serial == rt->commands->serial && !gv_vk_commands_submit(rt, err))
        return false;
    *image = (struct gv_runtime_image){
        .image = (uint64_t)picture->handle,
        .format = (uint32_t)picture->format,
        .width = picture->width,
        .height = picture->height,
        .flipped = picture->flags & GV_PRESENT_FLIP_Y,
        .opaque = picture->flags & GV_PRESENT_OPAQUE,
        .semaphore = (uint64_t)rt->commands->timeline,
        .value = picture->serial,
    };
    return true;
}
