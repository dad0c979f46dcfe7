// Pixels of a window: pictures, letters, edges.
#include "tools/window/window_canvas.h"

#include "tests/test.h"

#define RED 0xffff0000u
#define BLUE 0xff0000ffu
#define INK 0xffffffffu

static uint32_t at(const struct gv_canvas *c, int x, int y)
{
    return c->pixels[y * c->width + x];
}

static void test_sizes(void)
{
    static const struct {
        const char *name;
        int width, height;
        bool ok;
    } sizes[] = {
        { "one", 1, 1, true },
        { "wide", GV_CANVAS_MAX, 1, true },
        { "none", 0, 5, false },
        { "negative", 5, -1, false },
        { "over", GV_CANVAS_MAX + 1, 1, false },
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct gv_canvas c = { 0 };
        CHECK_ROW(sizes[i].name,
                  gv_canvas_resize(&c, sizes[i].width, sizes[i].height) == sizes[i].ok);
        CHECK_ROW(sizes[i].name, !sizes[i].ok || c.width == sizes[i].width);
        gv_canvas_finish(&c);
    }
}

// Two texels side by side, whatever their alpha, over 6 x 2 pixels with a column spare.
static void test_picture(void)
{
    static const uint8_t rgba[] = { 255, 0, 0, 0, 0, 0, 255, 128 };
    struct gv_canvas c = { 0 };
    CHECK(gv_canvas_resize(&c, 8, 3));
    gv_canvas_picture(&c, (struct gv_canvas_area){ 1, 1, 6, 2 }, rgba, 2, 1);
    CHECK(at(&c, 0, 1) == 0 && at(&c, 1, 0) == 0 && at(&c, 7, 2) == 0);
    for (int x = 1; x < 7; x++)
        CHECK(at(&c, x, 1) == (x < 4 ? RED : BLUE) && at(&c, x, 2) == at(&c, x, 1));
    gv_canvas_finish(&c);
}

// What reaches over the edges is cut there: under sanitizers this would be seen.
static void test_edges(void)
{
    static const uint8_t rgba[] = { 255, 0, 0, 255, 0, 0, 255, 255 };
    struct gv_canvas c = { 0 };
    CHECK(gv_canvas_resize(&c, 4, 4));
    gv_canvas_picture(&c, (struct gv_canvas_area){ -4, -4, 8, 12 }, rgba, 2, 1);
    CHECK(at(&c, 0, 0) == BLUE && at(&c, 3, 3) == BLUE);
    gv_canvas_fill(&c, (struct gv_canvas_area){ 2, 2, 100, 100 }, 0x123456);
    CHECK(at(&c, 3, 3) == 0xff123456 && at(&c, 1, 3) == BLUE);
    gv_canvas_fill(&c, (struct gv_canvas_area){ 9, 9, 3, 3 }, 0xffffff);
    gv_canvas_dim(&c, (struct gv_canvas_area){ -1, -1, 2, 2 });
    CHECK(at(&c, 0, 0) == 0xff00003f && at(&c, 1, 1) == BLUE);
    gv_canvas_text(&c, -3, -3, 3, "WWW");
    gv_canvas_text(&c, 2, 2, 1, "\n\xff~");
    gv_canvas_finish(&c);
}

static int count_ink(const char *text, int scale)
{
    struct gv_canvas c = { 0 };
    int ink = 0;
    CHECK(gv_canvas_resize(&c, 64, 32));
    gv_canvas_text(&c, 0, 0, scale, text);
    for (int i = 0; i < c.width * c.height; i++)
        ink += c.pixels[i] == INK;
    gv_canvas_finish(&c);
    return ink;
}

static bool same_letters(char a, char b)
{
    struct gv_canvas one = { 0 }, other = { 0 };
    CHECK(gv_canvas_resize(&one, 8, 9) && gv_canvas_resize(&other, 8, 9));
    gv_canvas_text(&one, 0, 0, 1, (const char[]){ a, '\0' });
    gv_canvas_text(&other, 0, 0, 1, (const char[]){ b, '\0' });
    bool same = memcmp(one.pixels, other.pixels, 8 * 9 * sizeof *one.pixels) == 0;
    gv_canvas_finish(&one);
    gv_canvas_finish(&other);
    return same;
}

// Each letter stands at its own place of the table, and no two look alike.
static void test_letters(void)
{
    for (int a = ' '; a <= '~'; a++)
        for (int b = ' '; b < a; b++)
            if (same_letters((char)a, (char)b)) {
                fprintf(stderr, "'%c' and '%c' look alike\n", a, b);
                gv_test_failures++;
            }
    CHECK(count_ink("", 1) == 0 && count_ink(" ", 2) == 0);
    CHECK(count_ink("-", 1) == 5 && count_ink("-", 3) == 45);
    CHECK(count_ink("|", 1) == 7 && count_ink("||", 1) == 14);
    CHECK(same_letters('?', '\t') && same_letters('?', '\x80'));
}

int main(void)
{
    test_sizes();
    test_picture();
    test_edges();
    test_letters();
    return TEST_RESULT();
}
