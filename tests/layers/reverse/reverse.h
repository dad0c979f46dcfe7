// A Vulkan layer for tests: what is recorded takes the latest place that the barriers
// leave open, so that a missing barrier shows on drivers that run everything in order.
//
// Dispatches, transfers, clears and whole render passes are units. A unit comes after
// those that a chain of barriers puts before it, and before all others recorded ahead
// of it, as far as one order can have that. Each unit is recorded with the state it had
// (pipeline, sets, constants, dynamic states) and between units stands a full barrier:
// the order that the layer chose is the one that any driver keeps.
//
// Images whose contents are given up (UNDEFINED as old layout) are filled with noise.
//
// Queries, timestamps, conditional rendering and passes with these or with transform
// feedback stay where they are, and nothing crosses them. Submissions are not mixed.
//
//   GPUVM_REVERSE=whole      a barrier orders everything before it and after it;
//                            otherwise only what its stages name
//   GPUVM_REVERSE_WITHOUT=A>B[,A>B...]  barriers do not make B wait for A; each of both
//                            is transfer, compute, draw or indirect
//   GPUVM_REVERSE_NOISE=all  as if every transition gave contents up
//   GPUVM_REVERSE_REPORT=FILE  a line per device: units, how many of them came before
//   an
//                            earlier one, barriers, transitions that made noise
#ifndef GV_REVERSE_H
#define GV_REVERSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

// What a unit does, and what barriers name.
enum gv_reverse_class {
    GV_REVERSE_TRANSFER,
    GV_REVERSE_COMPUTE,
    GV_REVERSE_DRAW,
    GV_REVERSE_INDIRECT, // reads of arguments
    GV_REVERSE_CLASSES,
};

// The functions of the next layer.
struct gv_reverse_next {
#define GV_REVERSE_FUNCTION(name) PFN_vk##name name;
#include "tests/layers/reverse/reverse.def"
#undef GV_REVERSE_FUNCTION
};

struct gv_reverse_device {
    VkDevice handle;
    PFN_vkGetDeviceProcAddr get_proc_addr;
    struct gv_reverse_next next;
    struct gv_reverse_buffer *buffers;    // owned list
    struct gv_reverse_image *images;      // owned list: those that can be cleared
    bool noise_all;                       // GPUVM_REVERSE_NOISE
    bool whole;                           // GPUVM_REVERSE
    uint32_t without[GV_REVERSE_CLASSES]; // which classes do not wait for this one
    uint64_t units, moved, barriers, noised;
    struct gv_reverse_device *later;
};

// A recorded command; its arguments follow in the struct that begins with it.
struct gv_reverse_command {
    void (*play)(const struct gv_reverse_next *next, VkCommandBuffer buffer,
                 const struct gv_reverse_command *command);
    struct gv_reverse_command *next; // of a pass
    uint64_t number;                 // by time of recording
};

// State that commands set. Each slot has the command that set it last.
enum gv_reverse_slot {
    GV_REVERSE_PIPELINE, // by bind point: graphics, compute
    GV_REVERSE_SETS = 2, // 8 of each
    GV_REVERSE_PUSH = 18,
    GV_REVERSE_DRAW_STATE, // from here on only draws use it
    GV_REVERSE_INDEX = GV_REVERSE_DRAW_STATE,
    GV_REVERSE_VERTEX,                          // 33
    GV_REVERSE_STREAM = GV_REVERSE_VERTEX + 33, // 4, of transform feedback
    GV_REVERSE_VIEWPORTS = GV_REVERSE_STREAM + 4,
    GV_REVERSE_SCISSORS,
    GV_REVERSE_BLEND,
    GV_REVERSE_BIAS,
    GV_REVERSE_BOUNDS,
    GV_REVERSE_STIPPLE,
    GV_REVERSE_LINE_WIDTH,
    GV_REVERSE_COMPARE_MASK, // front, back
    GV_REVERSE_WRITE_MASK = GV_REVERSE_COMPARE_MASK + 2,
    GV_REVERSE_REFERENCE = GV_REVERSE_WRITE_MASK + 2,
    GV_REVERSE_SLOTS = GV_REVERSE_REFERENCE + 2,
};

