// Indices made anew for one draw, where the device cannot draw by what there is: lists
// with restarts, fans, indices of one byte. They are read back, which waits for the
// device, and become a list of 32-bit indices without restarts.
#ifndef GV_VK_INDEX_REWRITE_H
#define GV_VK_INDEX_REWRITE_H

#include "runtime/vk/memory/staging.h"
#include "runtime/vk/pipelines/pipeline.h"

struct gv_runtime;
struct gv_vk_device;
struct gv_vk_draw_state;
struct gv_vk_draw;

#define GV_VK_MAX_REWRITTEN_BYTES (64u << 20) // of one draw

// Reads `count` indices of 1, 2 or 4 bytes (NULL: 0, 1, 2, ...) and writes 32-bit ones;
// `out` has room for 3 * count. `restart`: the greatest value cuts. Returns how many.
uint32_t gv_vk_rewrite_indices(enum gv_vk_assembly assembly, uint32_t vertices,
                               bool restart, const uint8_t *indices,
                               uint32_t index_bytes, uint32_t count, uint32_t *out);

// Whether the draw of the bound pipeline is to be rewritten.
bool gv_vk_index_rewrite_wanted(const struct gv_vk_device *device,
                                const struct gv_vk_draw_state *draw_state,
                                bool indexed);

// The rewritten indices in the host's memory, `*count` of them; the caller frees
// `*list`. Inside a pass.
bool gv_vk_index_list(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                      const struct gv_vk_pipeline *p, uint32_t **list, uint32_t *count,
                      struct gv_error *err);

// Rewrites: the indices are at `slice`, `*count` of them. Inside a pass.
bool gv_vk_index_rewrite(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                         struct gv_vk_slice *slice, uint32_t *count,
                         struct gv_error *err);

#endif
