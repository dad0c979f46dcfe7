// Indices that leave their vertex buffers, for payloads that rely on zeros there, on
// devices that do not promise them.
#ifndef GV_VK_VERTEX_GUARD_H
#define GV_VK_VERTEX_GUARD_H

#include "resources/base/error.h"

struct gv_runtime;
struct gv_vk_draw_state;
struct gv_vk_device;
struct gv_vk_draw;
struct gv_vk_vertex_buffer;

// Whether the device may read something else outside of the bound range.
bool gv_vk_guarded(const struct gv_vk_device *device,
                   const struct gv_vk_vertex_buffer *v);
// Whether it may for some binding of the bound pipeline.
bool gv_vk_guards_draws(const struct gv_vk_device *device,
                        const struct gv_vk_draw_state *state);

// Finds out whether an indexed draw of the bound pipeline leaves a vertex buffer, and
// sets `draw->outside` and `last`. Where uploads cannot tell, the indices are read
// back.
bool gv_vk_guard_indices(struct gv_runtime *rt, struct gv_vk_draw *draw,
                         struct gv_error *err);

#endif
