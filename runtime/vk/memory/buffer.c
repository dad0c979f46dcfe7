#include "runtime/vk/memory/buffer.h"

#include "resources/base/checked.h"
#include "runtime/vk/context.h"
#include "runtime/vk/memory/zero.h"
#include "runtime/vk/work/vertex_guard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gv_vk_buffer *gv_vk_buffer_find(struct gv_runtime *rt, uint64_t handle,
                                       const char *argument, struct gv_error *err)
{
    return gv_handles_find(&rt->handles, GV_KIND_BUFFER, handle, argument, err);
}

uint64_t gv_vk_buffer_words(const struct gv_vk_buffer *buffer)
{
    return (buffer->size + 3) & ~(uint64_t)3;
}

bool gv_vk_buffer_check_usage(const struct gv_vk_buffer *buffer, uint32_t usage,
                              const char *argument, struct gv_error *err)
{
    if ((buffer->usage & usage) == usage)
        return true;
    uint32_t missing = usage & ~buffer->usage;
    const char *name =
        gv_enum_value_name(GV_ENUM_ID_BUFFER_USAGE, missing & (~missing + 1));
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%s: the buffer was created without usage %s", argument,
                   name ? name : "?");
}

bool gv_vk_buffer_check_range(const struct gv_vk_buffer *buffer, uint64_t offset,
                              uint64_t size, const char *argument, struct gv_error *err)
{
    if (size && gv_range_inside(offset, size, buffer->size))
        return true;
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%s: %" PRIu64 " bytes at %" PRIu64 " of a buffer of %" PRIu64,
                   argument, size, offset, buffer->size);
}

bool gv_vk_buffer_check_bind(const struct gv_vk_buffer *buffer, uint64_t offset,
                             uint64_t *size, const char *argument, struct gv_error *err)
{
    if (*size == 0 && offset < buffer->size)
        *size = buffer->size - offset;
    return gv_vk_buffer_check_range(buffer, offset, *size, argument, err);
}

// ---- creation ----

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

static bool check_buffer(const struct gv_runtime *rt, uint64_t size, uint32_t usage,
                         struct gv_error *err)
{
    if (size == 0)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "size: a buffer of no bytes");
    if (size > rt->device.properties13.maxBufferSize - 4)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "size: %" PRIu64 " bytes pass the device's maxBufferSize", size);
    if ((usage & GV_BUFFER_USAGE_TRANSFORM_FEEDBACK) &&
        !rt->device.features.transform_feedback.transformFeedback)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "usage: the device misses feature transformFeedback");
    if ((usage & GV_BUFFER_USAGE_CONDITIONAL) &&
        !rt->device.features.conditional_rendering.conditionalRendering)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "usage: the device misses feature conditionalRendering");
    return true;
}

static bool fill_buffer(struct gv_runtime *rt, struct gv_vk_buffer *buffer,
                        struct gv_error *err)
{
    VkDevice device = rt->device.handle;
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
    return gv_vk_memory_alloc(&rt->heaps, &needs, GV_VK_MEMORY_DEVICE, true,
                              &buffer->memory, err) &&
           gv_vk_ok(vkBindBufferMemory(device, buffer->handle, buffer->memory.handle,
                                       buffer->memory.offset),
                    "vkBindBufferMemory", err);
}

void gv_vk_buffer_free(struct gv_runtime *rt, void *object)
{
    struct gv_vk_buffer *buffer = object;
    if (!buffer)
        return;
    gv_vk_buffer_views_free(rt, buffer);
    vkDestroyBuffer(rt->device.handle, buffer->handle, NULL);
    gv_vk_memory_free(&rt->heaps, &buffer->memory);
    gv_runtime_object_free(rt, buffer, GV_COST_BUFFER);
}

