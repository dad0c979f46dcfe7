// Texels of fewer components, or of components that not every device reads from
// buffers, as ones of four.
#ifndef GV_WIDENED_TEXELS_H
#define GV_WIDENED_TEXELS_H

#include <stdbool.h>
#include <stdint.h>

struct gv_widened_texel {
    uint8_t width, count; // bytes of a component (1, 2, 4), how many there are
    uint8_t source[4];    // of RGBA: 0 to count - 1, GV_STORED_ZERO, GV_STORED_ONE
    uint32_t one;         // the bits of 1
    bool normalized;      // of two bytes: 0 to 1, which become floats
};

// Bytes of a texel, before and after.
uint32_t gv_narrow_bytes(const struct gv_widened_texel *w);
uint32_t gv_widened_bytes(const struct gv_widened_texel *w);

void gv_widen_texels(const struct gv_widened_texel *w, const uint8_t *from,
                     uint64_t count, uint8_t *to);

#endif
