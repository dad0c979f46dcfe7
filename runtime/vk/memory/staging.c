#include "runtime/vk/memory/staging.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/result.h"

#include <stdlib.h>

struct gv_vk_chunk {
    VkBuffer buffer;
    uint64_t id;
    struct gv_vk_memory memory;
    uint64_t size, used;
    uint64_t serial; // of the submission it was last used in
    bool uniform;
    struct gv_vk_chunk *next;
};

static void destroy_chunk(struct gv_vk_heaps *heaps, struct gv_vk_chunk *chunk)
{
    vkDestroyBuffer(heaps->device->handle, chunk->buffer, NULL);
    gv_vk_memory_free(heaps, &chunk->memory);
    free(chunk);
}

static bool fill_chunk(struct gv_vk_heaps *heaps, struct gv_vk_chunk *chunk,
                       struct gv_error *err)
{
    VkDevice device = heaps->device->handle;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = chunk->size,
        .usage = chunk->uniform ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
                                : VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                      VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                      VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
    };
    if (!gv_vk_ok(vkCreateBuffer(device, &info, NULL, &chunk->buffer), "vkCreateBuffer",
                  err))
        return false;
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, chunk->buffer, &needs);
    return gv_vk_memory_alloc(heaps, &needs, GV_VK_MEMORY_UPLOAD, true, &chunk->memory,
                              err) &&
           gv_vk_ok(vkBindBufferMemory(device, chunk->buffer, chunk->memory.handle,
                                       chunk->memory.offset),
                    "vkBindBufferMemory", err);
}

static struct gv_vk_chunk *create_chunk(struct gv_vk_heaps *heaps, uint64_t size,
                                        bool uniform, struct gv_error *err)
{
    struct gv_vk_chunk *chunk = calloc(1, sizeof(*chunk));
    if (!chunk) {
        gv_fail(err, GV_ERR_MEMORY, GV_NO_OFFSET, "out of memory for staging");
        return NULL;
    }
    chunk->size = size;
    chunk->uniform = uniform;
    chunk->id = ++heaps->next_id;
    if (fill_chunk(heaps, chunk, err))
        return chunk;
    destroy_chunk(heaps, chunk);
    return NULL;
}

// An idle chunk of the usual size, or a new one.
static struct gv_vk_chunk *get_chunk(struct gv_vk_staging *s, uint64_t size,
                                     bool uniform, struct gv_error *err)
{
    for (struct gv_vk_chunk **at = &s->idle; *at; at = &(*at)->next) {
        struct gv_vk_chunk *chunk = *at;
        if (chunk->uniform == uniform && chunk->size >= size) {
            *at = chunk->next;
            chunk->used = 0;
            return chunk;
        }
    }
    uint64_t usual = uniform ? GV_VK_UNIFORM_CHUNK : GV_VK_UPLOAD_CHUNK;
    return create_chunk(s->heaps, size > usual ? size : usual, uniform, err);
}

static bool take(struct gv_runtime *rt, struct gv_vk_chunk **current, uint64_t size,
                 uint64_t alignment, bool uniform, struct gv_vk_slice *slice,
                 struct gv_error *err)
{
    struct gv_vk_chunk *chunk = *current;
    uint64_t at = chunk ? (chunk->used + alignment - 1) / alignment * alignment : 0;
    if (!chunk || at > chunk->size || size > chunk->size - at) {
        chunk = get_chunk(rt->staging, size, uniform, err);
        if (!chunk)
            return false;
        chunk->next = *current;
        *current = chunk;
        at = 0;
    }
    chunk->used = at + size;
    rt->staging->bytes += size;
    *slice =
        (struct gv_vk_slice){ chunk->buffer, chunk->id, at, chunk->memory.data + at };
    return true;
}

bool gv_vk_staging_upload(struct gv_runtime *rt, uint64_t size, uint64_t alignment,
                          struct gv_vk_slice *slice, struct gv_error *err)
{
    return take(rt, &rt->staging->upload, size, alignment, false, slice, err);
}

bool gv_vk_staging_uniform(struct gv_runtime *rt, uint64_t size,
                           struct gv_vk_slice *slice, struct gv_error *err)
{
    const VkPhysicalDeviceLimits *limits = GV_VK_LIMITS(rt->device);
    if (size > limits->maxUniformBufferRange)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "size: uniform data over maxUniformBufferRange %u",
                       limits->maxUniformBufferRange);
    rt->staging->uniform_bytes += size;
    return take(rt, &rt->staging->uniform, size,
                limits->minUniformBufferOffsetAlignment, true, slice, err);
}

static bool retire(struct gv_vk_staging *staging, struct gv_vk_chunk **list,
                   uint64_t serial, struct gv_error *err)
{
    while (*list) {
        struct gv_vk_chunk *chunk = *list;
        if (!gv_vk_memory_flush(staging->heaps, &chunk->memory, err))
            return false;
        *list = chunk->next;
        chunk->serial = serial;
        chunk->next = staging->busy;
        staging->busy = chunk;
    }
    return true;
}

bool gv_vk_staging_submitted(struct gv_vk_staging *staging, uint64_t serial,
                             struct gv_error *err)
{
    staging->bytes = 0;
    return retire(staging, &staging->upload, serial, err) &&
           retire(staging, &staging->uniform, serial, err);
}

void gv_vk_staging_completed(struct gv_vk_staging *s, uint64_t serial)
{
    struct gv_vk_chunk **at = &s->busy;
    while (*at) {
        struct gv_vk_chunk *chunk = *at;
        if (chunk->serial > serial) {
            at = &chunk->next;
            continue;
        }
        *at = chunk->next;
        // Chunks of unusual size are not worth keeping.
        uint64_t usual = chunk->uniform ? GV_VK_UNIFORM_CHUNK : GV_VK_UPLOAD_CHUNK;
        if (chunk->size != usual) {
            destroy_chunk(s->heaps, chunk);
        } else {
            chunk->next = s->idle;
            s->idle = chunk;
        }
    }
}

static void destroy_list(struct gv_vk_heaps *heaps, struct gv_vk_chunk *list)
{
    while (list) {
        struct gv_vk_chunk *next = list->next;
        destroy_chunk(heaps, list);
        list = next;
    }
}

void gv_vk_staging_finish(struct gv_vk_staging *s)
{
    destroy_list(s->heaps, s->upload);
    destroy_list(s->heaps, s->uniform);
    destroy_list(s->heaps, s->busy);
    destroy_list(s->heaps, s->idle);
    *s = (struct gv_vk_staging){ 0 };
}
