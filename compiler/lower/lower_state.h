// State that pipelines leave open: viewport, scissor, blend constants, stencil, depth
// bias. Rectangles are in targets' pixels, row 0 at the top; clip space's y points up,
// unless a viewport says otherwise.
#ifndef GV_LOWER_STATE_H
#define GV_LOWER_STATE_H

#include "compiler/lower/lower_pass.h"

struct gv_lower_viewport {
    float x, y, width, height, min_depth, max_depth;
    bool y_down; // clip space's y points down the rows of the target
};

// Vertices lie on a grid of 1/256 of a pixel (llvmpipe's, and most devices'), or on a
// coarser one, down to Vulkan's least.
#define GV_LOWER_FINE_GRID 256
#define GV_LOWER_COARSE_GRID 16

// That the device's grid is a fine one: a requirement of the payload, which prefers it,
// and the condition of branches.
struct gv_requirement gv_lower_fine_grid(struct gv_builder *b);

struct gv_lower_scissor {
    int32_t x, y, width, height;
};

// The part of a scissor (NULL: all) that is on targets of this size; false: none.
bool gv_lower_scissor(const struct gv_lower_scissor *s, uint32_t width, uint32_t height,
                      struct gv_lower_rectangle *out);

// Sets viewport (NULL: all) and scissor (NULL: none) for targets of this size. False if
// nothing can be seen; then nothing is set.
bool gv_lower_set_viewport(struct gv_builder *b, const struct gv_lower_viewport *v,
                           const struct gv_lower_scissor *s, uint32_t width,
                           uint32_t height);

// Both faces alike, or each its own.
struct gv_lower_stencil {
    uint32_t reference, read_mask, write_mask;
};
void gv_lower_set_stencil_faces(struct gv_builder *b,
                                const struct gv_lower_stencil faces[2]);
void gv_lower_set_stencil(struct gv_builder *b, uint32_t reference, uint32_t read_mask,
                          uint32_t write_mask);

// A constant depth bias in units of the depth format, and one by the slope, and what
// the sum is limited to (0: nothing; a preferred feature); `in_24_bits` where the
// format had 24 bits and is floats here.
struct gv_lower_depth_bias {
    float units, slope, clamp;
    bool in_24_bits;
};
void gv_lower_set_depth_bias(struct gv_builder *b,
                             const struct gv_lower_depth_bias *bias);

#endif
