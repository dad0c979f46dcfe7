// New objects read as zeros. The clear is recorded late: what is overwritten whole
// before it is read needs none.
#ifndef GV_VK_ZERO_H
#define GV_VK_ZERO_H

#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/image.h"

struct gv_vk_commands;

struct gv_vk_barriers;

// A new object owes its zeros from now on.
void gv_vk_list_buffer(struct gv_vk_barriers *barriers, struct gv_vk_buffer *buffer);
void gv_vk_list_image(struct gv_vk_barriers *barriers, struct gv_vk_image *image);

// The next transfer overwrites the buffer, or the subresources, whole.
void gv_vk_mark_buffer_defined(struct gv_vk_buffer *buffer);
void gv_vk_mark_image_defined(struct gv_vk_image *image,
                              const VkImageSubresourceRange *range);

// Whether all subresources of the range still owe their zeros.
bool gv_vk_image_undefined(const struct gv_vk_image *image,
                           const VkImageSubresourceRange *range);

// Records the clears owed by one object, or by all. Outside rendering.
bool gv_vk_define_buffer(struct gv_vk_commands *commands,
                         struct gv_vk_barriers *barriers, struct gv_vk_buffer *buffer,
                         struct gv_error *err);
bool gv_vk_define_image(struct gv_runtime *rt, struct gv_vk_image *image,
                        const VkImageSubresourceRange *range, struct gv_error *err);
bool gv_vk_define_all(struct gv_runtime *rt, struct gv_error *err);

// After the creation of a buffer or image: inside a pass, which may bind it, its zeros
// are recorded at once, around a pass break.
bool gv_vk_settle(struct gv_runtime *rt, struct gv_error *err);

#endif
