// Boxes of texels as transfers name them, checked before Vulkan sees them.
#ifndef GV_VK_TRANSFER_H
#define GV_VK_TRANSFER_H

#include "runtime/vk/memory/image.h"
#include "vm/formats.h"

struct gv_vk_box {
    struct gv_vk_image *image;
    uint32_t aspect; // GV_ASPECT_* bits
    uint32_t mip, layer, layers;
    uint32_t x, y, z, width, height, depth;
};

// As the rules want it; `shape` is filled in, and borrowed.
struct gv_texel_side gv_vk_box_side(const struct gv_vk_box *box,
                                    struct gv_image_shape *shape);

// Fails naming an argument: outside the mip level, empty, not aligned to compressed
// blocks, or not copyable at all.
bool gv_vk_box_check(const struct gv_vk_box *box, VkFormatFeatureFlags needed,
                     const struct gv_place_names *names, struct gv_error *err);

// Whether the box is all there is of its mip and layers, all aspects included.
bool gv_vk_box_whole(const struct gv_vk_box *box);

VkImageSubresourceRange gv_vk_box_range(const struct gv_vk_box *box);
VkImageSubresourceLayers gv_vk_box_layers(const struct gv_vk_box *box);

// The copy between a box (one aspect) and tight rows from `offset` of a buffer on.
VkBufferImageCopy gv_vk_box_copy(const struct gv_vk_box *box, uint64_t offset);

// Queues and emits what a transfer from `src` to `dst` needs, and says in which layouts
// they are: GENERAL for both where they share a subresource.
bool gv_vk_box_pair(struct gv_runtime *rt, const struct gv_vk_box *dst,
                    const struct gv_vk_box *src, bool whole, VkImageLayout *dst_layout,
                    VkImageLayout *src_layout, struct gv_error *err);

// Records the copy of a box (one aspect) to `offset` of a buffer, tight; barriers for
// the image included. Used for readbacks.
bool gv_vk_box_read(struct gv_runtime *rt, const struct gv_vk_box *box, VkBuffer buffer,
                    struct gv_error *err);

#endif
