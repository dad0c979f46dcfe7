// Buffers of the payload.
#ifndef GV_VK_BUFFER_H
#define GV_VK_BUFFER_H

#include "resources/base/error.h"
#include "runtime/vk/link.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/track.h"

struct gv_handles;
struct gv_vk_buffer_view;

// The greatest indices that uploads have put into a buffer, whatever they overwrote.
struct gv_vk_index_bounds {
    uint32_t most[2]; // of 16 and of 32 bits, the greatest number of all aside,
    bool top[2];      // which may be a restart
    bool unknown;     // written by something else
};

struct gv_vk_buffer {
    VkBuffer handle;
    uint64_t size;
    uint32_t usage; // GV_BUFFER_USAGE_*
    uint64_t id;    // never reused: a cache key that outlives the buffer
    struct gv_vk_memory memory;
    struct gv_vk_track track;
    bool writable;  // work has written it
    size_t written; // by the pass since it was begun or resumed: 1 + place in its list
    uint64_t used;  // work_count of the last work that used it; or GV_VK_ALWAYS_USED
    struct gv_link undefined; // listed while its zero fill is still to be recorded
    struct gv_vk_index_bounds indices; // while the runtime guards vertices
    struct gv_vk_buffer_view *views;   // owned list (view.c)
    struct gv_link *bound;             // where (bound.c)
};

// Bytes of a buffer.
struct gv_vk_bytes {
    struct gv_vk_buffer *buffer;
    uint64_t offset, size;
};

// A live buffer by handle, GV_ERR_FORMAT naming the argument otherwise.
struct gv_vk_buffer *gv_vk_buffer_find(const struct gv_handles *handles,
                                       uint64_t handle, const char *argument,
                                       struct gv_error *err);

// Bytes of a uniform buffer that shaders may see all of or nothing: the most that
// Vulkan lets a device have (robustUniformBufferAccessSizeAlignment).
#define GV_VK_UNIFORM_UNIT 256u

// Bytes of its Vulkan buffer: whole words, or units of uniform buffers, since shaders
// may see all of the last one. What is behind the buffer's own bytes is zeros.
uint64_t gv_vk_buffer_words(const struct gv_vk_buffer *buffer);

// Checks that the buffer was created with all of `usage`, and that the range lies
// inside it; `*size` 0 becomes the rest (an empty rest is refused).
bool gv_vk_buffer_check_usage(const struct gv_vk_buffer *buffer, uint32_t usage,
                              const char *argument, struct gv_error *err);
bool gv_vk_buffer_check_range(const struct gv_vk_buffer *buffer, uint64_t offset,
                              uint64_t size, const char *argument,
                              struct gv_error *err);
bool gv_vk_buffer_check_bind(const struct gv_vk_buffer *buffer, uint64_t offset,
                             uint64_t *size, const char *argument,
                             struct gv_error *err);

#endif
