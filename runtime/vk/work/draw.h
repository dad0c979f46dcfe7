// What draws of every kind have in common.
#ifndef GV_VK_DRAW_H
#define GV_VK_DRAW_H

#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/one_draw.h"

struct gv_vk_commands;
struct gv_vk_device;
struct gv_vk_draw_state;
struct gv_vk_repack;

// Readies the command buffer for a draw: checks pipeline against pass, orders hazards,
// binds what has changed. After it the draw may be recorded.
bool gv_vk_draw_prepare(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                        struct gv_error *err);

// What the shaders of the bound pipeline read by push constants, if any. A prepared
// draw has it; of records drawn one by one, each has its number.
void gv_vk_draw_push_parameters(const struct gv_vk_commands *commands,
                                const struct gv_vk_draw_state *draw_state,
                                const struct gv_vk_draw *draw);

// After the draw: notes what it wrote, counts it.
bool gv_vk_draw_done(struct gv_runtime *rt, struct gv_error *err);

// All of a draw whose numbers are known.
bool gv_vk_draw_direct(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                       struct gv_error *err);

// The vertex buffers of the bound pipeline as a draw is to read them, which a prepared
// draw has been given.
bool gv_vk_list_vertex_buffers(const struct gv_vk_draw_state *state,
                               const struct gv_vk_repack *repack,
                               struct gv_vk_vertex_buffers *out, struct gv_error *err);

// Whether the indices lie in the index buffer.
bool gv_vk_check_indices(const struct gv_vk_index_buffer *i,
                         const struct gv_vk_draw *draw, struct gv_error *err);

// Whether the bound pipeline can be drawn with only where the numbers are known: some
// of what it needs is done by the runtime, for this device.
bool gv_vk_draw_wants_numbers(const struct gv_vk_device *device,
                              const struct gv_vk_draw_state *draw_state, bool indexed);

#endif
