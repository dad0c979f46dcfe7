// What is asked of single pixels when pictures are compared.
#ifndef GV_PIXEL_DIFFERENCE_H
#define GV_PIXEL_DIFFERENCE_H

#include "tools/verdict/pixels.h"

// How many of R, G, B, A are looked at.
int gv_pixel_channels(bool alpha);

// The largest difference of a channel.
unsigned gv_pixel_off(const uint8_t *a, const uint8_t *b, int channels);

// Whether the pixel at byte `at` is black in the mask, which may be NULL.
bool gv_pixel_masked(const struct gv_pixels *mask, size_t at);

uint32_t gv_pixel_color(const uint8_t *rgba); // without alpha

// The colour that most pixels have, of those that are not masked; of several the
// smallest. False when memory runs out.
bool gv_pixel_commonest(const struct gv_pixels *pixels, const struct gv_pixels *mask,
                        uint32_t *color);

#endif
