// Memory that a recorded program allocated, with a copy of what the program wrote there
// through mapped pointers, and the buffers and images that are bound to parts of it.
//
// A capture holds such writes as fills of whole pages, changed or not; what of them is
// new goes on to the resources that lie there.
#ifndef GV_CAP_MEMORY_H
#define GV_CAP_MEMORY_H

#include "compiler/vulkan/track/cap_object.h"

// What buffers and images have in common. `lowered` is the number of the payload's
// object, for whoever makes one; 0: none yet.
struct gv_cap_resource {
    uint64_t id;
    bool image;
    uint32_t lowered;
    struct gv_cap_memory *memory; // NULL: not bound (any more)
    uint64_t offset, size;        // bytes of memory; size 0: not bound yet
    // Bytes that the device may have written, so that the copy need not have them; none
    // where begin is end.
    uint64_t device_begin, device_end;
    uint64_t version; // counts writes, by host and device
    // Bytes that the device wrote through another resource in the same memory, and that
    // this one has not received; none where begin is end.
    uint64_t foreign_begin, foreign_end;
    struct gv_cap_resource *foreign; // which one; NULL: several
    uint64_t foreign_pass;           // gv_cap.pass by then
};

struct gv_cap_buffer {
    struct gv_cap_resource base; // first
    uint64_t size;               // bytes
    VkBufferUsageFlags usage;
    VkBufferCreateFlags flags;
    struct gv_cap_mirror
        *mirrors; // of whoever lowers; owned, a list by its first member
};

struct gv_cap_image {
    struct gv_cap_resource base; // first
    VkImageCreateInfo info;      // pNext and queue families are NULL
    VkSubresourceLayout linear;  // of mip 0 and layer 0 of a linear one, once known
    uint64_t required;           // bytes that the recording device wants, 0: not asked
    uint32_t twin; // of whoever lowers: the number of a copy in the payload; 0: none
    bool known; // of an optimal one: its texels were read out of memory, or cannot be
    // Bytes that came to it and wait for gv_walk_flush_images.
    uint64_t new_begin, new_end;
    struct gv_cap_image *next_new;
};

void gv_cap_memory_free(void *memory);
void gv_cap_resource_free(void *resource); // leaves its memory

bool gv_cap_memory_allocate(struct gv_cap *cap,
                            const struct gv_vk_args_vkAllocateMemory *args,
                            struct gv_error *err);
bool gv_cap_memory_map(struct gv_cap *cap, const struct gv_vk_args_vkMapMemory *args,
                       struct gv_error *err);

bool gv_cap_memory_unmap(struct gv_cap *cap,
                         const struct gv_vk_args_vkUnmapMemory *args,
                         struct gv_error *err);

// Bytes of the mapping in force; 0: none, or no memory.
uint64_t gv_cap_memory_mapped(const struct gv_cap_memory *memory);

// Bytes that have come to a resource: `at` counts from its beginning.
struct gv_cap_write {
    struct gv_cap_resource *resource;
    uint64_t at, size;
    const uint8_t *bytes;
};
typedef bool (*gv_cap_write_fn)(void *context, const struct gv_cap_write *write,
                                struct gv_error *err);

// Binds a resource of `size` bytes; what memory holds there comes to it.
struct gv_cap_place {
    uint64_t memory, offset, size;
};
bool gv_cap_bind(struct gv_cap *cap, struct gv_cap_resource *r,
                 const struct gv_cap_place *place, gv_cap_write_fn write, void *context,
                 struct gv_error *err);

// The program wrote `size` bytes at `offset` from where the memory is mapped.
struct gv_cap_fill {
    uint64_t memory, offset, size;
    const uint8_t *bytes;
};
bool gv_cap_memory_fill(struct gv_cap *cap, const struct gv_cap_fill *fill,
                        gv_cap_write_fn write, void *context, struct gv_error *err);

// What the copy holds of a resource; zeros where it is not bound or ends.
void gv_cap_memory_read(const struct gv_cap_resource *r, uint64_t at, uint64_t size,
                        uint8_t *out);

// The device wrote bytes of a resource: all of an image. They are foreign to others
// that share them.
void gv_cap_device_wrote(struct gv_cap_resource *r, uint64_t offset, uint64_t size);

// Whether a part of a resource is foreign.
bool gv_cap_is_foreign(const struct gv_cap_resource *r, uint64_t offset, uint64_t size);
// Nothing is foreign to it any more.
void gv_cap_received(struct gv_cap_resource *r);
// Calls `each` with all others that share these bytes of a resource.
typedef void (*gv_cap_sharing_fn)(void *context, struct gv_cap_resource *other,
                                  struct gv_cap_resource *r);
void gv_cap_each_sharing(struct gv_cap_resource *r, uint64_t offset, uint64_t size,
                         gv_cap_sharing_fn each, void *context);

// The copy of a buffer's whole content at once, as it was set (an init-buffer block).
bool gv_cap_set_content(struct gv_cap *cap, struct gv_cap_resource *r,
                        const uint8_t *bytes, uint64_t size, struct gv_error *err);

#endif
