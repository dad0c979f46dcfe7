// ASTC blocks of two dimensions and the LDR profile to plain texels, for targets whose
// devices sample none (Khronos Data Format Specification 1.3, chapter 23 "ASTC
// Compressed Texture Image Formats").
#ifndef GV_ASTC_DECODE_H
#define GV_ASTC_DECODE_H

#include "compiler/texels/bc_decode.h"

// The R8G8B8A8 format that texels of an ASTC format decode to (sRGB stays sRGB), or 0
// for others, those of floats among them.
uint32_t gv_astc_plain_format(uint32_t format);

// Decodes an image of a format that gv_astc_plain_format knows; rows of
// `rgba[height][width][4]` follow each other. Blocks without a meaning are
// magenta, and so are partitions of the HDR profile.
void gv_astc_decode(const struct gv_bc_image *image, uint8_t *rgba);

#endif
