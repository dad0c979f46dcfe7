// Which cells a batch paints for sure, whatever they held: what slices need not look
// behind.
#ifndef GV_PSX_PAINTED_H
#define GV_PSX_PAINTED_H

#include "compiler/psx/hazards.h"
#include "compiler/psx/setup.h"

// What a record paints of the cells that it may write.
struct gv_psx_paint {
    bool sure;                       // all in its shape, whatever they held
    const struct gv_psx_setup *rows; // of a triangle; NULL: a rectangle
    int32_t shift;                   // of a triangle's rows
    int8_t skip_parity;              // rows that are not drawn, as in gv_psx_draw
};

// Zeroed: none.
struct gv_psx_painted {
    struct gv_psx_rect bounds;      // of what has been added
    uint64_t rows[1024][1024 / 64]; // a bit for each cell
    bool some;
};

// Adds a record that writes inside a rectangle.
void gv_psx_painted_add(struct gv_psx_painted *p, const struct gv_psx_rect *writes,
                        const struct gv_psx_paint *paint);
void gv_psx_painted_clear(struct gv_psx_painted *p);

// Each `step`-th row of a rectangle.
struct gv_psx_band {
    struct gv_psx_rect rect;
    uint32_t step;
};

#define GV_PSX_BANDS 4

// The largest bands of painted cells. Returns how many.
uint32_t gv_psx_painted_bands(const struct gv_psx_painted *p,
                              struct gv_psx_band bands[GV_PSX_BANDS]);

#endif
