// What the payload's objects may take, and do: what it declares, what they cost.
#ifndef GV_VK_OBJECT_COSTS_H
#define GV_VK_OBJECT_COSTS_H

#include "resources/base/error.h"
#include "vm/payload/payload.h"

#include <stddef.h>

struct gv_runtime;
struct gv_vk_heaps;

struct gv_vk_objects {
    struct gv_limits declared; // by the payload, with what is allowed beside it
    uint64_t bytes;            // of its live buffers and images
    uint64_t map_bytes;        // of open shadows
    bool own;                  // what is made now is none of the payload's
};

// Waits for what is given up if `bytes` of device memory have no room beside it.
// Between commands alone, or in the middle of one for the runtime itself: then it does
// nothing.
bool gv_vk_make_room(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err);

// A zeroed struct for an object that costs `cost`, where `device_bytes` of device
// memory have room too. What is given up is waited for if there is no room without.
// Between commands alone. NULL: GV_ERR_LIMIT, GV_ERR_MEMORY.
//
// The cost is what an object takes beside the memory bound to it, in bytes: our own
// struct and what drivers keep, by the largest that was measured. It is charged while
// the object exists.
void *gv_vk_object_create(struct gv_runtime *rt, size_t size, uint64_t cost,
                          uint64_t device_bytes, struct gv_error *err);
// Frees it and gives back the cost. NULL is fine.
void gv_vk_object_free(struct gv_vk_heaps *heaps, void *object, uint64_t cost);

// Counts a buffer or an image of so many bytes among those that live. GV_ERR_FORMAT
// when the payload declares fewer.
bool gv_vk_count_bytes(struct gv_vk_objects *objects, uint64_t bytes,
                       struct gv_error *err);

#endif
