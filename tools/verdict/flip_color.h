// Colors as FLIP sees them: opponent ones, which are filtered, and L*a*b* with the Hunt
// effect, in which they are compared.
#ifndef GV_FLIP_COLOR_H
#define GV_FLIP_COLOR_H

#include <stdint.h>

struct gv_flip_colors {
    float linear[256]; // of 8-bit sRGB
    float most;        // the difference of green and blue, which is the largest
};

void gv_flip_colors_init(struct gv_flip_colors *colors);

// An 8-bit sRGB color as Yy, Cx, Cz.
void gv_flip_opponent(const struct gv_flip_colors *colors, const uint8_t *rgb,
                      float opponent[3]);

// An opponent color as L*, a*, b*, of which the last two are weaker where it is dark.
void gv_flip_lab(const float opponent[3], float lab[3]);

// From 0 to 1.
float gv_flip_color_difference(const struct gv_flip_colors *colors, const float a[3],
                               const float b[3]);

#endif
