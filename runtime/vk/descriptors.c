#include "runtime/vk/descriptors.h"

#include "resources/hash.h"
#include "runtime/runtime_internal.h"

#include <stdlib.h>
#include <string.h>

#define POOL_SETS 256
#define POOL_DESCRIPTORS 1024 // of each type
#define TYPES 9               // VK_DESCRIPTOR_TYPE_SAMPLER to UNIFORM_BUFFER_DYNAMIC

struct gv_vk_cached_set {
    VkDescriptorSet handle;
    uint64_t layout;
    struct gv_hash hash;
    struct gv_vk_cached_set *next;
    uint32_t count;
    uint64_t keys[][4];
};

struct gv_vk_pool {
    VkDescriptorPool handle;
    struct gv_vk_pool *next;
};

static void free_entries(struct gv_vk_descriptors *cache)
{
    for (size_t i = 0; i < GV_VK_MAX_SETS; i++)
        while (cache->buckets[i]) {
            struct gv_vk_cached_set *e = cache->buckets[i];
            cache->buckets[i] = e->next;
            free(e);
        }
    cache->count = 0;
}

static void free_pool(struct gv_runtime *rt, void *object)
{
    struct gv_vk_pool *pool = object;
    vkDestroyDescriptorPool(rt->device.handle, pool->handle, NULL);
    free(pool);
}

void gv_vk_descriptors_finish(struct gv_runtime *rt, struct gv_vk_descriptors *cache)
{
    free_entries(cache);
    while (cache->pools) {
        struct gv_vk_pool *pool = cache->pools;
        cache->pools = pool->next;
        free_pool(rt, pool);
    }
}

// Everything starts anew; the sets in use live until their submission is done.
static void start_anew(struct gv_runtime *rt, struct gv_vk_descriptors *cache)
{
    free_entries(cache);
    cache->generation++;
    while (cache->pools) {
        struct gv_vk_pool *pool = cache->pools;
        cache->pools = pool->next;
        gv_vk_commands_defer(rt, free_pool, pool);
    }
}

static struct gv_vk_pool *make_pool(struct gv_runtime *rt, uint32_t descriptors,
                                    struct gv_error *err)
{
    VkDescriptorPoolSize sizes[TYPES];
    for (uint32_t i = 0; i < TYPES; i++)
        sizes[i] = (VkDescriptorPoolSize){ (VkDescriptorType)i, descriptors };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = POOL_SETS,
        .poolSizeCount = TYPES,
        .pPoolSizes = sizes,
    };
    struct gv_vk_pool *pool = calloc(1, sizeof *pool);
    if (!pool) {
        gv_out_of_memory(err);
        return NULL;
    }
    if (!gv_vk_ok(vkCreateDescriptorPool(rt->device.handle, &info, NULL, &pool->handle),
                  "vkCreateDescriptorPool", err)) {
        free(pool);
        return NULL;
    }
    return pool;
}

static VkResult allocate_from(struct gv_runtime *rt, const struct gv_vk_pool *pool,
                              const struct gv_vk_set_layout *layout,
                              VkDescriptorSet *set)
{
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool->handle,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout->handle,
    };
    return vkAllocateDescriptorSets(rt->device.handle, &info, set);
}

static bool allocate(struct gv_runtime *rt, struct gv_vk_descriptors *cache,
                     const struct gv_vk_set_layout *layout, VkDescriptorSet *set,
                     struct gv_error *err)
{
    if (cache->pools && allocate_from(rt, cache->pools, layout, set) == VK_SUCCESS)
        return true;
    uint32_t n = layout->descriptor_count > POOL_DESCRIPTORS ? layout->descriptor_count
                                                             : POOL_DESCRIPTORS;
    struct gv_vk_pool *pool = make_pool(rt, n, err);
    if (!pool)
        return false;
    pool->next = cache->pools;
    cache->pools = pool;
    return gv_vk_ok(allocate_from(rt, pool, layout, set), "vkAllocateDescriptorSets",
                    err);
}

static VkDescriptorType type_of(const struct gv_vk_row *row)
{
    return row->type == GV_BINDING_UNIFORM_BUFFER_DYNAMIC && !row->dynamic
               ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
               : (VkDescriptorType)row->type;
}

static void write_one(struct gv_runtime *rt, VkDescriptorSet set,
                      const struct gv_vk_row *row, uint32_t element,
                      const struct gv_vk_descriptor *d)
{
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = row->binding,
        .dstArrayElement = element,
        .descriptorCount = 1,
        .descriptorType = type_of(row),
        .pImageInfo = &d->image,
        .pBufferInfo = &d->buffer,
        .pTexelBufferView = &d->texels,
    };
    vkUpdateDescriptorSets(rt->device.handle, 1, &write, 0, NULL);
}

static void write_all(struct gv_runtime *rt, VkDescriptorSet set,
                      const struct gv_vk_set_layout *layout,
                      const struct gv_vk_descriptor *contents)
{
    for (uint32_t r = 0; r < layout->row_count; r++)
        for (uint32_t i = 0; i < layout->rows[r].count; i++, contents++)
            if (!contents->skip)
                write_one(rt, set, &layout->rows[r], i, contents);
}

static struct gv_vk_cached_set *make_entry(const struct gv_vk_set_layout *layout,
                                           const struct gv_vk_descriptor *contents)
{
    uint32_t n = layout->descriptor_count;
    struct gv_vk_cached_set *e = malloc(sizeof *e + n * sizeof e->keys[0]);
    if (!e)
        return NULL;
    *e = (struct gv_vk_cached_set){ .layout = layout->id, .count = n };
    for (uint32_t i = 0; i < n; i++)
        memcpy(e->keys[i], contents[i].key, sizeof e->keys[i]);
    e->hash = gv_hash_bytes(e->keys, n * sizeof e->keys[0]);
    return e;
}

static bool same(const struct gv_vk_cached_set *a, const struct gv_vk_cached_set *b)
{
    return a->layout == b->layout && a->count == b->count &&
           gv_hash_equal(&a->hash, &b->hash) &&
           memcmp(a->keys, b->keys, a->count * sizeof a->keys[0]) == 0;
}

VkDescriptorSet gv_vk_descriptors_get(struct gv_runtime *rt,
                                      struct gv_vk_descriptors *cache,
                                      const struct gv_vk_set_layout *layout,
                                      const struct gv_vk_descriptor *contents,
                                      struct gv_error *err)
{
    if (cache->count == GV_VK_MAX_SETS)
        start_anew(rt, cache);
    struct gv_vk_cached_set *entry = make_entry(layout, contents);
    if (!entry) {
        gv_out_of_memory(err);
        return VK_NULL_HANDLE;
    }
    uint64_t bucket = (entry->hash.bytes[0] | (uint64_t)entry->hash.bytes[1] << 8 |
                       (layout->id * 31) << 4) %
                      GV_VK_MAX_SETS;
    for (struct gv_vk_cached_set *e = cache->buckets[bucket]; e; e = e->next)
        if (same(e, entry)) {
            free(entry);
            return e->handle;
        }
    if (!allocate(rt, cache, layout, &entry->handle, err)) {
        free(entry);
        return VK_NULL_HANDLE;
    }
    write_all(rt, entry->handle, layout, contents);
    entry->next = cache->buckets[bucket];
    cache->buckets[bucket] = entry;
    cache->count++;
    rt->stats.descriptor_sets++;
    return entry->handle;
}
