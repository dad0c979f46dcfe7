// Blocks of one or two channels to numbers, for targets whose devices sample no BC4,
// BC5 (RGTC) or EAC images.
#ifndef GV_CHANNEL_DECODE_H
#define GV_CHANNEL_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/texels/bc_decode.h"

// The plain format that holds what blocks of `format` decode to: 8 bits a channel of
// BC4 and BC5, 16 of EAC; 0 for formats that gv_channels_decode does not know.
uint32_t gv_channels_plain_format(uint32_t format);

// Decodes an image of such a format: `rgba[height][width][4]` as numbers, green 0 where
// there is one channel, blue 0, alpha 1.
void gv_channels_decode(const struct gv_bc_image *image, float *rgba);

#endif
