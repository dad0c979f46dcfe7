// What comes out: pictures of frames, and posted exports.
#ifndef GV_VK_EXPORT_H
#define GV_VK_EXPORT_H

#include "runtime/vk/context.h"

struct gv_vk_outputs *gv_vk_outputs_create(struct gv_runtime *rt, struct gv_error *err);
void gv_vk_outputs_destroy(struct gv_runtime *rt, struct gv_vk_outputs *outputs);
// Forgets pictures and posts (gv_runtime_reset).
void gv_vk_outputs_reset(struct gv_runtime *rt);

#endif
