// Device memory: blocks from the driver, cut into pieces, within a budget.
#ifndef GV_VK_DEVICE_MEMORY_H
#define GV_VK_DEVICE_MEMORY_H

#include "runtime/vk/device/device.h"

enum gv_vk_memory_kind {
    GV_VK_MEMORY_DEVICE,   // wherever the GPU likes it best
    GV_VK_MEMORY_UPLOAD,   // host writes, device reads
    GV_VK_MEMORY_READBACK, // device writes, host reads (cached)
};

// A piece of memory. Zeroed = none.
struct gv_vk_memory {
    VkDeviceMemory handle; // of the block; borrowed
    VkDeviceSize offset, size;
    uint8_t *data; // mapped, or NULL
    struct gv_vk_block *block;
    struct gv_vk_span *span; // of the block
};

// All blocks of a device. Zero-initialise, then gv_vk_heaps_init.
struct gv_vk_heaps {
    struct gv_vk_device *device; // borrowed
    struct gv_vk_block *blocks;  // owned list
    uint64_t limit;              // bytes; 0 = none
    uint64_t allocated, peak;    // bytes
    uint64_t charged;            // bytes of other memory, within the limit too
    uint64_t next_id; // of objects, and stamps of changes: none is given twice
};

void gv_vk_heaps_init(struct gv_vk_heaps *heaps, struct gv_vk_device *device,
                      uint64_t limit);
// Every piece must have been freed or be forgotten.
void gv_vk_heaps_finish(struct gv_vk_heaps *heaps);

// `linear`: a buffer, kept apart from optimally tiled images. GV_ERR_LIMIT when the
// budget or the device is exhausted.
bool gv_vk_memory_alloc(struct gv_vk_heaps *heaps, const VkMemoryRequirements *needs,
                        enum gv_vk_memory_kind kind, bool linear,
                        struct gv_vk_memory *memory, struct gv_error *err);
void gv_vk_memory_free(struct gv_vk_heaps *heaps, struct gv_vk_memory *memory);

// Counts memory that is not the device's: what drivers and the runtime keep for
// objects. GV_ERR_LIMIT when the budget is exhausted.
bool gv_vk_heaps_charge(struct gv_vk_heaps *heaps, uint64_t bytes,
                        struct gv_error *err);
void gv_vk_heaps_discharge(struct gv_vk_heaps *heaps, uint64_t bytes);
// Whether so many bytes more are within the limit.
bool gv_vk_heaps_have(const struct gv_vk_heaps *heaps, uint64_t bytes);

// Makes host writes visible to the device, or device writes to the host, where the
// memory is not coherent.
bool gv_vk_memory_flush(struct gv_vk_heaps *heaps, const struct gv_vk_memory *memory,
                        struct gv_error *err);
bool gv_vk_memory_invalidate(struct gv_vk_heaps *heaps,
                             const struct gv_vk_memory *memory, struct gv_error *err);

#endif
