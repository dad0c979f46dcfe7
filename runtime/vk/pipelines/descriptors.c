#include "runtime/vk/pipelines/descriptors.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/device_memory.h"

#include <stdlib.h>
#include <string.h>

#define COST 512 // of a set (object_costs.h)

#define POOL_SETS 256
#define POOL_DESCRIPTORS 1024 // of each type
#define TYPES 9               // VK_DESCRIPTOR_TYPE_SAMPLER to UNIFORM_BUFFER_DYNAMIC

struct gv_vk_cached_set {
    VkDescriptorSet handle;
    uint64_t layout;
    uint64_t hash;
    struct gv_vk_cached_set *next;
    uint32_t count;
    uint64_t keys[][4];
};

struct gv_vk_pool {
    VkDescriptorPool handle;
    uint64_t cost; // charged, for its sets and what is known of them
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
    vkDestroyDescriptorPool(rt->device->handle, pool->handle, NULL);
    gv_vk_heaps_discharge(rt->heaps, pool->cost);
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

static struct gv_vk_pool *make_pool(const struct gv_vk_device *device,
                                    uint32_t descriptors, struct gv_error *err)
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
    if (!gv_vk_ok(vkCreateDescriptorPool(device->handle, &info, NULL, &pool->handle),
                  "vkCreateDescriptorPool", err)) {
        free(pool);
        return NULL;
    }
    return pool;
}

static VkResult allocate_from(const struct gv_vk_device *device,
                              const struct gv_vk_pool *pool,
                              const struct gv_vk_set_layout *layout,
                              VkDescriptorSet *set)
{
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool->handle,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout->handle,
    };
    return vkAllocateDescriptorSets(device->handle, &info, set);
}

static bool allocate(struct gv_vk_heaps *heaps, struct gv_vk_descriptors *cache,
                     const struct gv_vk_set_layout *layout, VkDescriptorSet *set,
                     struct gv_error *err)
{
    uint64_t cost = COST + (uint64_t)layout->descriptor_count * GV_VK_DESCRIPTOR_COST;
    if (!gv_vk_heaps_charge(heaps, cost, err))
        return false;
    if (cache->pools &&
        allocate_from(heaps->device, cache->pools, layout, set) == VK_SUCCESS) {
        cache->pools->cost += cost;
        return true;
    }
    uint32_t n = layout->descriptor_count > POOL_DESCRIPTORS ? layout->descriptor_count
                                                             : POOL_DESCRIPTORS;
    struct gv_vk_pool *pool = make_pool(heaps->device, n, err);
    if (!pool) {
        gv_vk_heaps_discharge(heaps, cost);
        return false;
    }
    pool->cost = cost;
    pool->next = cache->pools;
    cache->pools = pool;
    return gv_vk_ok(allocate_from(heaps->device, pool, layout, set),
                    "vkAllocateDescriptorSets", err);
}

static VkDescriptorType type_of(const struct gv_vk_row *row)
{
    return row->type == GV_BINDING_UNIFORM_BUFFER_DYNAMIC && !row->dynamic
               ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
               : (VkDescriptorType)row->type;
}

static void write_one(const struct gv_vk_device *device, VkDescriptorSet set,
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
    vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
}

// One by one, leaving out what no shader looks at.
static void write_some(const struct gv_vk_device *device, VkDescriptorSet set,
                       const struct gv_vk_set_layout *layout,
                       const struct gv_vk_descriptor *contents)
{
    for (uint32_t r = 0; r < layout->row_count; r++)
        for (uint32_t i = 0; i < layout->rows[r].count; i++, contents++)
            if (!contents->skip)
                write_one(device, set, &layout->rows[r], i, contents);
}

// Where a descriptor of the type lies in ours.
static size_t place_of(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return offsetof(struct gv_vk_descriptor, image);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return offsetof(struct gv_vk_descriptor, texels);
    default:
        return offsetof(struct gv_vk_descriptor, buffer);
    }
}

