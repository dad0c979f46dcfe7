// Bytes on their way back from the device.
#ifndef GV_VK_READBACK_H
#define GV_VK_READBACK_H

#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/transfer/transfer.h"

// Zeroed = none.
struct gv_vk_readback {
    VkBuffer buffer;
    struct gv_vk_memory memory;
    uint64_t size;   // bytes
    uint64_t serial; // of the submission that fills it
};

// Record the copy of a box of texels (tight rows), or of bytes of a buffer, in command
// order. The call is outside rendering.
bool gv_vk_readback_image(struct gv_runtime *rt, struct gv_vk_readback *readback,
                          const struct gv_vk_box *box, struct gv_error *err);
bool gv_vk_readback_buffer(struct gv_runtime *rt, struct gv_vk_readback *readback,
                           struct gv_vk_bytes bytes, struct gv_error *err);

// Waits for the bytes, submitting them if need be. NULL on failure.
const uint8_t *gv_vk_readback_wait(struct gv_runtime *rt,
                                   const struct gv_vk_readback *readback,
                                   struct gv_error *err);

// Gives it up; the memory lives until the device is done. Fine on a zeroed one.
void gv_vk_readback_drop(struct gv_runtime *rt, struct gv_vk_readback *readback);

#endif
