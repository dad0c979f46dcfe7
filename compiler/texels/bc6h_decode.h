// Blocks of floats (BC6H) to half floats, for targets whose devices sample none.
#ifndef GV_BC6H_DECODE_H
#define GV_BC6H_DECODE_H

#include "compiler/texels/bc_decode.h"

// Whether gv_bc6h_decode knows a format; what it makes is R16G16B16A16_SFLOAT.
bool gv_bc6h_is_format(uint32_t format);

// Decodes an image: `rgba[height][width]` of four half floats each, alpha 1. Blocks of
// reserved modes are black.
void gv_bc6h_decode(const struct gv_bc_image *image, uint8_t *rgba);

#endif
