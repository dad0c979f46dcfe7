// What the dispatches of the PlayStation front-end say they touch (DISPATCH_RANGES).
#ifndef GV_PSX_RANGES_H
#define GV_PSX_RANGES_H

#include "compiler/psx/cover.h"
#include "compiler/psx/painted.h"
#include "vm/descs.h"

#define GV_PSX_MOST_RANGES 32 // of one dispatch; no list below comes near

struct gv_psx_ranges {
    struct gv_dispatch_range items[GV_PSX_MOST_RANGES];
    size_t count;
};

// Bytes of what is bound as storage there; none: nothing is added.
void gv_psx_ranges_bytes(struct gv_psx_ranges *r, uint32_t binding, uint32_t access,
                         uint64_t offset, uint64_t bytes);

// Nothing of what is bound there.
void gv_psx_ranges_unused(struct gv_psx_ranges *r, uint32_t binding);

// Cells of VRAM. Shaders read and write whole words: what is written beside the
// rectangle is what was there.
void gv_psx_ranges_cells(struct gv_psx_ranges *r, const struct gv_psx_rect *rect,
                         uint32_t access);
void gv_psx_ranges_area(struct gv_psx_ranges *r, const struct gv_psx_area *area,
                        uint32_t access);
void gv_psx_ranges_cover(struct gv_psx_ranges *r, const struct gv_psx_cover *cover,
                         uint32_t access);

// What is painted for sure, overwritten; that it is written is said elsewhere.
void gv_psx_ranges_bands(struct gv_psx_ranges *r, const struct gv_psx_band *bands,
                         uint32_t count);

// The rows of a rectangle that are not of parity `skip` - 1 (0: all), overwritten.
void gv_psx_ranges_rows(struct gv_psx_ranges *r, const struct gv_psx_rect *rect,
                        uint32_t skip);

// Palettes in the slots `first`, `first` + 1, ..., which go round.
struct gv_psx_slots {
    uint32_t first, count;
    const uint32_t *wide; // bit mask of all slots: 256 entries, else 16
};
// READ or OVERWRITE.
void gv_psx_ranges_slots(struct gv_psx_ranges *r, const struct gv_psx_slots *slots,
                         uint32_t access);

#endif
