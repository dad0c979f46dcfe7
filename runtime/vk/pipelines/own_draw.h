// What draws of our own into images of our own share: a layout with one image for
// fragments, a pipeline that draws all of a target, and what the images go through,
// which nobody tracks.
#ifndef GV_VK_OWN_DRAW_H
#define GV_VK_OWN_DRAW_H

#include "resources/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

struct gv_vk_device;
struct gv_vk_image;

struct gv_vk_own_layout {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
};

// Binding 0 is of `type`, with `sampler` if that has one; fragments may have a 32-bit
// push constant. Finish it either way.
bool gv_vk_own_layout_init(const struct gv_vk_device *device,
                           struct gv_vk_own_layout *layout, VkDescriptorType type,
                           const VkSampler *sampler, struct gv_error *err);
void gv_vk_own_layout_finish(const struct gv_vk_device *device,
                             struct gv_vk_own_layout *layout);

// A draw of four vertices covers the viewport, which and the scissor are dynamic.
struct gv_vk_own_pipeline {
    VkPipelineLayout layout;
    VkShaderModuleCreateInfo fragment;
    VkFormat format; // of the target
    bool depth;      // which it is, always written; or a colour
    uint32_t samples;
    VkSampleMask masks[2]; // those that are written
    // The vertex that a triangle is counted from: where it is decides how places
    // between vertices are rounded.
    bool from_last;
};
bool gv_vk_own_pipeline_create(const struct gv_vk_device *device,
                               const struct gv_vk_own_pipeline *params,
                               VkPipeline *pipeline, struct gv_error *err);

// What is done to mips of an image of ours, and the layout that they are in.
struct gv_vk_own_state {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
    VkImageLayout layout;
};
extern const struct gv_vk_own_state gv_vk_own_new, gv_vk_own_filled, gv_vk_own_sampled,
    gv_vk_own_color, gv_vk_own_depth, gv_vk_own_copied;

// Mips [mip, mip + count) go from one to another.
VkImageMemoryBarrier2 gv_vk_own_change(const struct gv_vk_image *image, uint32_t mip,
                                       uint32_t count,
                                       const struct gv_vk_own_state *from,
                                       const struct gv_vk_own_state *to);
void gv_vk_own_order(VkCommandBuffer commands, const VkImageMemoryBarrier2 *barriers,
                     uint32_t count);

#endif
