// PNGs of our own encoder, read back through libpng.
#include "tools/picture/picture_file.h"

#include <png.h>
#include <stdlib.h>

#include "tests/test.h"

static uint32_t state = 1;

static uint32_t next_random(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

// What a pixel holds, by place.
enum pattern { FLAT, GRADIENT, NOISE, DOTS, TILES, ROWS, ALPHA };

static uint32_t pixel(enum pattern pattern, uint32_t x, uint32_t y)
{
    switch (pattern) {
    case FLAT:
        return 0xff203040;
    case GRADIENT:
        return 0xff000000 | (x & 255) | (y & 255) << 8;
    case NOISE:
        return next_random() << 8 ^ next_random();
    case DOTS: // matches of one pixel and literals by turns
        return next_random() % 3 ? 0xff000000 | next_random() % 7 : next_random();
    case TILES:
        return 0xff000000 | (x % 37) << 3 | (y % 11) << 12;
    case ROWS: // the row above, and now and then another
        return 0xff000000 | (y / 5) * 77777 | x * 3;
    case ALPHA:
        return (x + y) << 24;
    }
    return 0;
}

static const struct {
    const char *name;
    enum pattern pattern;
    uint32_t width, height;
} cases[] = {
    { "one_pixel", NOISE, 1, 1 },
    { "one_pixel_flat", FLAT, 1, 1 },
    { "column", FLAT, 1, 3000 },
    { "column_noise", NOISE, 1, 3000 },
    { "narrow", DOTS, 3, 999 },
    { "row", GRADIENT, 5000, 1 },
    { "flat", FLAT, 640, 480 }, // matches of the longest length across rows
    { "gradient", GRADIENT, 320, 240 },
    { "noise", NOISE, 511, 257 },
    { "dots", DOTS, 640, 480 }, // many blocks
    { "tiles", TILES, 333, 222 },
    { "rows", ROWS, 256, 256 },
    { "alpha", ALPHA, 300, 20 },
    { "far_row", ROWS, 8191, 12 },     // 32765 bytes above
    { "too_far_row", ROWS, 8192, 12 }, // 32769
    { "wide", DOTS, 16384, 5 },
};

static uint8_t *make_picture(enum pattern pattern, uint32_t width, uint32_t height)
{
    uint8_t *rgba = malloc((size_t)width * height * 4);
    for (size_t i = 0; rgba && i < (size_t)width * height; i++) {
        uint32_t v = pixel(pattern, (uint32_t)(i % width), (uint32_t)(i / width));
        for (uint32_t k = 0; k < 4; k++)
            rgba[4 * i + k] = (uint8_t)(v >> (8 * k));
    }
    return rgba;
}

// Whether libpng reads the same pixels from the file, without a complaint.
static bool same_picture(const uint8_t *file, size_t size, const uint8_t *rgba,
                         uint32_t width, uint32_t height)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_memory(&image, file, size))
        return false;
    image.format = PNG_FORMAT_RGBA;
    bool ok = image.width == width && image.height == height;
    uint8_t *back = ok ? malloc(PNG_IMAGE_SIZE(image)) : NULL;
    ok = back && png_image_finish_read(&image, NULL, back, 0, NULL) &&
         image.warning_or_error == 0 &&
         memcmp(back, rgba, (size_t)width * height * 4) == 0;
    png_image_free(&image);
    free(back);
    return ok;
}

static void check_case(struct gv_picture_encoder *e, size_t i, size_t *sizes)
{
    struct gv_picture_encoder fresh = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const uint8_t *data = NULL, *again = NULL;
    size_t size = 0, again_size = 0,
           bytes = (size_t)cases[i].width * cases[i].height * 4;
    uint8_t *rgba = make_picture(cases[i].pattern, cases[i].width, cases[i].height);
    CHECK_ROW(cases[i].name, rgba != NULL);
    CHECK_ROW(cases[i].name, gv_picture_encode(e, GV_PICTURE_PNG, rgba, cases[i].width,
                                               cases[i].height, &data, &size, &err));
    CHECK_ROW(cases[i].name,
              same_picture(data, size, rgba, cases[i].width, cases[i].height));
    // Noise stays as large as it is.
    CHECK_ROW(cases[i].name, size < bytes + bytes / 100 + cases[i].height + 1200);
    // What an encoder did before does not show.
    CHECK_ROW(cases[i].name,
              gv_picture_encode(&fresh, GV_PICTURE_PNG, rgba, cases[i].width,
                                cases[i].height, &again, &again_size, &err));
    CHECK_ROW(cases[i].name, size == again_size && memcmp(data, again, size) == 0);
    sizes[i] = size;
    gv_picture_encoder_finish(&fresh);
    free(rgba);
}

static void check_random(struct gv_picture_encoder *e)
{
    for (uint32_t i = 0; i < 300; i++) {
        struct gv_error err = GV_ERROR_INIT;
        const uint8_t *data = NULL;
        size_t size = 0;
        uint32_t width = 1 + next_random() % 90, height = 1 + next_random() % 40;
        enum pattern pattern = (enum pattern)(next_random() % (ALPHA + 1));
        uint8_t *rgba = make_picture(pattern, width, height);
        CHECK(rgba && gv_picture_encode(e, GV_PICTURE_PNG, rgba, width, height, &data,
                                        &size, &err));
        CHECK(same_picture(data, size, rgba, width, height));
        free(rgba);
    }
}

int main(void)
{
    struct gv_picture_encoder encoder = { 0 };
    size_t sizes[sizeof cases / sizeof *cases] = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(&encoder, i, sizes);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, "flat") == 0)
            CHECK(sizes[i] < 640 * 480 * 4 / 200);
    check_random(&encoder);
    gv_picture_encoder_finish(&encoder);
    return TEST_RESULT();
}
