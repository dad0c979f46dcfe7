// What is said of two pictures: figures, decisions just inside and outside of
// tolerances, masks, pictures of what differs.
#include "tools/verdict/verdict.h"

#include <math.h>

#include "tests/test.h"

#define SIDE 20    // 400 pixels
#define COMMON 340 // of which so many have the commonest colour

// `count` pixels from `first` on are off by `by` in green.
struct change {
    const char *name;
    unsigned first, count, by;
};

static void make(struct gv_pixels *p, const struct change *change)
{
    if (!gv_pixels_make(p, SIDE, SIDE, GV_NO_OFFSET, NULL))
        exit(EXIT_FAILURE);
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        uint8_t *to = p->rgba + (size_t)4 * i;
        to[0] = (uint8_t)(i < COMMON ? 50 : i - COMMON + 100);
        to[1] = 20;
        to[2] = 200;
        to[3] = 255;
    }
    for (unsigned i = 0; change && i < change->count; i++)
        p->rgba[4 * (change->first + i) + 1] = (uint8_t)(20 + change->by);
}

static const struct {
    struct change change;
    const char *tolerance, *why; // "" where it passes
} cases[] = {
    { { "equal", 0, 0, 0 }, "exact", "" },
    { { "one level", 0, 1, 1 },
      "exact",
      "1 of 400 pixels are off by more than 0 levels" },
    { { "one level", 0, 1, 1 }, "1", "" },
    { { "two levels", 0, 1, 2 }, "1", "1 of 400 pixels are off by more than 1" },
    { { "share", 0, 4, 2 }, "1,1", "" },
    { { "share over", 0, 5, 2 }, "1,1", "5 of 400 pixels are off by more than 1" },
    { { "all by 2", 0, 400, 2 }, "gl", "" },
    { { "two of all", 0, 2, 3 }, "gl", "" },
    { { "three of all", 0, 3, 3 }, "gl", "3 of 400 pixels are off by more than 2" },
    { { "one of drawn", 399, 1, 90 }, "gl", "" },
    { { "two of drawn", 398, 2, 90 }, "gl", "2 of 60 drawn pixels are off" },
    { { "all", 0, 400, 200 }, "perceptual:1,1", "" },
    { { "all", 0, 400, 200 }, "perceptual:0.1,1", "the mean FLIP difference is 0." },
    { { "a few", 0, 10, 200 }, "perceptual:1,0.1", "the 99th percentile of FLIP" },
    { { "equal", 0, 0, 0 }, "perceptual:0,0", "" },
};

static void check_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_pixels a = { 0 }, b = { 0 };
        struct gv_verdict_params params = { 0 };
        struct gv_verdict v;
        make(&a, NULL);
        make(&b, &cases[i].change);
        CHECK(gv_tolerance_parse(cases[i].tolerance, &params.tolerance, NULL));
        CHECK(gv_verdict_make(&v, &a, &b, &params, NULL));
        CHECK_ROW(cases[i].change.name, v.pass == !cases[i].why[0]);
        CHECK_ROW(v.why, strncmp(v.why, cases[i].why, strlen(cases[i].why)) == 0);
        gv_pixels_finish(&a);
        gv_pixels_finish(&b);
    }
}

static void check_figures(void)
{
    struct gv_pixels a = { 0 }, b = { 0 };
    struct gv_verdict_params params = { 0 };
    struct gv_verdict v;
    make(&a, NULL);
    make(&b, NULL);
    b.rgba[4 * (3 * SIDE + 7)] += 1;      // red at 7,3
    b.rgba[4 * (5 * SIDE + 2) + 2] -= 9;  // blue at 2,5
    b.rgba[4 * (6 * SIDE + 4) + 1] += 2;  // green at 4,6
    b.rgba[4 * (9 * SIDE + 9) + 3] -= 40; // alpha at 9,9: nobody looks
    CHECK(gv_verdict_make(&v, &a, &b, &params, NULL) && !v.pass);
    CHECK(v.pixels == 400 && v.off[0] == 3 && v.off[1] == 2 && v.off[2] == 1 &&
          v.off[3] == 1);
    CHECK(v.largest == 9 && v.largest_x == 2 && v.largest_y == 5);
    CHECK(v.left == 2 && v.top == 3 && v.right == 7 && v.bottom == 6);
    CHECK(fabs(v.psnr - 10 * log10(255.0 * 255 * 1200 / (1 + 81 + 4))) < 1e-9);
    CHECK(!v.perceptual);
    params.alpha = true;
    CHECK(gv_verdict_make(&v, &a, &b, &params, NULL) && v.off[0] == 4);
    CHECK(v.largest == 40 && v.largest_x == 9 && v.bottom == 9);
    struct gv_pixels diff = { 0 };
    CHECK(gv_verdict_diff(&diff, &a, &b, &params, NULL));
    const uint8_t *equal = diff.rgba, *red = diff.rgba + (size_t)4 * (3 * SIDE + 7);
    CHECK(equal[0] == equal[1] && equal[1] == equal[2] && equal[0] >= 128);
    CHECK(red[0] == 64 && red[1] == 0 && red[2] == 0 && red[3] == 255);
    gv_pixels_finish(&diff);
    gv_pixels_finish(&a);
    gv_pixels_finish(&b);
}

static void check_mask(void)
{
    const struct change change = { "first", 0, 4, 90 };
    struct gv_pixels a = { 0 }, b = { 0 }, mask = { 0 };
    make(&a, NULL);
    make(&b, &change);
    make(&mask, NULL);
    memset(mask.rgba, 0, 4 * 4); // the first four are not compared
    struct gv_verdict_params params = { .mask = &mask, .perceptual = true };
    struct gv_verdict v;
    CHECK(gv_verdict_make(&v, &a, &b, &params, NULL) && v.pass && v.pixels == 396);
    CHECK(isinf(v.psnr) && v.flip_mean == 0 && v.flip_p99 == 0);
    b.rgba[4 * 4] ^= 255; // the fifth is
    CHECK(gv_verdict_make(&v, &a, &b, &params, NULL) && !v.pass && v.off[0] == 1);
    memset(mask.rgba, 0, (size_t)4 * SIDE * SIDE);
    CHECK(gv_verdict_make(&v, &a, &b, &params, NULL) && v.pass && v.pixels == 0);
    struct gv_error err = GV_ERROR_INIT;
    mask.height = SIDE - 1;
    CHECK(!gv_verdict_make(&v, &a, &b, &params, &err) && err.status == GV_ERR_USAGE);
    gv_pixels_finish(&a);
    gv_pixels_finish(&b);
    gv_pixels_finish(&mask);
}

static void check_sizes(void)
{
    struct gv_pixels a = { 0 }, b = { 0 }, diff = { 0 };
    struct gv_verdict_params params = { 0 };
    struct gv_verdict v;
    make(&a, NULL);
    make(&b, NULL);
    b.height--;
    CHECK(gv_verdict_make(&v, &a, &b, &params, NULL) && !v.pass && v.pixels == 0);
    CHECK(strcmp(v.why, "20x19, not 20x20") == 0);
    CHECK(gv_verdict_diff(&diff, &a, &b, &params, NULL));
    CHECK(diff.width == 20 && diff.height == 20);
    const uint8_t *last = diff.rgba + (size_t)4 * 399;
    CHECK(last[0] == 255 && last[1] == 0 && last[2] == 0);
    gv_pixels_finish(&diff);
    gv_pixels_finish(&a);
    gv_pixels_finish(&b);
}

int main(void)
{
    check_cases();
    check_figures();
    check_mask();
    check_sizes();
    return TEST_RESULT();
}