// A unit, the image transitions of a barrier, or a mere meeting point of the order.
struct gv_reverse_node {
    struct gv_reverse_node **before; // must be recorded first
    size_t before_count;
    struct gv_reverse_command *first, *last; // of a unit
    struct gv_reverse_command **state;       // in the order they were recorded
    size_t state_count;
    const VkImageMemoryBarrier2 *images;
    uint32_t image_count;
    uint32_t classes; // bits
    uint64_t number;  // of a unit, from 1
    bool seen, done;
};

struct gv_reverse_nodes {
    struct gv_reverse_node **items; // owned
    size_t count, capacity;
};

struct gv_reverse_chunk;

// A command buffer being recorded.
struct gv_reverse_buffer {
    VkCommandBuffer handle;
    struct gv_reverse_device *device;
    struct gv_reverse_chunk *chunks; // owned: memory of everything below
    uint64_t commands, units;
    struct gv_reverse_command *slots[GV_REVERSE_SLOTS];
    struct gv_reverse_node *pass; // between begin and end of rendering
    bool pass_fixed;              // it must stay where it is
    // What has not been given to the driver.
    struct gv_reverse_nodes held;
    // By class: units since the last barrier that named it, all units before, and what
    // later units wait for.
    struct gv_reverse_nodes since[GV_REVERSE_CLASSES];
    struct gv_reverse_node *all[GV_REVERSE_CLASSES], *gate[GV_REVERSE_CLASSES];
    struct gv_reverse_buffer *later;
};

// reverse_layer.c
struct gv_reverse_device *gv_reverse_device_of(const void *handle);
struct gv_reverse_buffer *gv_reverse_buffer_of(VkCommandBuffer handle);
// Says what the layer cannot do, and ends the process.
_Noreturn void gv_reverse_give_up(const char *what);

// reverse_noise.c: notes images that can be cleared, and forgets them.
VKAPI_ATTR VkResult VKAPI_CALL gv_reverse_create_image(VkDevice device,
                                                       const VkImageCreateInfo *info,
                                                       const VkAllocationCallbacks *a,
                                                       VkImage *image);
VKAPI_ATTR void VKAPI_CALL gv_reverse_destroy_image(VkDevice device, VkImage image,
                                                    const VkAllocationCallbacks *a);
void gv_reverse_forget_images(struct gv_reverse_device *device);
// Records what makes noise of a transition's subresources. The image is in
// TRANSFER_DST_OPTIMAL.
bool gv_reverse_can_noise(const struct gv_reverse_device *device,
                          const VkImageMemoryBarrier2 *barrier);
void gv_reverse_noise(struct gv_reverse_buffer *buffer,
                      const VkImageMemoryBarrier2 *barrier);

// reverse_record.c: the functions that stand in for the driver's, by name; NULL if
// there is none.
PFN_vkVoidFunction gv_reverse_recorder(const char *name);

// reverse_order.c. Memory lives until the buffer begins anew.
void *gv_reverse_memory(struct gv_reverse_buffer *buffer, size_t size);
void gv_reverse_begin(struct gv_reverse_buffer *buffer);
void gv_reverse_finish(struct gv_reverse_buffer *buffer);
// What state the command sets: `count` slots from `first` on.
void gv_reverse_state(struct gv_reverse_buffer *buffer,
                      struct gv_reverse_command *command, uint32_t first,
                      uint32_t count);
// A command that does something: part of the open pass, else a unit.
void gv_reverse_action(struct gv_reverse_buffer *buffer,
                       struct gv_reverse_command *command, uint32_t classes);
// One that nothing crosses.
void gv_reverse_fence(struct gv_reverse_buffer *buffer,
                      struct gv_reverse_command *command);
void gv_reverse_pass_begin(struct gv_reverse_buffer *buffer,
                           struct gv_reverse_command *command);
void gv_reverse_pass_end(struct gv_reverse_buffer *buffer,
                         struct gv_reverse_command *command);
void gv_reverse_barrier(struct gv_reverse_buffer *buffer, const VkDependencyInfo *info);
// Gives the driver what is held back.
void gv_reverse_flush(struct gv_reverse_buffer *buffer);

#endif
