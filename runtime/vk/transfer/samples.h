// Single samples of multisampled images, in and out: no copy takes samples apart, so
// they are drawn, into and out of images of ours. To those who track the payload's
// image all of it is a transfer.
#ifndef GV_VK_SAMPLES_H
#define GV_VK_SAMPLES_H

#include "resources/base/bytes.h"
#include "runtime/vk/memory/image.h"
#include "vm/calls.h"

struct gv_vk_device;

struct gv_vk_sample {
    struct gv_vk_image *image;
    uint32_t aspect, layer, number;
};

// Refuses what is none, and (GV_ERR_UNSUPPORTED) what cannot be taken apart to the bit:
// stencil, and depth where the device has 24 bits of it.
bool gv_vk_sample_check(const struct gv_vk_device *device,
                        const struct gv_vk_sample *sample, struct gv_error *err);

// Appends the texels of one sample, tight rows. Passes and queries are suspended.
bool gv_vk_sample_read(struct gv_runtime *rt, const struct gv_vk_sample *sample,
                       struct gv_bytes *out, struct gv_error *err);

#endif
