// How far a picture is from its reference, as RGB, by the tolerance `gl`:
//   picture_distance REFERENCE.png PICTURE.png [BOTH.png]
// prints "WIDTHxHEIGHT LARGEST ALL OTHERS" and whether it holds: the largest difference
// of a channel, and the shares (per cent) of pixels off by more than 2, of all pixels
// and of those that are not the reference's commonest colour. BOTH: the reference, the
// picture and where they differ, side by side.
// Exit code 0: it holds; 1: it does not; 2: no pictures.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"
#include "tools/picture/picture_file.h"
#include "tools/verdict/pixel_difference.h"
#include "tools/verdict/verdict.h"

static bool read_picture(const char *path, struct gv_pixels *out)
{
    struct gv_error err = GV_ERROR_INIT;
    if (gv_pixels_load(out, path, &err))
        return true;
    fprintf(stderr, "%s: %s\n", path, err.message);
    return false;
}

static void write_picture(const char *path, const struct gv_pixels *pixels)
{
    struct gv_picture_encoder encoder = { 0 };
    const uint8_t *data;
    size_t size;
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_picture_encode(&encoder, GV_PICTURE_PNG, pixels->rgba, pixels->width,
                           pixels->height, &data, &size, &err) ||
        !gv_file_write(path, data, size, &err))
        fprintf(stderr, "%s: %s\n", path, err.message);
    gv_picture_encoder_finish(&encoder);
}

static void write_both(const char *path, const struct gv_pixels *a,
                       const struct gv_pixels *b, unsigned levels)
{
    const size_t row = (size_t)4 * a->width;
    struct gv_pixels both = { 0 };
    if (!gv_pixels_make(&both, 3 * (uint64_t)a->width, a->height, GV_NO_OFFSET, NULL))
        return;
    for (size_t y = 0; y < a->height; y++) {
        uint8_t *to = both.rgba + y * 3 * row;
        memcpy(to, a->rgba + y * row, row);
        memcpy(to + row, b->rgba + y * row, row);
        for (size_t x = 0; x < row; x += 4) {
            const unsigned d =
                gv_pixel_off(a->rgba + y * row + x, b->rgba + y * row + x, 3);
            memset(to + 2 * row + x, d == 0 ? 0 : d > levels ? 255 : 96, 3);
        }
    }
    for (size_t i = 3; i < 3 * row * a->height; i += 4)
        both.rgba[i] = 255;
    write_picture(path, &both);
    gv_pixels_finish(&both);
}

// What is told of two pictures, and the exit code.
static int tell(const struct gv_pixels *a, const struct gv_pixels *b, const char *both)
{
    struct gv_verdict_params params = { 0 };
    struct gv_verdict v;
    if (!gv_tolerance_parse("gl", &params.tolerance, NULL) ||
        !gv_verdict_make(&v, a, b, &params, NULL))
        return 2;
    if (!gv_verdict_same_size(&v)) {
        printf("%s: misses\n", v.why);
        return 1;
    }
    printf("%ux%u %u %.3f %.3f: %s\n", a->width, a->height, v.largest,
           gv_verdict_share(&v, v.beyond),
           v.drawn ? 100.0 * (double)v.drawn_beyond / (double)v.drawn : 0,
           !v.largest ? "exact"
           : v.pass   ? "holds"
                      : "misses");
    if (both)
        write_both(both, a, b, params.tolerance.levels);
    return v.pass ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct gv_pixels a = { 0 }, b = { 0 };
    int code = 2;
    if (argc > 2 && read_picture(argv[1], &a) && read_picture(argv[2], &b))
        code = tell(&a, &b, argc > 3 ? argv[3] : NULL);
    gv_pixels_finish(&a);
    gv_pixels_finish(&b);
    return code;
}
