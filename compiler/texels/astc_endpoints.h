// The two colours that texels of an ASTC block lie between, and which partition of the
// block a texel is of (Khronos Data Format Specification 1.3, sections 23.14, 23.15,
// 23.22).
#ifndef GV_ASTC_ENDPOINTS_H
#define GV_ASTC_ENDPOINTS_H

#include <stdbool.h>
#include <stdint.h>

// Values that a mode (0 to 15) of endpoints takes: 2, 4, 6, 8.
static inline uint32_t gv_astc_endpoint_values(uint32_t mode)
{
    return ((mode >> 2) + 1) * 2;
}

// Both colours, as RGBA of 0 to 255, from values of 0 to 255. False: a mode of the HDR
// profile.
bool gv_astc_endpoints(uint32_t mode, const uint8_t *values, int32_t ends[2][4]);

// The partition, below `count` (1 to 4), of a texel by the seed of 10 bits; of blocks
// of less than 31 texels its coordinates come twice as large.
uint32_t gv_astc_partition(uint32_t seed, uint32_t x, uint32_t y, uint32_t count);

#endif