bool gv_do_buffer_create(struct gv_runtime *rt, const struct gv_args_buffer_create *a,
                         uint64_t *result_handle, struct gv_error *err)
{
    uint32_t usage = (uint32_t)a->usage.u;
    if (!check_buffer(rt, a->size.u, usage, err) ||
        !gv_runtime_count_bytes(rt, a->size.u, err))
        return false;
    struct gv_vk_buffer *buffer =
        gv_runtime_object(rt, sizeof(*buffer), GV_COST_BUFFER, a->size.u, err);
    if (!buffer)
        return false;
    buffer->size = a->size.u;
    buffer->usage = usage;
    buffer->id = ++rt->next_id;
    buffer->track.work_seen = rt->barriers.work_count;
    if (!fill_buffer(rt, buffer, err) ||
        !(*result_handle = gv_handles_add(&rt->handles, GV_KIND_BUFFER, buffer, err))) {
        gv_vk_buffer_free(rt, buffer);
        return false;
    }
    if (usage & (GV_BUFFER_USAGE_TRANSFORM_FEEDBACK | GV_BUFFER_USAGE_CONDITIONAL)) {
        buffer->used = GV_VK_ALWAYS_USED;
        rt->barriers.careful = true;
    }
    gv_vk_list_buffer(rt, buffer);
    return gv_runtime_settle(rt, err);
}

bool gv_do_buffer_destroy(struct gv_runtime *rt, const struct gv_args_buffer_destroy *a,
                          uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    if (!gv_vk_buffer_find(rt, a->buffer.u, "buffer", err))
        return false;
    gv_vk_draw_state_forget(rt, GV_KIND_BUFFER, a->buffer.u);
    struct gv_vk_buffer *buffer =
        gv_handles_remove(&rt->handles, GV_KIND_BUFFER, a->buffer.u);
    rt->object_bytes -= buffer->size;
    gv_vk_barriers_forget_buffer(rt, buffer);
    gv_vk_commands_defer(rt, gv_vk_buffer_free, buffer);
    return true;
}

// ---- contents ----

static bool upload(struct gv_runtime *rt, struct gv_vk_buffer *buffer, uint64_t offset,
                   const uint8_t *data, uint64_t size, struct gv_error *err)
{
    struct gv_vk_slice slice;
    const struct gv_vk_index_bounds indices = buffer->indices;
    // What ends the buffer brings the rest of its last word along, as zeros.
    bool last = offset + size == buffer->size;
    uint64_t bytes = last ? gv_vk_buffer_words(buffer) - offset : size;
    if (!gv_vk_barriers_write_buffer(rt, buffer, offset, bytes, true, err) ||
        !gv_vk_barriers_emit(rt, err) || !gv_vk_commands_begin_work(rt, err) ||
        !gv_vk_staging_upload(rt, bytes, 16, &slice, err))
        return false;
    memcpy(slice.data, data, size);
    memset(slice.data + size, 0, bytes - size);
    buffer->indices = indices;
    gv_vk_note_indices(rt, buffer, offset, data, size);
    const VkBufferCopy region = { slice.offset, offset, bytes };
    vkCmdCopyBuffer(rt->commands.buffer, slice.buffer, buffer->handle, 1, &region);
    rt->stats.uploads++;
    rt->stats.upload_bytes += size;
    return true;
}

bool gv_do_buffer_upload(struct gv_runtime *rt, const struct gv_args_buffer_upload *a,
                         uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_buffer *buffer = gv_vk_buffer_find(rt, a->buffer.u, "buffer", err);
    if (!buffer || !gv_runtime_outside_pass(rt, err))
        return false;
    if (a->size.u == 0)
        return true;
    return gv_vk_buffer_check_range(buffer, a->offset.u, a->size.u, "offset", err) &&
           upload(rt, buffer, a->offset.u, a->data.data, a->size.u, err);
}

bool gv_do_buffer_fill(struct gv_runtime *rt, const struct gv_args_buffer_fill *a,
                       uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_buffer *buffer = gv_vk_buffer_find(rt, a->buffer.u, "buffer", err);
    if (!buffer || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_buffer_check_range(buffer, a->offset.u, a->size.u, "offset", err))
        return false;
    if (a->offset.u % 4 || a->size.u % 4)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "offset: offset and size must be multiples of 4");
    if (!gv_vk_barriers_write_buffer(rt, buffer, a->offset.u, a->size.u, true, err) ||
        !gv_vk_barriers_emit(rt, err) || !gv_vk_commands_begin_work(rt, err))
        return false;
    vkCmdFillBuffer(rt->commands.buffer, buffer->handle, a->offset.u, a->size.u,
                    (uint32_t)a->value.u);
    return true;
}

