// What the compiler knows of VRAM's cells: what was uploaded and not written since. It
// tells which textures have no transparent texel.
#ifndef GV_PSX_KNOWN_H
#define GV_PSX_KNOWN_H

#include "compiler/psx/stamps.h"

#define GV_PSX_KNOWN_WORDS (1024 / 64) // of the bits of a row

// What was asked of a texture: programs draw with the same ones again and again.
struct gv_psx_known_answer {
    struct gv_psx_rect rect;
    uint64_t visible[256 / 64]; // of the palette; of 15-bit texels none
    uint64_t when;              // number of the last write before; 0: no answer
    uint32_t depth;
    bool opaque;
};

#define GV_PSX_KNOWN_ANSWERS 256

// Zeroed: nothing is known.
struct gv_psx_known {
    uint64_t is_known[1024][GV_PSX_KNOWN_WORDS]; // a bit for each cell
    uint16_t cells[1024][1024];
    struct gv_psx_blocks blocks; // of which anything was ever known
    uint64_t visible[256 / 64]; // entries of the palette in force that are known, not 0
    struct gv_psx_stamps stamps; // of what changed
    struct gv_psx_known_answer answers[GV_PSX_KNOWN_ANSWERS];
    int64_t looked,
        drawn; // cells of textures that were looked at, and those drawn with
};

void gv_psx_known_forget(struct gv_psx_known *k, const struct gv_psx_rect *rect);
// Rows of the rectangle, one after another: two bytes for each cell, little-endian.
void gv_psx_known_upload(struct gv_psx_known *k, const struct gv_psx_rect *rect,
                         const uint8_t *data);

// The palette in force is now one of so many cells of a row, which wrap.
void gv_psx_known_palette(struct gv_psx_known *k, uint32_t x, uint32_t y,
                          uint32_t entries);

// Whether no texel of the area (gv_psx_sampled_area) is transparent, with texels of the
// depth and the palette in force. `drawn`: what would be drawn with it; who draws
// little with much is not answered for long.
bool gv_psx_known_opaque(struct gv_psx_known *k, const struct gv_psx_area *area,
                         uint32_t depth, const struct gv_psx_rect *drawn);

#endif