static bool make_template(const struct gv_vk_device *device,
                          struct gv_vk_set_layout *layout, struct gv_error *err)
{
    VkDescriptorUpdateTemplateEntry entries[GV_MAX_BINDINGS];
    size_t first = 0;
    for (uint32_t r = 0; r < layout->row_count; r++) {
        const struct gv_vk_row *row = &layout->rows[r];
        entries[r] = (VkDescriptorUpdateTemplateEntry){
            .dstBinding = row->binding,
            .descriptorCount = row->count,
            .descriptorType = type_of(row),
            .offset = first * sizeof(struct gv_vk_descriptor) + place_of(type_of(row)),
            .stride = sizeof(struct gv_vk_descriptor),
        };
        first += row->count;
    }
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = layout->row_count,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = layout->handle,
    };
    return gv_vk_ok(
        vkCreateDescriptorUpdateTemplate(device->handle, &info, NULL, &layout->updates),
        "vkCreateDescriptorUpdateTemplate", err);
}

static bool write_set(const struct gv_vk_device *device, VkDescriptorSet set,
                      struct gv_vk_set_layout *layout,
                      const struct gv_vk_descriptor *contents, struct gv_error *err)
{
    bool whole = true;
    for (uint32_t i = 0; i < layout->descriptor_count; i++)
        whole = whole && !contents[i].skip;
    if (!layout->descriptor_count)
        return true;
    if (!whole) {
        write_some(device, set, layout, contents);
        return true;
    }
    if (!layout->updates && !make_template(device, layout, err))
        return false;
    vkUpdateDescriptorSetWithTemplate(device->handle, set, layout->updates, contents);
    return true;
}

// ---- the cache ----

static uint64_t mix(uint64_t state, uint64_t value)
{
    state = (state ^ value) * 0x9e3779b97f4a7c15u;
    return state ^ state >> 29;
}

uint64_t gv_vk_descriptor_hash(const struct gv_vk_descriptor *d, uint32_t index)
{
    uint64_t hash = index;
    for (size_t i = 0; i < sizeof d->key / sizeof d->key[0]; i++)
        hash = mix(hash, d->key[i]);
    return hash;
}

static struct gv_vk_cached_set *make_entry(const struct gv_vk_set_layout *layout,
                                           const struct gv_vk_descriptor *contents,
                                           uint64_t hash)
{
    uint32_t n = layout->descriptor_count;
    struct gv_vk_cached_set *e = malloc(sizeof *e + n * sizeof e->keys[0]);
    if (!e)
        return NULL;
    *e = (struct gv_vk_cached_set){ .layout = layout->id, .hash = hash, .count = n };
    for (uint32_t i = 0; i < n; i++)
        memcpy(e->keys[i], contents[i].key, sizeof e->keys[i]);
    return e;
}

static bool holds(const struct gv_vk_cached_set *e,
                  const struct gv_vk_set_layout *layout,
                  const struct gv_vk_descriptor *contents, uint64_t hash)
{
    if (e->layout != layout->id || e->hash != hash)
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (memcmp(e->keys[i], contents[i].key, sizeof e->keys[i]) != 0)
            return false;
    return true;
}

VkDescriptorSet gv_vk_descriptors_get(struct gv_runtime *rt,
                                      struct gv_vk_descriptors *cache,
                                      struct gv_vk_set_layout *layout,
                                      const struct gv_vk_descriptor *contents,
                                      uint64_t hash, struct gv_error *err)
{
    struct gv_vk_cached_set **bucket =
        &cache->buckets[mix(layout->id, hash) % GV_VK_MAX_SETS];
    for (struct gv_vk_cached_set *e = *bucket; e; e = e->next)
        if (holds(e, layout, contents, hash))
            return e->handle;
    if (cache->count == GV_VK_MAX_SETS)
        start_anew(rt, cache);
    struct gv_vk_cached_set *entry = make_entry(layout, contents, hash);
    if (!entry) {
        gv_out_of_memory(err);
        return VK_NULL_HANDLE;
    }
    if (!allocate(rt->heaps, cache, layout, &entry->handle, err) ||
        !write_set(rt->device, entry->handle, layout, contents, err)) {
        free(entry);
        return VK_NULL_HANDLE;
    }
    entry->next = *bucket;
    *bucket = entry;
    cache->count++;
    cache->made++;
    return entry->handle;
}
