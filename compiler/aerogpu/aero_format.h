// Texel formats of the AeroGPU ABI.
#ifndef GV_AERO_FORMAT_H
#define GV_AERO_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/aerogpu/linear_image.h"

#define GV_AERO_MAX_DIMENSION GV_LINEAR_MAX_SIDE
#define GV_AERO_MAX_MIPS 15u // of a 16384-texel side
#define GV_AERO_MAX_LAYERS 2048u
#define GV_AERO_MAX_RESOURCE_BYTES GV_LINEAR_MAX_LINEAR

// The row of a format number, or NULL.
const struct gv_linear_format *gv_aero_format_find(uint32_t number);

// The most mips a texture of that size can have.
uint32_t gv_aero_max_mips(uint32_t width, uint32_t height);

#endif
