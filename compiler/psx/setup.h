// Triangle set-up in integers: the exact edges and gradients of the PlayStation GPU.
// Source: psx-spx "GPU Rendering Attributes"; the formulas give the console's bits.
#ifndef GV_PSX_SETUP_H
#define GV_PSX_SETUP_H

#include "compiler/psx/gpu.h"

enum { GV_PSX_R, GV_PSX_G, GV_PSX_B, GV_PSX_U, GV_PSX_V, GV_PSX_ATTRIBUTES };

struct gv_psx_setup {
    // Vertices sorted by y, unwrapped: y[0] <= y[1] <= y[2], y[0] < y[2].
    int32_t x[3], y[3];
    bool long_left; // the edge 0-2 is the left one
    // Rows that the hardware reaches, unwrapped: [y[0], y[1]) cut to the first pair and
    // [y[1], y[2]) to the second (walks that leave the area stop early).
    int32_t top_begin, top_end, bottom_begin, bottom_end;
    bool bottom_first, top_up, bottom_up; // order and direction of the two walks
    // Attribute planes: value = (base + dx*(x - core_x) + dy*(y - core_y)) >> 24.
    int32_t core_x, core_y;
    uint32_t base[GV_PSX_ATTRIBUTES], dx[GV_PSX_ATTRIBUTES], dy[GV_PSX_ATTRIBUTES];
};

// False: the triangle covers nothing. `area_y0`, `area_y1`: the drawing area,
// inclusive.
bool gv_psx_triangle_setup(const struct gv_psx_vertex v[3], int32_t area_y0,
                           int32_t area_y1, struct gv_psx_setup *out);

// The covered pixels of an unwrapped row: [*left, *right). Row must lie in [y[0],
// y[2]).
void gv_psx_triangle_row(const struct gv_psx_setup *s, int32_t y, int32_t *left,
                         int32_t *right);

#endif
