// The picture of a frame as an image of its own on the device, for a host that shares
// it.
#ifndef GV_VK_SHARED_PICTURE_H
#define GV_VK_SHARED_PICTURE_H

#include "resources/base/error.h"
#include "runtime/vk/host_vulkan.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/transfer/transfer.h"

struct gv_vk_shared_picture {
    VkImage handle; // as large as the last picture; null: there was none
    struct gv_vk_memory memory;
    VkFormat format;
    uint32_t width, height;
    uint32_t flags;  // GV_PRESENT_*
    uint64_t serial; // of the submission that completes it
};

// Copies what is presented. The image is made anew where size or format change.
bool gv_vk_shared_picture_take(struct gv_runtime *rt,
                               struct gv_vk_shared_picture *picture,
                               const struct gv_vk_box *box, uint32_t flags,
                               struct gv_error *err);
// Gives the image up when the device is done with it.
void gv_vk_shared_picture_drop(struct gv_runtime *rt,
                               struct gv_vk_shared_picture *picture);
// The image as the host sees it; submitted.
bool gv_vk_shared_picture_show(struct gv_runtime *rt,
                               const struct gv_vk_shared_picture *picture,
                               struct gv_runtime_image *image, struct gv_error *err);

#endif
