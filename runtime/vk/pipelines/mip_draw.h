// Mips made by draws of our own where a device's blits cost more: lavapipe keeps what
// it compiles of the payload's shaders and of ours, and compiles those of its blits in
// each process anew, once for each kind of size. Drawn as Mesa draws a blit, the texels
// are the same.
#ifndef GV_VK_MIP_DRAW_H
#define GV_VK_MIP_DRAW_H

#include "runtime/vk/pipelines/own_draw.h"

struct gv_runtime;
struct gv_vk_device;
struct gv_vk_image;

#define GV_VK_MIP_FORMATS 8 // whose pipelines are kept; images of others are blitted

// What the draws share; zeroed: made at first use.
struct gv_vk_mip_draws {
    VkSampler sampler;
    struct gv_vk_own_layout layouts;
    VkFormat formats[GV_VK_MIP_FORMATS];
    VkPipeline pipelines[GV_VK_MIP_FORMATS];
    uint32_t count;
};

// Levels of an image, checked: `base`, and those that are made from it.
struct gv_vk_mips {
    struct gv_vk_image *image;
    uint32_t base, count; // `base` is one of them
};

// Whether draws make them with a linear filter: all layers of the image are `layers`.
bool gv_vk_mips_drawn(const struct gv_vk_device *device, const struct gv_vk_mips *mips,
                      uint32_t layers);

// Records it, outside of rendering, queries and conditions; what was bound for draws no
// longer is, and work is told. `*drawn` false: there is no room for it, and nothing was
// done.
bool gv_vk_mips_draw(struct gv_runtime *rt, struct gv_vk_mip_draws *draws,
                     const struct gv_vk_mips *mips, bool *drawn, struct gv_error *err);

void gv_vk_mip_draws_finish(const struct gv_vk_device *device,
                            struct gv_vk_mip_draws *draws);

#endif
