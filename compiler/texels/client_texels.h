// Texels as programs hand them over: components in any order and width, as RGBA of
// bytes or floats, depth, stencil, or colour indices. Rounding is that of Mesa's
// software paths.
#ifndef GV_CLIENT_TEXELS_H
#define GV_CLIENT_TEXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How the components of a texel are kept.
enum gv_client_element {
    GV_CLIENT_UNORM, // fields of an integer, or integers one after another
    GV_CLIENT_SNORM, // integers one after another
    GV_CLIENT_HALF,
    GV_CLIENT_FLOAT,
    GV_CLIENT_B10G11R11,
    GV_CLIENT_E5B9G9R9,
    GV_CLIENT_BIT,       // one bit a texel (indices alone)
    GV_CLIENT_F32_X24S8, // a float, then 8 bits of stencil in 32
};

// What a component is: 0 to 3 are those of RGBA.
enum { GV_CLIENT_LUMINANCE = 4, GV_CLIENT_STENCIL = 5, GV_CLIENT_NOTHING = 6 };

struct gv_client_texel {
    uint8_t element; // enum gv_client_element
    uint8_t unit;    // bytes of an element: what is swapped
    uint8_t bytes;   // of a texel; GV_CLIENT_BIT: 0
    uint8_t count;   // components
    uint8_t place[4];
    // Of integers: where component i lies, from the first byte's lowest bit.
    uint8_t shift[4], bits[4];
    bool swap;      // the bytes of each element are reversed
    bool lsb_first; // GV_CLIENT_BIT: the first texel is the lowest bit of a byte
};

// `count` texels from `from` on, whose bytes follow each other, as RGBA. What is absent
// is 0, alpha 1. Floats are not clamped; bytes are.
void gv_client_rgba(const struct gv_client_texel *c, const uint8_t *from, size_t count,
                    float *rgba);
void gv_client_rgba8(const struct gv_client_texel *c, const uint8_t *from, size_t count,
                     uint8_t *rgba);

// Components as integers, of elements that are such: red, green, blue, alpha, which is
// 1 where it is absent.
void gv_client_integers(const struct gv_client_texel *c, const uint8_t *from,
                        size_t count, int64_t *rgba);

// Depth (component 0; not clamped) and the lowest 8 bits of stencil; either may be
// NULL.
void gv_client_depth_stencil(const struct gv_client_texel *c, const uint8_t *from,
                             size_t count, double *depth, uint8_t *stencil);

// Colour or stencil indices: integers as they are, floats rounded down. GV_CLIENT_BIT:
// from bit `first` on.
void gv_client_indices(const struct gv_client_texel *c, const uint8_t *from,
                       size_t first, size_t count, int32_t *indices);

// ---- numbers ----

float gv_half_to_float(uint16_t half);
uint16_t gv_float_to_half(float f); // to nearest, even; too large: infinite

// An integer of `from` bits that stands for 0 to 1 as one of `to` bits (1 to 32).
uint32_t gv_unorm_to_unorm(uint32_t x, uint32_t from, uint32_t to);
// 0 to 1 as an integer of `bits` (1 to 24), to nearest; what is no number is 0.
uint32_t gv_float_to_unorm(float f, uint32_t bits);

#endif