bool gv_do_buffer_copy(struct gv_runtime *rt, const struct gv_args_buffer_copy *a,
                       uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_buffer *dst = gv_vk_buffer_find(rt, a->dst.u, "dst", err);
    struct gv_vk_buffer *src = gv_vk_buffer_find(rt, a->src.u, "src", err);
    uint64_t size = a->size.u, to = a->dst_offset.u, from = a->src_offset.u;
    if (!dst || !src || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_buffer_check_range(dst, to, size, "dst_offset", err) ||
        !gv_vk_buffer_check_range(src, from, size, "src_offset", err))
        return false;
    if (dst == src && to < from + size && from < to + size)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "dst_offset: source and destination overlap");
    if (!gv_vk_barriers_copy_buffer(rt, dst, to, size, true, src, from, size, err) ||
        !gv_vk_barriers_emit(rt, err) || !gv_vk_commands_begin_work(rt, err))
        return false;
    const VkBufferCopy region = { from, to, size };
    vkCmdCopyBuffer(rt->commands.buffer, src->handle, dst->handle, 1, &region);
    return true;
}

// ---- mapping ----

void gv_vk_map_free(struct gv_runtime *rt, void *object)
{
    struct gv_vk_map *map = object;
    if (!map)
        return;
    rt->map_bytes -= map->size;
    free(map->data);
    gv_runtime_object_free(rt, map, GV_COST_MAP + map->size);
}

bool gv_do_buffer_map(struct gv_runtime *rt, const struct gv_args_buffer_map *a,
                      uint64_t *result_handle, struct gv_error *err)
{
    const struct gv_vk_buffer *buffer =
        gv_vk_buffer_find(rt, a->buffer.u, "buffer", err);
    if (!buffer ||
        !gv_vk_buffer_check_range(buffer, a->offset.u, a->size.u, "offset", err))
        return false;
    if (a->size.u > rt->declared.map_bytes - rt->map_bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "size: %" PRIu64 " bytes of maps are declared, %" PRIu64
                       " are open",
                       rt->declared.map_bytes, rt->map_bytes);
    struct gv_vk_map *map =
        gv_runtime_object(rt, sizeof(*map), GV_COST_MAP + a->size.u, 0, err);
    if (!map)
        return false;
    map->data = calloc(1, (size_t)a->size.u);
    if (!map->data) {
        gv_runtime_object_free(rt, map, GV_COST_MAP + a->size.u);
        return gv_out_of_memory(err);
    }
    map->buffer = a->buffer.u;
    map->offset = a->offset.u;
    map->size = a->size.u;
    rt->map_bytes += map->size;
    *result_handle = gv_handles_add(&rt->handles, GV_KIND_MAP, map, err);
    if (!*result_handle)
        gv_vk_map_free(rt, map);
    return *result_handle != 0;
}

static bool flush(struct gv_runtime *rt, const struct gv_vk_map *map, uint64_t offset,
                  uint64_t size, struct gv_error *err)
{
    struct gv_vk_buffer *buffer = gv_vk_buffer_find(rt, map->buffer, "map", err);
    return buffer && gv_runtime_outside_pass(rt, err) &&
           upload(rt, buffer, map->offset + offset, map->data + offset, size, err);
}

bool gv_do_map_flush(struct gv_runtime *rt, const struct gv_args_map_flush *a,
                     uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    const struct gv_vk_map *map =
        gv_handles_find(&rt->handles, GV_KIND_MAP, a->map.u, "map", err);
    if (!map)
        return false;
    if (!gv_range_inside(a->offset.u, a->size.u, map->size))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "offset: %" PRIu64 " bytes at %" PRIu64 " of a map of %" PRIu64,
                       a->size.u, a->offset.u, map->size);
    return a->size.u == 0 || flush(rt, map, a->offset.u, a->size.u, err);
}

bool gv_do_buffer_unmap(struct gv_runtime *rt, const struct gv_args_buffer_unmap *a,
                        uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_map *map =
        gv_handles_find(&rt->handles, GV_KIND_MAP, a->map.u, "map", err);
    if (!map || !flush(rt, map, 0, map->size, err))
        return false;
    gv_handles_remove(&rt->handles, GV_KIND_MAP, a->map.u);
    gv_vk_map_free(rt, map);
    return true;
}
