// Small compute shaders of our own.
#ifndef GV_VK_KERNEL_H
#define GV_VK_KERNEL_H

#include "runtime/vk/memory/device_memory.h"

struct gv_runtime;
struct gv_vk_heaps;
struct gv_vk_commands;

// One storage buffer at set 0 binding 0, and push constants. Zeroed = none.
struct gv_vk_kernel {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    struct gv_vk_kernel_pool *pool; // descriptor sets being handed out
    uint32_t constants;             // bytes
};

// A header that tools/spirv-packed.sh wrote: SPIR-V of `size` bytes, compressed, with
// so many bytes of push constants.
struct gv_vk_kernel_code {
    const uint8_t *packed;
    size_t packed_size, size;
    uint32_t constants;
};

#define GV_VK_KERNEL_CODE(name, constants)        \
    {                                             \
        name, sizeof name, name##_size, constants \
    }

bool gv_vk_kernel_init(struct gv_runtime *rt, struct gv_vk_kernel *kernel,
                       struct gv_vk_kernel_code code, struct gv_error *err);
void gv_vk_kernel_finish(struct gv_runtime *rt, struct gv_vk_kernel *kernel);

// So many workgroups over `size` bytes of a buffer.
struct gv_vk_kernel_job {
    VkBuffer buffer;
    VkDeviceSize size;
    const void *constants;
    uint32_t groups;
};

// Records a dispatch over the buffer. Outside rendering; the caller orders it with
// what comes before and after. Other compute state is lost, and work is told.
bool gv_vk_kernel_run(struct gv_runtime *rt, struct gv_vk_kernel *kernel,
                      const struct gv_vk_kernel_job *job, struct gv_error *err);

// A buffer of ours that grows: what kernels work on. Zeroed = none.
struct gv_vk_scratch {
    VkBuffer handle;
    struct gv_vk_memory memory;
    VkDeviceSize size;
};

// At least `size` bytes; the old buffer lives until its last use completes.
bool gv_vk_scratch_reserve(struct gv_runtime *rt, struct gv_vk_scratch *scratch,
                           VkDeviceSize size, VkBufferUsageFlags usage,
                           struct gv_error *err);
void gv_vk_scratch_finish(struct gv_vk_heaps *heaps, struct gv_vk_scratch *scratch);

// A memory barrier between two uses of a scratch buffer.
void gv_vk_scratch_order(struct gv_vk_commands *commands, VkPipelineStageFlags2 from,
                         VkAccessFlags2 written, VkPipelineStageFlags2 to,
                         VkAccessFlags2 access);

#endif
