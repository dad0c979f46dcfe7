// Views by description: the same description of the same object is the same view.
#ifndef GV_VK_VIEW_H
#define GV_VK_VIEW_H

#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/table.h"
#include "vm/rules/view_rules.h"

#define GV_VK_VIEW_MEMOS 256

// Views asked for lately, as they were asked for: what a payload binds again and again
// is neither checked nor looked for among all views again.
struct gv_vk_view_memo {
    uint64_t image; // id; never reused, so that a dead image's views are never found
    struct gv_view_shape key;
    VkImageView handle;
};

struct gv_vk_views {
    struct gv_vk_heaps *heaps;                      // borrowed
    struct gv_vk_view_memo memos[GV_VK_VIEW_MEMOS]; // by a hash
    struct gv_table images, buffers;                // views of all that live
};

// All views are freed by then. A zeroed struct is empty.
void gv_vk_views_finish(struct gv_vk_views *views);

// The view, checked against image and device (usage, type, compatible format, range,
// aspect), made at first use, living as long as the image. A 2D or 2D_ARRAY view of a
// 3D image takes slices as layers (attachments only, 2D_ARRAY_COMPATIBLE images).
// VK_NULL_HANDLE with `err` when refused.
VkImageView gv_vk_image_view(struct gv_vk_views *views, struct gv_vk_image *image,
                             const struct gv_view_shape *key, struct gv_error *err);

// A texel view of bytes; `storage`: for stores. Checked alike.
VkBufferView gv_vk_buffer_view(struct gv_vk_views *views, struct gv_vk_bytes bytes,
                               VkFormat format, bool storage, struct gv_error *err);

void gv_vk_image_views_free(struct gv_vk_views *views, struct gv_vk_image *image);
void gv_vk_buffer_views_free(struct gv_vk_views *views, struct gv_vk_buffer *buffer);

#endif
