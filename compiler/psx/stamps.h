// When parts of VRAM were written: what tells that a picture still holds.
#ifndef GV_PSX_STAMPS_H
#define GV_PSX_STAMPS_H

#include "compiler/psx/hazards.h"

// Writes are numbered from 1; a block keeps the number of its last one.
struct gv_psx_stamps {
    uint64_t last;
    uint64_t blocks[1024 / PSX_BLOCK][1024 / PSX_BLOCK]; // [row][column]
};

void gv_psx_stamp(struct gv_psx_stamps *s, const struct gv_psx_area *area);

// Whether some block of the area was written after write number `when`.
bool gv_psx_stamped_since(const struct gv_psx_stamps *s, const struct gv_psx_area *area,
                          uint64_t when);

#endif
