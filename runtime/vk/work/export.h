// What comes out: pictures of frames, and posted exports.
#ifndef GV_VK_EXPORT_H
#define GV_VK_EXPORT_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "runtime/vk/host_vulkan.h"

struct gv_runtime;

struct gv_vk_outputs *gv_vk_outputs_create(struct gv_error *err);
void gv_vk_outputs_destroy(struct gv_runtime *rt, struct gv_vk_outputs *outputs);
// Forgets pictures and posts (gv_runtime_reset).
void gv_vk_outputs_reset(struct gv_runtime *rt);

// 8-bit RGBA, rows top to bottom, tight; width 0: there is none.
struct gv_vk_picture {
    uint32_t width, height;
    uint8_t *rgba; // owned by who asked
};

// These are what runtime.h has by the like name.
void gv_vk_outputs_want_pictures(struct gv_vk_outputs *outputs, bool wanted);
bool gv_vk_outputs_frame(struct gv_runtime *rt, struct gv_vk_picture *picture,
                         struct gv_error *err);
bool gv_vk_outputs_target(struct gv_runtime *rt, struct gv_vk_picture *picture,
                          struct gv_error *err);
void gv_vk_outputs_want_images(struct gv_vk_outputs *outputs, bool wanted);
bool gv_vk_outputs_image(struct gv_runtime *rt, struct gv_runtime_image *image,
                         struct gv_error *err);
void gv_vk_outputs_want_exports(struct gv_vk_outputs *outputs, const bool *wanted,
                                size_t count);

struct gv_vk_export {
    uint32_t format, width, height;
};
bool gv_vk_outputs_export(struct gv_runtime *rt, uint32_t number, struct gv_bytes *out,
                          struct gv_vk_export *about, struct gv_error *err);

#endif
