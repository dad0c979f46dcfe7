#include "runtime/vk/memory/buffer_content.h"

#include "resources/base/checked.h"
#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/index_bounds.h"
#include "runtime/vk/memory/object_costs.h"
#include "runtime/vk/memory/staging.h"
#include "vm/rules/buffer_rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COST 256 // of a map, and its bytes (object_costs.h)

bool gv_vk_buffer_upload(struct gv_runtime *rt, struct gv_vk_bytes to,
                         const uint8_t *data, struct gv_error *err)
{
    struct gv_vk_buffer *buffer = to.buffer;
    struct gv_vk_slice slice;
    const struct gv_vk_index_bounds indices = buffer->indices;
    // What ends the buffer brings the rest of its last word or unit along, as zeros.
    struct gv_vk_bytes words = to;
    if (to.offset + to.size == buffer->size)
        words.size = gv_vk_buffer_words(buffer) - to.offset;
    if (!gv_vk_barriers_write_buffer(rt->commands, rt->barriers, words, true, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err) ||
        !gv_vk_staging_upload(rt, words.size, 16, &slice, err))
        return false;
    memcpy(slice.data, data, to.size);
    memset(slice.data + to.size, 0, words.size - to.size);
    buffer->indices = indices;
    gv_vk_note_indices(rt->device, buffer, to.offset, data, to.size);
    const VkBufferCopy region = { slice.offset, to.offset, words.size };
    vkCmdCopyBuffer(rt->commands->buffer, slice.buffer, buffer->handle, 1, &region);
    gv_vk_staging_uploaded(rt->staging, to.size);
    return true;
}

bool gv_do_buffer_upload(struct gv_runtime *rt, const struct gv_args_buffer_upload *a,
                         uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_buffer *buffer =
        gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    if (!buffer || !gv_runtime_outside_pass(rt, err))
        return false;
    if (a->size.u == 0)
        return true;
    return gv_vk_buffer_check_range(buffer, a->offset.u, a->size.u, "offset", err) &&
           gv_vk_buffer_upload(rt,
                               (struct gv_vk_bytes){ buffer, a->offset.u, a->size.u },
                               a->data.data, err);
}

bool gv_do_buffer_fill(struct gv_runtime *rt, const struct gv_args_buffer_fill *a,
                       uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_buffer *buffer =
        gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    if (!buffer || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_buffer_check_range(buffer, a->offset.u, a->size.u, "offset", err))
        return false;
    if (!gv_rule_fill(a->offset.u, a->size.u, err))
        return false;
    if (!gv_vk_barriers_write_buffer(
            rt->commands, rt->barriers,
            (struct gv_vk_bytes){ buffer, a->offset.u, a->size.u }, true, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    vkCmdFillBuffer(rt->commands->buffer, buffer->handle, a->offset.u, a->size.u,
                    (uint32_t)a->value.u);
    return true;
}

bool gv_do_buffer_copy(struct gv_runtime *rt, const struct gv_args_buffer_copy *a,
                       uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_buffer *dst = gv_vk_buffer_find(&rt->handles, a->dst.u, "dst", err);
    struct gv_vk_buffer *src = gv_vk_buffer_find(&rt->handles, a->src.u, "src", err);
    uint64_t size = a->size.u, to = a->dst_offset.u, from = a->src_offset.u;
    if (!dst || !src || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_buffer_check_range(dst, to, size, "dst_offset", err) ||
        !gv_vk_buffer_check_range(src, from, size, "src_offset", err))
        return false;
    if (dst == src && !gv_rule_buffer_apart(to, from, size, err))
        return false;
    if (!gv_vk_barriers_copy_buffer(rt, (struct gv_vk_bytes){ dst, to, size },
                                    (struct gv_vk_bytes){ src, from, size }, true,
                                    err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    const VkBufferCopy region = { from, to, size };
    vkCmdCopyBuffer(rt->commands->buffer, src->handle, dst->handle, 1, &region);
    return true;
}

// ---- mapping ----

void gv_vk_map_free(struct gv_vk_heaps *heaps, struct gv_vk_objects *objects,
                    void *object)
{
    struct gv_vk_map *map = object;
    if (!map)
        return;
    objects->map_bytes -= map->size;
    free(map->data);
    gv_vk_object_free(heaps, map, COST + map->size);
}

bool gv_do_buffer_map(struct gv_runtime *rt, const struct gv_args_buffer_map *a,
                      uint64_t *result_handle, struct gv_error *err)
{
    const struct gv_vk_buffer *buffer =
        gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    if (!buffer ||
        !gv_vk_buffer_check_range(buffer, a->offset.u, a->size.u, "offset", err))
        return false;
    if (a->size.u > rt->objects->declared.map_bytes - rt->objects->map_bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "size: %" PRIu64 " bytes of maps are declared, %" PRIu64
                       " are open",
                       rt->objects->declared.map_bytes, rt->objects->map_bytes);
    struct gv_vk_map *map =
        gv_vk_object_create(rt, sizeof(*map), COST + a->size.u, 0, err);
    if (!map)
        return false;
    map->data = calloc(1, (size_t)a->size.u);
    if (!map->data) {
        gv_vk_object_free(rt->heaps, map, COST + a->size.u);
        return gv_out_of_memory(err);
    }
    map->buffer = a->buffer.u;
    map->offset = a->offset.u;
    map->size = a->size.u;
    rt->objects->map_bytes += map->size;
    *result_handle = gv_handles_add(&rt->handles, GV_KIND_MAP, map, err);
    if (!*result_handle)
        gv_vk_map_free(rt->heaps, rt->objects, map);
    return *result_handle != 0;
}

static bool flush(struct gv_runtime *rt, const struct gv_vk_map *map, uint64_t offset,
                  uint64_t size, struct gv_error *err)
{
    struct gv_vk_buffer *buffer =
        gv_vk_buffer_find(&rt->handles, map->buffer, "map", err);
    return buffer && gv_runtime_outside_pass(rt, err) &&
           gv_vk_buffer_upload(
               rt, (struct gv_vk_bytes){ buffer, map->offset + offset, size },
               map->data + offset, err);
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

static void close_map(struct gv_vk_heaps *heaps, struct gv_vk_objects *objects,
                      struct gv_handles *handles, uint64_t handle,
                      struct gv_vk_map *map)
{
    gv_handles_remove(handles, GV_KIND_MAP, handle);
    gv_vk_map_free(heaps, objects, map);
}

bool gv_do_buffer_unmap(struct gv_runtime *rt, const struct gv_args_buffer_unmap *a,
                        uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_map *map =
        gv_handles_find(&rt->handles, GV_KIND_MAP, a->map.u, "map", err);
    if (!map || !flush(rt, map, 0, map->size, err))
        return false;
    close_map(rt->heaps, rt->objects, &rt->handles, a->map.u, map);
    return true;
}

bool gv_do_map_close(struct gv_runtime *rt, const struct gv_args_map_close *a,
                     uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_map *map =
        gv_handles_find(&rt->handles, GV_KIND_MAP, a->map.u, "map", err);
    if (!map)
        return false;
    close_map(rt->heaps, rt->objects, &rt->handles, a->map.u, map);
    return true;
}
