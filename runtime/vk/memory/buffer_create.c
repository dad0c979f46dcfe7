#include "runtime/vk/memory/buffer_create.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/object_costs.h"
#include "runtime/vk/memory/track.h"
#include "runtime/vk/memory/view.h"
#include "runtime/vk/memory/zero.h"

#include <inttypes.h>

#define COST 1024 // object_costs.h

static VkBufferUsageFlags native_usage(uint32_t usage)
{
    VkBufferUsageFlags native =
        usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    // One flag of ours stands for buffers and counters of transform feedback, and
    // drawing by a counter is an indirect draw to Vulkan.
    if (usage & GV_BUFFER_USAGE_TRANSFORM_FEEDBACK)
        native |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                  VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    // Indirect arguments are clamped by a shader of ours.
    if (usage & GV_BUFFER_USAGE_INDIRECT)
        native |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    return native;
}

static bool check_buffer(const struct gv_vk_device *device, uint64_t size,
                         uint32_t usage, struct gv_error *err)
{
    if (size == 0)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "size: a buffer of no bytes");
    if (size > device->properties13.maxBufferSize - GV_VK_UNIFORM_UNIT)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "size: %" PRIu64 " bytes pass the device's maxBufferSize", size);
    if ((usage & GV_BUFFER_USAGE_TRANSFORM_FEEDBACK) &&
        !device->features.transform_feedback.transformFeedback)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "usage: the device misses feature transformFeedback");
    if ((usage & GV_BUFFER_USAGE_CONDITIONAL) &&
        !device->features.conditional_rendering.conditionalRendering)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "usage: the device misses feature conditionalRendering");
    return true;
}

static bool fill_buffer(struct gv_vk_heaps *heaps, struct gv_vk_buffer *buffer,
                        struct gv_error *err)
{
    VkDevice device = heaps->device->handle;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = gv_vk_buffer_words(buffer),
        .usage = native_usage(buffer->usage),
    };
    if (!gv_vk_ok(vkCreateBuffer(device, &info, NULL, &buffer->handle),
                  "vkCreateBuffer", err))
        return false;
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer->handle, &needs);
    return gv_vk_memory_alloc(heaps, &needs, GV_VK_MEMORY_DEVICE, true, &buffer->memory,
                              err) &&
           gv_vk_ok(vkBindBufferMemory(device, buffer->handle, buffer->memory.handle,
                                       buffer->memory.offset),
                    "vkBindBufferMemory", err);
}

void gv_vk_buffer_free(struct gv_runtime *rt, void *object)
{
    struct gv_vk_buffer *buffer = object;
    if (!buffer)
        return;
    gv_vk_buffer_views_free(rt->views, buffer);
    vkDestroyBuffer(rt->device->handle, buffer->handle, NULL);
    gv_vk_memory_free(rt->heaps, &buffer->memory);
    gv_vk_object_free(rt->heaps, buffer, COST);
}

bool gv_do_buffer_create(struct gv_runtime *rt, const struct gv_args_buffer_create *a,
                         uint64_t *result_handle, struct gv_error *err)
{
    uint32_t usage = (uint32_t)a->usage.u;
    if (!check_buffer(rt->device, a->size.u, usage, err) ||
        !gv_vk_count_bytes(rt->objects, a->size.u, err))
        return false;
    struct gv_vk_buffer *buffer =
        gv_vk_object_create(rt, sizeof(*buffer), COST, a->size.u, err);
    if (!buffer)
        return false;
    buffer->size = a->size.u;
    buffer->usage = usage;
    buffer->id = ++rt->heaps->next_id;
    buffer->track.work_seen = rt->barriers->work_count;
    if (!fill_buffer(rt->heaps, buffer, err) ||
        !(*result_handle = gv_handles_add(&rt->handles, GV_KIND_BUFFER, buffer, err))) {
        gv_vk_buffer_free(rt, buffer);
        return false;
    }
    if (usage & (GV_BUFFER_USAGE_TRANSFORM_FEEDBACK | GV_BUFFER_USAGE_CONDITIONAL)) {
        buffer->used = GV_VK_ALWAYS_USED;
        rt->barriers->careful = true;
    }
    gv_vk_list_buffer(rt->barriers, buffer);
    return gv_vk_settle(rt, err);
}

bool gv_do_buffer_destroy(struct gv_runtime *rt, const struct gv_args_buffer_destroy *a,
                          uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    if (!gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err))
        return false;
    rt->above.forget(rt, GV_KIND_BUFFER, a->buffer.u);
    struct gv_vk_buffer *buffer =
        gv_handles_remove(&rt->handles, GV_KIND_BUFFER, a->buffer.u);
    rt->objects->bytes -= buffer->size;
    gv_vk_barriers_forget_buffer(rt->barriers, buffer);
    gv_vk_commands_defer(rt, gv_vk_buffer_free, buffer);
    return true;
}
