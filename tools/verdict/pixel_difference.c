#include "tools/verdict/pixel_difference.h"

#include <stdlib.h>
#include <string.h>

int gv_pixel_channels(bool alpha)
{
    return alpha ? 4 : 3;
}

unsigned gv_pixel_off(const uint8_t *a, const uint8_t *b, int channels)
{
    int most = 0;
    for (int c = 0; c < channels; c++) {
        const int off = abs(a[c] - b[c]);
        most = off > most ? off : most;
    }
    return (unsigned)most;
}

bool gv_pixel_masked(const struct gv_pixels *mask, size_t at)
{
    return mask && gv_pixel_color(mask->rgba + at) == 0;
}

uint32_t gv_pixel_color(const uint8_t *rgba)
{
    return (uint32_t)rgba[0] << 16 | (uint32_t)rgba[1] << 8 | rgba[2];
}

static int compare_colors(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

bool gv_pixel_commonest(const struct gv_pixels *pixels, const struct gv_pixels *mask,
                        uint32_t *color)
{
    const size_t most = (size_t)pixels->width * pixels->height;
    uint32_t *colors = malloc(most * sizeof *colors);
    size_t count = 0, best = 0, run = 0;
    if (!colors)
        return false;
    for (size_t i = 0; i < most; i++)
        if (!gv_pixel_masked(mask, 4 * i))
            colors[count++] = gv_pixel_color(pixels->rgba + 4 * i);
    qsort(colors, count, sizeof *colors, compare_colors);
    *color = 0;
    for (size_t i = 0; i < count; i++) {
        run = i && colors[i] == colors[i - 1] ? run + 1 : 1;
        if (run > best) {
            best = run;
            *color = colors[i];
        }
    }
    free(colors);
    return true;
}
