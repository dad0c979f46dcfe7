// Draws of points and lines that pipelines draw as quads (quads.h).
#ifndef GV_VK_QUAD_DRAW_H
#define GV_VK_QUAD_DRAW_H

#include "resources/base/error.h"

struct gv_runtime;
struct gv_vk_device;
struct gv_vk_draw_state;
struct gv_vk_draw;

#define GV_MAX_QUAD_DRAWS (1u << 20) // that one draw becomes

// Whether the bound pipeline draws quads now: points, or lines as wide as they are set.
bool gv_vk_draws_quads(const struct gv_vk_device *device,
                       const struct gv_vk_draw_state *draw_state);

// All of such a draw. Lines of a width that the device lacks and that cannot be had are
// refused.
bool gv_vk_draw_quads(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                      struct gv_error *err);

#endif
