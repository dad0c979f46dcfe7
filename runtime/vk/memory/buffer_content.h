// What buffers hold: uploads, copies, and shadows that are mapped.
#ifndef GV_VK_BUFFER_CONTENT_H
#define GV_VK_BUFFER_CONTENT_H

#include <stdint.h>

struct gv_runtime;

// A shadow of a range of a buffer.
struct gv_vk_map {
    uint64_t buffer; // handle: the buffer may die first
    uint64_t offset, size;
    uint8_t *data; // owned
};

// Frees it now.
void gv_vk_map_free(struct gv_runtime *rt, void *map);

#endif
