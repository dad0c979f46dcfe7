// FLIP differences against figures that were worked out from the paper's formulas with
// two-dimensional filters in double precision (plain Python, once).
#include "tools/verdict/flip.h"

#include <math.h>

#include "tests/test.h"

#define WIDTH 40
#define HEIGHT 37

static uint32_t state = 1;

static uint8_t next_random(void)
{
    state = state * 1664525u + 1013904223u;
    return (uint8_t)(state >> 8);
}

static void make(struct gv_pixels *p, uint32_t width, uint32_t height)
{
    if (!gv_pixels_make(p, width, height, GV_NO_OFFSET, NULL))
        exit(EXIT_FAILURE);
}

static void put(struct gv_pixels *p, uint32_t x, uint32_t y, const uint8_t rgb[3])
{
    uint8_t *to = p->rgba + ((size_t)y * p->width + x) * 4;
    memcpy(to, rgb, 3);
    to[3] = 255;
}

static void check(const char *name, const struct gv_pixels *a,
                  const struct gv_pixels *b, double mean, double p99)
{
    double had_mean = -1, had_p99 = -1;
    CHECK_ROW(name, gv_flip(a, b, NULL, &had_mean, &had_p99));
    CHECK_ROW(name, fabs(had_mean - mean) < 2e-5);
    CHECK_ROW(name, fabs(had_p99 - p99) < 4e-5);
}

// Of pictures of one colour each there is the colour's difference alone.
static const struct {
    const char *name;
    uint8_t a[3], b[3];
    double difference;
} colors[] = {
    { "equal", { 9, 99, 199 }, { 9, 99, 199 }, 0 },
    { "black and white", { 0, 0, 0 }, { 255, 255, 255 }, 0.967380 },
    { "green and blue", { 0, 255, 0 }, { 0, 0, 255 }, 1 },
    { "red and green", { 255, 0, 0 }, { 0, 255, 0 }, 0.986662 },
    { "a level of grey", { 100, 100, 100 }, { 101, 101, 101 }, 0.030784 },
    { "black and blue", { 0, 0, 0 }, { 0, 0, 255 }, 0.958329 },
    { "grey and red", { 128, 128, 128 }, { 255, 0, 0 }, 0.950465 },
};

static void check_colors(void)
{
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
        struct gv_pixels a = { 0 }, b = { 0 };
        make(&a, 2, 70);
        make(&b, 2, 70);
        for (uint32_t at = 0; at < 140; at++) {
            put(&a, at % 2, at / 2, colors[i].a);
            put(&b, at % 2, at / 2, colors[i].b);
        }
        check(colors[i].name, &a, &b, colors[i].difference, colors[i].difference);
        gv_pixels_finish(&a);
        gv_pixels_finish(&b);
    }
}

static void fill_noise(struct gv_pixels *p)
{
    for (uint32_t at = 0; at < WIDTH * HEIGHT; at++) {
        uint8_t rgb[3];
        for (int c = 0; c < 3; c++)
            rgb[c] = next_random();
        put(p, at % WIDTH, at / WIDTH, rgb);
    }
}

int main(void)
{
    struct gv_pixels a = { 0 }, b = { 0 };
    check_colors();
    make(&a, WIDTH, HEIGHT);
    make(&b, WIDTH, HEIGHT);
    fill_noise(&a);
    fill_noise(&b);
    check("noise", &a, &b, 0.441979, 0.831959);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const uint8_t rgb[3] = { (uint8_t)(6 * x), (uint8_t)(6 * y), 128 };
            put(&a, x, y, rgb);
            put(&b, x, y,
                y >= 10 && y < 15 && x >= 20 && x < 26 ? (uint8_t[]){ 255, 255, 255 }
                                                       : rgb);
        }
    check("a square", &a, &b, 0.056386, 0.980798);
    check("the other way", &b, &a, 0.056386, 0.980798);
    gv_pixels_finish(&a);
    gv_pixels_finish(&b);
    return TEST_RESULT();
}
