// Texels of few components as ones of four.
#include <string.h>

#include "compiler/texels/stored_texels.h"
#include "compiler/texels/widened_texels.h"
#include "tests/test.h"

enum { ZERO = GV_STORED_ZERO, ONE = GV_STORED_ONE };

static const struct {
    const char *name;
    struct gv_widened_texel texel;
    uint8_t from[12], to[32]; // two texels
} rows[] = {
    { "alpha",
      { .width = 1, .count = 1, .source = { ZERO, ZERO, ZERO, 0 }, .one = 255 },
      { 7, 9 },
      { 0, 0, 0, 7, 0, 0, 0, 9 } },
    { "luminance",
      { .width = 1, .count = 1, .source = { 0, 0, 0, ONE }, .one = 255 },
      { 7, 9 },
      { 7, 7, 7, 255, 9, 9, 9, 255 } },
    { "halves",
      { .width = 2, .count = 2, .source = { 0, 0, 0, 1 }, .one = 0x3C00 },
      { 1, 2, 3, 4, 5, 6, 7, 8 },
      { 1, 2, 1, 2, 1, 2, 3, 4, 5, 6, 5, 6, 5, 6, 7, 8 } },
    { "words",
      { .width = 4, .count = 1, .source = { 0, ZERO, ZERO, ONE }, .one = 0x3F800000 },
      { 1, 2, 3, 4, 5, 6, 7, 8 },
      { 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F,
        5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F } },
};

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t out[32] = { 0 };
        gv_widen_texels(&rows[i].texel, rows[i].from, 2, out);
        CHECK_ROW(rows[i].name, !memcmp(out, rows[i].to, sizeof out));
        CHECK_ROW(rows[i].name,
                  gv_widened_bytes(&rows[i].texel) == 4u * rows[i].texel.width);
    }
    const struct gv_widened_texel shorts = {
        .width = 2,
        .count = 1,
        .source = { 0, ZERO, ZERO, ONE },
        .one = 0xFFFF,
        .normalized = true,
    };
    static const uint8_t from[] = { 0xFF, 0xFF, 0, 0 };
    static const float expected[] = { 1, 0, 0, 1, 0, 0, 0, 1 };
    float out[8];
    gv_widen_texels(&shorts, from, 2, (uint8_t *)out);
    CHECK(!memcmp(out, expected, sizeof out));
    CHECK(gv_narrow_bytes(&shorts) == 2 && gv_widened_bytes(&shorts) == 16);
    return TEST_RESULT();
}
