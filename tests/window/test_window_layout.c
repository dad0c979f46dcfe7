// Where pictures and the bar are in a window.
#include "tools/window/window_layout.h"

#include "tests/test.h"

static const struct {
    const char *name;
    int window[2];
    uint32_t picture[2];
    struct gv_aspect aspect;
    struct gv_canvas_area area;
} areas[] = {
    { "exact", { 640, 480 }, { 640, 480 }, { 0, 0 }, { 0, 0, 640, 480 } },
    { "just under twice",
      { 1279, 959 },
      { 640, 480 },
      { 0, 0 },
      { 319, 239, 640, 480 } },
    { "twice", { 1280, 960 }, { 640, 480 }, { 0, 0 }, { 0, 0, 1280, 960 } },
    { "the narrow side counts",
      { 640, 4000 },
      { 64, 64 },
      { 0, 0 },
      { 0, 1680, 640, 640 } },
    { "4:3 of 320", { 640, 480 }, { 320, 240 }, { 4, 3 }, { 0, 0, 640, 480 } },
    { "4:3 of 256", { 640, 480 }, { 256, 240 }, { 4, 3 }, { 0, 0, 640, 480 } },
    { "4:3 of 512", { 640, 480 }, { 512, 240 }, { 4, 3 }, { 0, 0, 640, 480 } },
    { "4:3 woven", { 700, 500 }, { 640, 480 }, { 4, 3 }, { 30, 10, 640, 480 } },
    { "4:3 of 224 rows", { 640, 480 }, { 320, 224 }, { 4, 3 }, { 21, 16, 597, 448 } },
    { "too small", { 320, 480 }, { 640, 480 }, { 0, 0 }, { 0, 120, 320, 240 } },
    { "too low", { 640, 100 }, { 640, 480 }, { 0, 0 }, { 253, 0, 133, 100 } },
    { "a pixel", { 1, 1 }, { 640, 480 }, { 4, 3 }, { 0, 0, 1, 1 } },
    { "very wide", { 10, 10 }, { 16384, 1 }, { 0, 0 }, { 0, 4, 10, 1 } },
    { "very high", { 10, 10 }, { 1, 16384 }, { 0, 0 }, { 4, 0, 1, 10 } },
};

static void test_areas(void)
{
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
        struct gv_canvas_area area = gv_layout_picture(
            areas[i].window[0], areas[i].window[1], areas[i].picture[0],
            areas[i].picture[1], areas[i].aspect);
        CHECK_ROW(areas[i].name, memcmp(&area, &areas[i].area, sizeof area) == 0);
        if (memcmp(&area, &areas[i].area, sizeof area) != 0)
            fprintf(stderr, "%d,%d %dx%d\n", area.x, area.y, area.width, area.height);
    }
}

static void test_first_sizes(void)
{
    static const struct {
        const char *name;
        uint32_t picture[2];
        struct gv_aspect aspect;
        int window[2];
    } rows[] = {
        { "large enough", { 640, 480 }, { 0, 0 }, { 640, 480 } },
        { "small", { 64, 64 }, { 0, 0 }, { 512, 512 } },
        { "PSX", { 320, 240 }, { 4, 3 }, { 640, 480 } },
        { "PSX woven", { 640, 480 }, { 4, 3 }, { 640, 480 } },
        { "high", { 1, 1000 }, { 0, 0 }, { 1, 1000 } },
        { "huge", { 16384, 16384 }, { 0, 0 }, { 8192, 8192 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int width, height;
        gv_layout_first_size(rows[i].picture[0], rows[i].picture[1], rows[i].aspect,
                             &width, &height);
        CHECK_ROW(rows[i].name,
                  width == rows[i].window[0] && height == rows[i].window[1]);
    }
}

static void test_aspects(void)
{
    static const struct {
        const char *text;
        bool ok;
        struct gv_aspect aspect;
    } rows[] = {
        { "native", true, { 0, 0 } },  { "4:3", true, { 4, 3 } },
        { "16:9", true, { 16, 9 } },   { "1000:1", true, { 1000, 1 } },
        { "1001:1", false, { 0, 0 } }, { "0:1", false, { 0, 0 } },
        { "4:0", false, { 0, 0 } },    { "4", false, { 0, 0 } },
        { "4:3:2", false, { 0, 0 } },  { "4:3 ", false, { 0, 0 } },
        { "-4:3", false, { 0, 0 } },   { "", false, { 0, 0 } },
        { "4:", false, { 0, 0 } },     { "99999999999:3", false, { 0, 0 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_aspect aspect;
        struct gv_error err = GV_ERROR_INIT;
        CHECK_ROW(rows[i].text,
                  gv_aspect_parse(rows[i].text, &aspect, &err) == rows[i].ok);
        CHECK_ROW(rows[i].text, err.status == (rows[i].ok ? GV_OK : GV_ERR_USAGE));
        CHECK_ROW(rows[i].text,
                  !rows[i].ok || (aspect.width == rows[i].aspect.width &&
                                  aspect.height == rows[i].aspect.height));
    }
}

static void test_bar(void)
{
    static const uint64_t counts[] = { 1, 2, 10, 299, 640, 5000, UINT64_MAX / 2 };
    struct gv_canvas_area bar = gv_layout_bar(640, 480);
    CHECK(bar.x == 0 && bar.width == 640 && bar.y + bar.height == 480 && bar.y > 400);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const uint64_t count = counts[i];
        CHECK(gv_layout_bar_frame(640, -5, count) == 0);
        CHECK(gv_layout_bar_frame(640, 0, count) == 0);
        CHECK(gv_layout_bar_frame(640, 640, count) == count - 1);
        uint64_t before = 0;
        for (int x = 0; x < 640; x++) {
            const uint64_t frame = gv_layout_bar_frame(640, x, count);
            CHECK(frame >= before && frame < count);
            before = frame;
        }
        CHECK(gv_layout_bar_column(640, 0, count) == 0);
        CHECK(gv_layout_bar_column(640, count - 1, count) < 640 || count > 1000000);
    }
    CHECK(gv_layout_bar_frame(640, 320, 10) == 5);
    CHECK(gv_layout_bar_column(640, 5, 10) == 320);
}

int main(void)
{
    test_areas();
    test_first_sizes();
    test_aspects();
    test_bar();
    return TEST_RESULT();
}
