// RGBA to texels as images hold them, in any plain format of colours.
#ifndef GV_STORED_TEXELS_H
#define GV_STORED_TEXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where the components of a format's texels lie and what goes there.
struct gv_stored_texel {
    uint8_t bytes, count;
    uint8_t kind;              // enum gv_format_kind
    uint8_t shift[4], bits[4]; // from the first byte's lowest bit
    uint8_t source[4];         // 0 to 3: of RGBA; GV_STORED_ZERO, GV_STORED_ONE
    uint8_t kept[4];           // bits that are kept of it, then spread; 0: all
    bool bytewise;             // bytes are enough to hold what is stored
    uint32_t format;
};
enum { GV_STORED_ZERO = 4, GV_STORED_ONE = 5 };

// Lays out texels of `format`, whose red is RGBA's component source[0] (GV_STORED_ZERO,
// _ONE), green source[1] and so on; `kept` (may be NULL) in the same order. False: no
// format that is known here.
bool gv_stored_layout(uint32_t format, const uint8_t source[4], const uint8_t *kept,
                      struct gv_stored_texel *out);

void gv_store_rgba8(const struct gv_stored_texel *s, const uint8_t *rgba, size_t count,
                    uint8_t *to); // UNORM formats, and `bytewise` ones
// Of formats of integers: what is out of a component's range becomes its nearest end.
void gv_store_integers(const struct gv_stored_texel *s, const int64_t *rgba,
                       size_t count, uint8_t *to);
void gv_store_rgba(const struct gv_stored_texel *s, const float *rgba, size_t count,
                   uint8_t *to);

#endif
