// Images with 24 bits of depth on a device without such a format: they hold floats, and
// what goes in or comes out is converted on the way.
#ifndef GV_VK_DEPTH24_H
#define GV_VK_DEPTH24_H

#include "runtime/vk/pipelines/kernel.h"
#include "runtime/vk/transfer/transfer.h"

struct gv_vk_depth24 {
    struct gv_vk_kernel kernel; // made at first use
    struct gv_vk_scratch scratch;
};

// Whether texels of that aspect are converted.
bool gv_vk_depth24_converts(const struct gv_vk_device *device,
                            const struct gv_vk_image *image, uint32_t aspect);

// Bytes of an upload, in place: u32 with 24 low bits to f32.
void gv_vk_depth24_to_float(uint8_t *texels, uint64_t bytes);

// Texels of a box in a buffer, from `offset` on, in rows as in image_upload.
struct gv_vk_depth24_copy {
    const struct gv_vk_box *box;
    VkImageLayout layout; // that the image is in
    VkBuffer buffer;
    uint64_t offset;
    uint32_t row_bytes, rows; // 0 = tight
};

// Record the copy; barriers for image and buffer stand.
bool gv_vk_depth24_read(struct gv_runtime *rt, const struct gv_vk_depth24_copy *copy,
                        struct gv_error *err);
bool gv_vk_depth24_write(struct gv_runtime *rt, const struct gv_vk_depth24_copy *copy,
                         struct gv_error *err);

void gv_vk_depth24_finish(struct gv_runtime *rt, struct gv_vk_depth24 *depth24);

#endif
