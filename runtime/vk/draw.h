// What draws of every kind have in common.
#ifndef GV_VK_DRAW_H
#define GV_VK_DRAW_H

#include "runtime/vk/draw_state.h"
#include "runtime/vk/pass.h"

// Readies the command buffer for a draw: checks pipeline against pass, orders hazards,
// binds what has changed. After it the draw may be recorded. `indexed`: the index
// buffer counts.
bool gv_vk_draw_prepare(struct gv_runtime *rt, bool indexed, struct gv_error *err);

// After the draw: notes what it wrote, counts it.
bool gv_vk_draw_done(struct gv_runtime *rt, struct gv_error *err);

#endif
