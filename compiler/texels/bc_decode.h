// Block-compressed texels to plain ones, for targets whose devices sample no BC or ETC2
// images.
#ifndef GV_BC_DECODE_H
#define GV_BC_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_BC_SIDE 4u // texels of a block's side
#define GV_BC_TEXELS_BYTES ((size_t)GV_BC_SIDE * GV_BC_SIDE * 4) // of a decoded block

// The R8G8B8A8 format that texels of a BC or ETC2 format decode to (sRGB stays sRGB),
// or 0 for formats that gv_bc_decode does not know. The other one of the UNORM and sRGB
// pair is written to `sibling` (may be NULL).
uint32_t gv_bc_plain_format(uint32_t format, uint32_t *sibling);

// Texels as blocks. Blocks that the sides cut are whole in `blocks`.
struct gv_bc_image {
    uint32_t format;        // one that gv_bc_plain_format knows
    uint32_t width, height; // texels
    uint32_t pitch;         // bytes from one row of blocks to the next
    const uint8_t *blocks;  // borrowed
    bool weighted;          // BC1 to BC3: see gv_bc_between
};

// The value that lies `step` of `steps` (2, 3, 5 or 7) from `a` to `b`: to the nearest,
// or `weighted` by a weight of 8 bits, as llvmpipe's samplers have it, in whole
// numbers.
int gv_bc_between(int a, int b, int step, int steps, bool weighted);

// Decodes an image; rows of `rgba[height][width][4]` follow each other. Every block has
// a meaning; reserved BC7 blocks are transparent black.
void gv_bc_decode(const struct gv_bc_image *image, uint8_t *rgba);

// One BC7 block of 16 bytes (compiler/texels/bc7_decode.c).
void gv_bc7_decode_block(const uint8_t *block, uint8_t rgba[GV_BC_TEXELS_BYTES]);

// One ETC2 block of 8, 8 and 16 bytes (compiler/texels/etc_decode.c). Those of RGB are
// ETC1's as well.
void gv_etc_decode_rgb(const uint8_t *block, uint8_t rgba[GV_BC_TEXELS_BYTES]);
void gv_etc_decode_rgb_a1(const uint8_t *block, uint8_t rgba[GV_BC_TEXELS_BYTES]);
void gv_etc_decode_rgba(const uint8_t *block, uint8_t rgba[GV_BC_TEXELS_BYTES]);

#endif
