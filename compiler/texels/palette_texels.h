// Texels as indices into a palette that stands in front of them
// (OES_compressed_paletted_texture).
#ifndef GV_PALETTE_TEXELS_H
#define GV_PALETTE_TEXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Kinds, in the order of the extension's numbers: palettes of 16 colours (4 bits a
// texel), then of 256, each of RGB8, RGBA8, R5G6B5, RGBA4, RGB5A1.
#define GV_PALETTE_KINDS 10u

struct gv_palette_texels {
    uint8_t colors[256][4]; // RGBA
    uint32_t bits;          // of an index
    const uint8_t *indices; // what is left of them
    uint64_t size;          // bytes
};

bool gv_palette_has_alpha(uint32_t kind);

// Reads the palette. False: no such kind, or it is cut.
bool gv_palette_open(uint32_t kind, const uint8_t *bytes, uint64_t size,
                     struct gv_palette_texels *out);

// Whether the next `count` texels are there.
bool gv_palette_fits(const struct gv_palette_texels *p, uint64_t count);

// The next `count` texels (one level), which must be there; the first one of each byte
// of two is in its high bits.
void gv_palette_decode(struct gv_palette_texels *p, uint64_t count, uint8_t *rgba);

#endif
