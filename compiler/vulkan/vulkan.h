// Vulkan calls of a capture, one by one, to a payload. Readers of captures feed it; it
// tracks objects and lowers the work at its submit.
#ifndef GV_VULKAN_H
#define GV_VULKAN_H

#include "compiler/builder/builder.h"
#include "compiler/compiler.h"
#include "compiler/vulkan/api/vk_call.h"
#include "resources/base/arena.h"
#include "resources/base/bytes.h"

struct gv_vulkan;

struct gv_vulkan_params {
    const struct gv_compile_params *compile;
    struct gv_arena *arena; // of the whole compile
    struct gv_builder *builder;
    // Frames end where gv_vulkan_frame_end says; else a present ends one.
    bool marked_frames;
};

// Bytes that the program wrote to mapped memory: from `offset` of the mapping in force.
struct gv_vulkan_fill {
    uint64_t memory, offset;
    struct gv_span bytes;
    struct gv_vk_place place;
};

// The contents of a whole buffer when the capture began.
struct gv_vulkan_buffer_contents {
    uint64_t device, buffer;
    struct gv_span bytes;
    struct gv_vk_place place;
};

// The contents of a whole image: of one aspect, rows without gaps, all layers of a mip,
// mips in order. `level_count` 0: the layout alone.
struct gv_vulkan_image_contents {
    uint64_t device, image;
    VkImageAspectFlags aspect;
    VkImageLayout layout;
    uint32_t level_count;
    const uint64_t *level_sizes; // their sum is at most bytes.size
    struct gv_span bytes;
    struct gv_vk_place place;
};

// How the recording device's memory is: by type and heap.
struct gv_vulkan_memory {
    uint64_t physical_device;
    VkPhysicalDeviceMemoryProperties properties;
    struct gv_vk_place place;
};

// An image of a swapchain when the capture began.
struct gv_vulkan_swapchain_image {
    uint64_t image;
    uint32_t index;
    VkImageLayout layout;
    bool acquired;
};
struct gv_vulkan_swapchain_state {
    uint64_t device, swapchain;
    uint32_t last_presented; // index, or UINT32_MAX
    const struct gv_vulkan_swapchain_image *images;
    size_t image_count;
    struct gv_vk_place place;
};

// Errors of all of them: GV_ERR_FORMAT with the place's offset and block (as the
// command), GV_ERR_UNSUPPORTED by name, GV_ERR_LIMIT, GV_ERR_MEMORY. What they point to
// is borrowed until they return. Blocks do not descend; what comes with the block of
// what was before it is part of that command.
struct gv_vulkan *gv_vulkan_create(const struct gv_vulkan_params *params,
                                   struct gv_error *err);
void gv_vulkan_destroy(struct gv_vulkan *vulkan); // NULL is fine

bool gv_vulkan_call(struct gv_vulkan *vulkan, const struct gv_vk_call *call,
                    struct gv_error *err);
bool gv_vulkan_fill(struct gv_vulkan *vulkan, const struct gv_vulkan_fill *fill,
                    struct gv_error *err);
// Bytes of the mapping in force; 0: the memory is not mapped.
uint64_t gv_vulkan_mapped_bytes(const struct gv_vulkan *vulkan, uint64_t memory);
bool gv_vulkan_init_buffer(struct gv_vulkan *vulkan,
                           const struct gv_vulkan_buffer_contents *contents,
                           struct gv_error *err);
bool gv_vulkan_init_image(struct gv_vulkan *vulkan,
                          const struct gv_vulkan_image_contents *contents,
                          struct gv_error *err);
// The recording device's name, as VkPhysicalDeviceProperties has it.
void gv_vulkan_device(struct gv_vulkan *vulkan, const char *name);
bool gv_vulkan_memory(struct gv_vulkan *vulkan, const struct gv_vulkan_memory *memory,
                      struct gv_error *err);
bool gv_vulkan_swapchain(struct gv_vulkan *vulkan,
                         const struct gv_vulkan_swapchain_state *state,
                         struct gv_error *err);
// The calls from here to the next one rebuild what was there when the capture began.
bool gv_vulkan_snapshot(struct gv_vulkan *vulkan, bool begins,
                        const struct gv_vk_place *place, struct gv_error *err);
// Only with `marked_frames`.
bool gv_vulkan_frame_end(struct gv_vulkan *vulkan, const struct gv_vk_place *place,
                         struct gv_error *err);
// Whether calls of the function have their effect: false of those that are unsupported
// whatever their arguments are.
bool gv_vulkan_lowers(enum gv_vk_function function);
// Whether a call ends a frame of a capture without marks (vkQueuePresentKHR).
bool gv_vulkan_ends_frame(const struct gv_vk_call *call);
// No call follows.
bool gv_vulkan_finish(struct gv_vulkan *vulkan, struct gv_error *err);

#endif
