// The pass being described or open.
#ifndef GV_VK_PASS_H
#define GV_VK_PASS_H

#include "resources/base/error.h"
#include "vm/calls.h"
#include "vm/descs.h"

#include <stddef.h>
#include <volk.h>

struct gv_runtime;
struct gv_handles;
struct gv_vk_views;
struct gv_vk_buffer;
struct gv_vk_image;

struct gv_vk_target {
    uint64_t handle; // of the image; 0 = not named
    struct gv_vk_image *image;
    uint32_t format, mip, layer, layers; // format 0 = the image's
    VkImageView view;
    bool zero; // nothing was ever there: the pass begins with zeros instead of loading
};

struct gv_vk_color_target {
    struct gv_vk_target target, resolve;
    VkAttachmentLoadOp load;
    VkClearColorValue clear;
};

struct gv_vk_depth_target {
    struct gv_vk_target target;
    VkAttachmentLoadOp depth_load, stencil_load;
    VkClearDepthStencilValue clear;
};

#define GV_VK_MAX_TARGETS (2 * GV_MAX_COLOR_ATTACHMENTS + 1)

// What a pass has written through shaders or feedback since it was begun or resumed.
struct gv_vk_written {
    struct gv_vk_buffer *buffer; // or
    struct gv_vk_image *image;
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
};

struct gv_vk_pass {
    // Named by pass_color, pass_resolve, pass_depth_stencil for the next pass.
    struct gv_vk_color_target next_color[GV_MAX_COLOR_ATTACHMENTS];
    struct gv_vk_depth_target next_depth;
    // The open pass, or the last one.
    struct gv_vk_color_target color[GV_MAX_COLOR_ATTACHMENTS];
    struct gv_vk_depth_target depth;
    uint32_t color_count;                    // up to the highest named
    uint32_t width, height, layers, samples; // samples 0: no attachment says
    bool fresh; // begun, and nothing recorded: clears of all of it are its beginning
    uint64_t instance; // counts begins and resumes
    uint32_t instance_draws;
    struct gv_vk_written *written; // owned
    size_t written_count, written_capacity;
    uint64_t passes; // so far, for statistics
};

// Fine on a zeroed one.
void gv_vk_pass_finish(struct gv_vk_pass *pass);
// Forgets what the payload named (gv_runtime_reset).
void gv_vk_pass_reset(struct gv_vk_pass *pass);

// See struct gv_vk_above.
bool gv_vk_pass_suspend(struct gv_runtime *rt, struct gv_error *err);
bool gv_vk_pass_resume(struct gv_runtime *rt, struct gv_error *err);
// Ends an open pass and everything that counts, for good.
void gv_vk_pass_abandon(struct gv_runtime *rt);

// The colour attachment 0 of the current or last pass: its live handle, mip and layer;
// 0 when there is none.
uint64_t gv_vk_pass_target(const struct gv_handles *handles,
                           const struct gv_vk_pass *pass, uint32_t *mip,
                           uint32_t *layer);

// pass_targets.c: checks everything named for the pass and makes the views.
bool gv_vk_pass_check(struct gv_vk_views *views, struct gv_vk_pass *pass,
                      struct gv_error *err);

// Every target of the pass in turn, resolves included; returns how many.
size_t gv_vk_pass_targets(struct gv_vk_pass *pass,
                          struct gv_vk_target *out[GV_VK_MAX_TARGETS]);

// GV_FORMAT_* of the target's view.
uint32_t gv_vk_target_format(const struct gv_vk_target *t);

// Notes that work in the open pass writes an object; false: out of memory.
bool gv_vk_pass_wrote(struct gv_vk_pass *pass, const struct gv_vk_written *written,
                      struct gv_error *err);

// Whether a subresource range is part of an attachment of the open pass.
bool gv_vk_pass_attached(const struct gv_vk_pass *pass, const struct gv_vk_image *image,
                         uint32_t mip, uint32_t mips, uint32_t layer, uint32_t layers);

// An image dies: it is no longer named.
void gv_vk_pass_forget(struct gv_runtime *rt, uint64_t image);
// An object dies: nobody will ask who wrote it.
void gv_vk_pass_forget_written(struct gv_vk_pass *pass, size_t *written);

#endif
