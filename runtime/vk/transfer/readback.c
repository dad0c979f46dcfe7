#include "runtime/vk/transfer/readback.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"

#include <stdlib.h>

static void free_readback(struct gv_runtime *rt, void *object)
{
    struct gv_vk_readback *readback = object;
    vkDestroyBuffer(rt->device->handle, readback->buffer, NULL);
    gv_vk_memory_free(rt->heaps, &readback->memory);
    free(readback);
}

void gv_vk_readback_drop(struct gv_runtime *rt, struct gv_vk_readback *readback)
{
    if (!readback->buffer)
        return;
    struct gv_vk_readback *copy = malloc(sizeof(*copy));
    if (copy) {
        *copy = *readback;
        gv_vk_commands_defer(rt, free_readback, copy);
    } else {
        gv_vk_commands_idle(rt, NULL);
        vkDestroyBuffer(rt->device->handle, readback->buffer, NULL);
        gv_vk_memory_free(rt->heaps, &readback->memory);
    }
    *readback = (struct gv_vk_readback){ 0 };
}

static bool create(struct gv_runtime *rt, struct gv_vk_readback *readback,
                   uint64_t size, struct gv_error *err)
{
    VkDevice device = rt->device->handle;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    *readback = (struct gv_vk_readback){ .size = size };
    if (size > rt->device->properties13.maxBufferSize)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "the bytes to read back pass the device's maxBufferSize");
    if (!gv_vk_ok(vkCreateBuffer(device, &info, NULL, &readback->buffer),
                  "vkCreateBuffer", err))
        return false;
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, readback->buffer, &needs);
    if (gv_vk_memory_alloc(rt->heaps, &needs, GV_VK_MEMORY_READBACK, true,
                           &readback->memory, err) &&
        gv_vk_ok(vkBindBufferMemory(device, readback->buffer, readback->memory.handle,
                                    readback->memory.offset),
                 "vkBindBufferMemory", err))
        return true;
    gv_vk_readback_drop(rt, readback);
    return false;
}

// The host may look once the submission is done.
static void show_host(struct gv_vk_commands *commands, struct gv_vk_readback *readback)
{
    const VkBufferMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
        .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = readback->buffer,
        .size = VK_WHOLE_SIZE,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .bufferMemoryBarrierCount = 1,
        .pBufferMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(commands->buffer, &info);
    readback->serial = commands->serial;
}

bool gv_vk_readback_image(struct gv_runtime *rt, struct gv_vk_readback *readback,
                          const struct gv_vk_box *box, struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)box->image->format);
    const struct gv_texel_box texels = { box->width, box->height,
                                         box->depth * box->layers, 0, 0 };
    uint64_t bytes;
    if (!gv_format_box_bytes(info, box->aspect, &texels, &bytes))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "aspect: 0x%x is none of %s",
                       box->aspect, info->name);
    if (!create(rt, readback, bytes, err))
        return false;
    if (!gv_vk_box_read(rt, box, readback->buffer, err)) {
        gv_vk_readback_drop(rt, readback);
        return false;
    }
    show_host(rt->commands, readback);
    return true;
}

bool gv_vk_readback_buffer(struct gv_runtime *rt, struct gv_vk_readback *readback,
                           struct gv_vk_bytes bytes, struct gv_error *err)
{
    if (!create(rt, readback, bytes.size, err))
        return false;
    if (!gv_vk_barriers_read_buffer(rt->commands, rt->barriers, bytes, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err)) {
        gv_vk_readback_drop(rt, readback);
        return false;
    }
    const VkBufferCopy region = { bytes.offset, 0, bytes.size };
    vkCmdCopyBuffer(rt->commands->buffer, bytes.buffer->handle, readback->buffer, 1,
                    &region);
    show_host(rt->commands, readback);
    return true;
}

const uint8_t *gv_vk_readback_wait(struct gv_runtime *rt,
                                   const struct gv_vk_readback *readback,
                                   struct gv_error *err)
{
    if (readback->serial == rt->commands->serial && !gv_vk_commands_submit(rt, err))
        return NULL;
    if (!gv_vk_commands_wait(rt->commands, readback->serial, err) ||
        !gv_vk_memory_invalidate(rt->heaps, &readback->memory, err))
        return NULL;
    return readback->memory.data;
}
