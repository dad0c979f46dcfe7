// Which blocks of VRAM a batch writes and samples. A batch must end before a primitive
// that samples what the batch wrote, or writes what the batch sampled.
#ifndef GV_PSX_HAZARDS_H
#define GV_PSX_HAZARDS_H

#include "compiler/psx/gpu.h"
#include "compiler/psx/psx_layout.h"
#include "resources/base/bytes.h"

#include <stdbool.h>
#include <stdint.h>

static inline int32_t gv_psx_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t gv_psx_most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// Cells [x0, x1] x [y0, y1], inclusive, inside VRAM. x1 < x0: empty.
struct gv_psx_rect {
    int32_t x0, y0, x1, y1;
};

bool gv_psx_rect_empty(const struct gv_psx_rect *r);
bool gv_psx_rects_meet(const struct gv_psx_rect *a, const struct gv_psx_rect *b);
struct gv_psx_rect gv_psx_rect_join(const struct gv_psx_rect *a,
                                    const struct gv_psx_rect *b);

// A place, which wraps at the edges of VRAM, as up to four rectangles that do not.
struct gv_psx_area {
    struct gv_psx_rect rects[4];
    uint32_t count;
};
struct gv_psx_area gv_psx_area_wrapped(const struct gv_psx_place *place, uint32_t rows);
// What a textured primitive samples on a machine of `rows` rows: `uv` are texels,
// inclusive, that may leave 0..255.
struct gv_psx_area gv_psx_sampled_area(const struct gv_psx_draw *d, uint32_t rows,
                                       struct gv_psx_rect uv);
bool gv_psx_areas_meet(const struct gv_psx_area *a, const struct gv_psx_area *b);

#define GV_PSX_BLOCK ((int32_t)PSX_BLOCK) // cells, both ways

// One bit for each block; [row][column bit].
struct gv_psx_blocks {
    uint32_t rows[1024 / GV_PSX_BLOCK];
};

void gv_psx_blocks_clear(struct gv_psx_blocks *b);
void gv_psx_blocks_add(struct gv_psx_blocks *b, const struct gv_psx_area *area);
// The blocks set, as column | row << 16, row by row: appended as words to `out`.
void gv_psx_blocks_list(const struct gv_psx_blocks *b, struct gv_bytes *out);
uint32_t gv_psx_blocks_count(const struct gv_psx_blocks *b);
bool gv_psx_blocks_meet(const struct gv_psx_blocks *b, const struct gv_psx_area *area);

#endif
