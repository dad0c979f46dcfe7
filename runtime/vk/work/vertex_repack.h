// Vertex buffers made anew for one draw, where the device cannot fetch them as they
// are: it lacks an instance divisor or a format, wants strides aligned, or the draw
// leaves the buffer and the device does not promise zeros there.
#ifndef GV_VK_VERTEX_REPACK_H
#define GV_VK_VERTEX_REPACK_H

#include "runtime/vk/pipelines/kernel.h"
#include "vm/descs.h"

struct gv_vk_device;
struct gv_vk_draw_state;

struct gv_vk_draw;
struct gv_vk_vertex_buffers;

#define GV_VK_MAX_REPACK_BYTES (64u << 20) // of one draw, sources included

struct gv_vk_repack {
    struct gv_vk_kernel kernel; // made at first use
    struct gv_vk_scratch scratch;
    // Bindings of the pipeline that the next draw reads from `scratch`.
    struct {
        bool used;
        VkDeviceSize offset, size, stride;
    } bindings[GV_MAX_VERTEX_BINDINGS + 1];
    bool any;
};

// Before a draw of the bound pipeline: repacks what has to be, which suspends an open
// pass. GV_ERR_LIMIT past GV_VK_MAX_REPACK_BYTES.
bool gv_vk_repack_for(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                      struct gv_error *err);

// Whether a vertex buffer of the bound pipeline has a stride that the device does not
// take: it must be repacked.
bool gv_vk_repacks_strides(const struct gv_vk_device *device,
                           const struct gv_vk_draw_state *state);

// Whether the binding was repacked: then `out` has where.
bool gv_vk_repacked(const struct gv_vk_repack *repack, uint32_t binding,
                    struct gv_vk_vertex_buffers *out);

void gv_vk_repack_finish(struct gv_runtime *rt, struct gv_vk_repack *repack);

#endif
