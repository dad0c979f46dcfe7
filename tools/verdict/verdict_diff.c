// Pictures of what differs.
#include "tools/verdict/pixel_difference.h"
#include "tools/verdict/verdict.h"

#define AMPLIFIED 16 // times; what differs by one level is to be seen, too
#define LEAST 64     // level of a channel that is off

// Equal: the picture itself, pale grey, so that one sees where one is.
static void put_equal(uint8_t *to, const uint8_t *from)
{
    const unsigned grey = (299u * from[0] + 587u * from[1] + 114u * from[2]) / 1000;
    to[0] = to[1] = to[2] = (uint8_t)(128 + grey / 4);
}

static void put_off(uint8_t *to, const uint8_t *a, const uint8_t *b)
{
    for (int c = 0; c < 3; c++) {
        const unsigned off = gv_pixel_off(a + c, b + c, 1) * AMPLIFIED;
        to[c] = (uint8_t)(off == 0 ? 0 : off < LEAST ? LEAST : off > 255 ? 255 : off);
    }
    const unsigned alpha = gv_pixel_off(a + 3, b + 3, 1);
    if (to[0] + to[1] + to[2] == 0 && alpha) // nothing but alpha
        to[0] = to[2] = 255;
}

static void put_pixel(uint8_t *to, const uint8_t *a, const uint8_t *b, bool masked,
                      int channels)
{
    if (masked || gv_pixel_off(a, b, channels) == 0)
        put_equal(to, a);
    else
        put_off(to, a, b);
}

bool gv_verdict_diff(struct gv_pixels *diff, const struct gv_pixels *expected,
                     const struct gv_pixels *actual,
                     const struct gv_verdict_params *params, struct gv_error *err)
{
    const struct gv_pixels *a = expected, *b = actual;
    const uint32_t width = a->width > b->width ? a->width : b->width;
    const uint32_t height = a->height > b->height ? a->height : b->height;
    const int channels = gv_pixel_channels(params->alpha);
    if (!gv_pixels_make(diff, width, height, GV_NO_OFFSET, err))
        return false;
    uint8_t *to = diff->rgba;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++, to += 4) {
            static const uint8_t red[4] = { 255, 0, 0, 255 };
            for (int c = 0; c < 4; c++)
                to[c] = red[c];
            if (x >= a->width || x >= b->width || y >= a->height || y >= b->height)
                continue;
            const size_t at = ((size_t)y * a->width + x) * 4;
            put_pixel(to, a->rgba + at, b->rgba + ((size_t)y * b->width + x) * 4,
                      gv_pixel_masked(params->mask, at), channels);
        }
    return true;
}
