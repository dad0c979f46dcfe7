// One texel of any plain format as 8-bit RGBA, for pictures: of frames and of exports.
#ifndef GV_TEXEL_H
#define GV_TEXEL_H

#include "vm/formats.h"

// How numbers that are no colours are shown.
#define GV_TEXEL_GREY 1 // what has red alone is grey, rather than red
#define GV_TEXEL_SPAN \
    2 // integers by the span of their type, rather than clamped to 255

// Where the components of a format's texels lie, and how they are shown.
struct gv_texel {
    uint32_t format;     // enum gv_format
    uint32_t style;      // GV_TEXEL_* bits
    uint32_t bytes;      // of one texel
    uint32_t components; // that `bits`, `shift` and `place` have
    uint8_t bits[4];
    uint8_t shift[4]; // the lowest bit, from the first byte's lowest
    uint8_t place[4]; // in RGBA, or 4 for what a picture has no place for
    uint8_t kind;     // enum gv_format_kind
    bool grey;        // style and components ask for it
};

// Lays out the texels of `info` as its rows hold them: colour, depth (the lowest bits
// of what uploads and posts hold, in the place of red), or stencil (shown black). False
// of formats in blocks.
bool gv_texel_lay_out(struct gv_texel *texel, const struct gv_format_info *info,
                      uint32_t style);

// Converts `count` texels that follow each other. Normalised values are rescaled (sRGB
// stays encoded), floats clamped to 0..1, negative ones and those that are no number
// are 0; absent components are 0, absent alpha 255. The five bits of X1B5G5R5 are
// repeated, as consoles show them, where other formats' are scaled.
void gv_texel_convert(const struct gv_texel *texel, const uint8_t *from, uint64_t count,
                      uint8_t *rgba);

#endif
