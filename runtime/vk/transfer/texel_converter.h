// Texels converted in buffers by a kernel of ours: of images that are kept in a wider
// format than their own, on the way in and out and after each pass; and blits that the
// device cannot make.
#ifndef GV_VK_TEXEL_CONVERTER_H
#define GV_VK_TEXEL_CONVERTER_H

#include "runtime/vk/pipelines/kernel.h"
#include "runtime/vk/transfer/transfer.h"

struct gv_vk_converter {
    struct gv_vk_kernel kernel; // made at first use
    struct gv_vk_scratch scratch;
};

void gv_vk_converter_finish(struct gv_runtime *rt, struct gv_vk_converter *converter);

// Whether texels of that aspect are kept in another format.
bool gv_vk_texels_convert(const struct gv_vk_device *device,
                          const struct gv_vk_image *image, uint32_t aspect);

// Texels of a box in a buffer, from `offset` on, in rows as in image_upload.
struct gv_vk_texel_copy {
    const struct gv_vk_box *box;
    VkImageLayout layout; // that the image is in
    VkBuffer buffer;
    uint64_t offset;
    uint32_t row_bytes, rows; // 0 = tight
};

// Record the copy; barriers for image and buffer stand.
bool gv_vk_texels_read(struct gv_runtime *rt, const struct gv_vk_texel_copy *copy,
                       struct gv_error *err);
bool gv_vk_texels_write(struct gv_runtime *rt, const struct gv_vk_texel_copy *copy,
                        struct gv_error *err);

// Rounds a box of colours to what their own format holds, where they are kept in a
// wider one. Outside of rendering.
bool gv_vk_texels_round(struct gv_runtime *rt, const struct gv_vk_box *box,
                        struct gv_error *err);

// A copy of texels that may be scaled, and are converted between formats. The centre of
// the target's texel x (0: the box's first) takes the source at
// (x + 0.5) * scale + start, whose first texel begins at 0.
struct gv_vk_texel_blit {
    const struct gv_vk_box *dst, *src; // of one aspect, which is the same
    VkImageLayout dst_layout, src_layout;
    float start[3], scale[3];
    bool linear;
    bool encoded; // sRGB is not decoded
    bool bits;    // of formats of one size: as they are, whatever they mean
};

// Records it; barriers for both images stand.
bool gv_vk_texels_blit(struct gv_runtime *rt, const struct gv_vk_texel_blit *blit,
                       struct gv_error *err);

#endif
