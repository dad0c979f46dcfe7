// Texels of any plain format as numbers, and pictures that show a range of these.
#ifndef GV_TEXEL_NUMBERS_H
#define GV_TEXEL_NUMBERS_H

#include "resources/base/error.h"
#include "vm/texel.h"

// The texels of one plane (a GV_ASPECT_* bit) of a format, as uploads hold them.
// GV_ERR_UNSUPPORTED: of blocks there are no texels.
bool gv_texel_plane(struct gv_texel *out, uint32_t format, uint32_t aspect,
                    struct gv_error *err);

// One texel: texel->components numbers, in their order (texel->place).
void gv_texel_numbers(const struct gv_texel *texel, const uint8_t *from,
                      double numbers[4]);

// The least and the greatest number of so many texels; those that are no number, and
// infinite ones, do not count. False: there is none.
struct gv_texel_range {
    double low, high;
};
bool gv_texel_range_of(const struct gv_texel *texel, const uint8_t *from,
                       uint64_t count, struct gv_texel_range *range);

// Whether a picture shows the numbers as they are, 0 as black and 1 as white.
bool gv_texel_is_colour(const struct gv_texel *texel);

// `low` is black, `high` white; what is absent is as in vm/texel.h.
void gv_texel_show(const struct gv_texel *texel, const uint8_t *from, uint64_t count,
                   const struct gv_texel_range *range, uint8_t *rgba);

#endif
