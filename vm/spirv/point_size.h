// Whether a shader makes points of other sizes than one pixel, which not every device
// has.
#ifndef GV_POINT_SIZE_H
#define GV_POINT_SIZE_H

#include <stddef.h>
#include <stdint.h>

// What gv_point_traits() tells, as bits.
enum {
    GV_POINTS_SIZED = 1, // something else than the constant 1.0 is stored to PointSize
    GV_POINTS_MADE = 2,  // a geometry or domain shader whose primitives are points
    GV_POINTS_CAPTURED = 4, // transform feedback may write what it makes
};

// `words`: a SPIR-V module of `size` bytes, which may be damaged.
uint32_t gv_point_traits(const void *words, size_t size);

#endif
