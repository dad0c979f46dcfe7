// What buffers hold: uploads, copies, and shadows that are mapped.
#ifndef GV_VK_BUFFER_CONTENT_H
#define GV_VK_BUFFER_CONTENT_H

#include "runtime/vk/memory/buffer.h"

struct gv_runtime;
struct gv_vk_heaps;
struct gv_vk_objects;

// Writes `to.size` bytes of `data`, which are copied, in command order and outside
// rendering. The range lies inside the buffer and is not empty.
bool gv_vk_buffer_upload(struct gv_runtime *rt, struct gv_vk_bytes to,
                         const uint8_t *data, struct gv_error *err);

// A shadow of a range of a buffer.
struct gv_vk_map {
    uint64_t buffer; // handle: the buffer may die first
    uint64_t offset, size;
    uint8_t *data; // owned
};

// Frees it now.
void gv_vk_map_free(struct gv_vk_heaps *heaps, struct gv_vk_objects *objects,
                    void *map);

#endif
