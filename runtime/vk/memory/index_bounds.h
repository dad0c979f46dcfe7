// The greatest indices that uploads put into buffers, for draws that must not leave
// their vertex buffers.
#ifndef GV_VK_INDEX_BOUNDS_H
#define GV_VK_INDEX_BOUNDS_H

#include "runtime/vk/memory/buffer.h"

// Bytes that were uploaded into the buffer.
void gv_vk_note_indices(const struct gv_vk_device *device, struct gv_vk_buffer *buffer,
                        uint64_t offset, const uint8_t *data, uint64_t size);

#endif
