// Descriptor sets by content: the same contents in the same layout are the same set.
#ifndef GV_VK_DESCRIPTORS_H
#define GV_VK_DESCRIPTORS_H

#include "runtime/vk/pipelines/pipeline_layout.h"

#include <stdbool.h>
#include <stddef.h>

struct gv_runtime;

#define GV_VK_MAX_SETS 4096 // live in the cache; then it starts anew

// One descriptor: what is written, and what makes it equal to another. Ids in the key
// are never reused, so that a dead object's set is never found again.
struct gv_vk_descriptor {
    uint64_t key[4];
    VkDescriptorImageInfo image;
    VkDescriptorBufferInfo buffer;
    VkBufferView texels;
    bool skip; // no shader looks: left unwritten
};

struct gv_vk_descriptors {
    struct gv_vk_cached_set *buckets[GV_VK_MAX_SETS]; // owned lists
    uint32_t count;
    uint64_t generation;      // changes when every set so far is given up
    struct gv_vk_pool *pools; // owned list, newest first
    uint64_t made;            // sets so far, for statistics
};

// A zeroed cache is empty.
void gv_vk_descriptors_finish(struct gv_runtime *rt, struct gv_vk_descriptors *cache);

// The part of one descriptor, the `index`th of its set, in the hash of a set; the hash
// is the sum of all parts.
uint64_t gv_vk_descriptor_hash(const struct gv_vk_descriptor *d, uint32_t index);

// The set of these descriptors (`contents[layout->descriptor_count]` in row and element
// order, `hash` theirs). VK_NULL_HANDLE with `err` on failure.
VkDescriptorSet gv_vk_descriptors_get(struct gv_runtime *rt,
                                      struct gv_vk_descriptors *cache,
                                      struct gv_vk_set_layout *layout,
                                      const struct gv_vk_descriptor *contents,
                                      uint64_t hash, struct gv_error *err);

#endif
