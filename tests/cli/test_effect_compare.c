// What calls wrote beside what they declare (tools/audit/effect_compare.c): a byte or a
// texel that changes is told unless an effect names it.
#include <string.h>

#include "tests/test.h"
#include "tools/audit/effect_compare.h"
#include "vm/formats.h"

#define OBJECT 7

static const struct gv_track_object buffer = { .kind = GV_KIND_BUFFER, .size = 64 };
// 4 x 4, 2 x 2: 20 texels of depth (4 bytes), then as many of stencil, in two layers.
static const struct gv_track_object image = {
    .kind = GV_KIND_IMAGE,
    .image = { GV_IMAGE_TYPE_2D, 1, GV_FORMAT_D32_SFLOAT_S8_UINT, 4, 4, 1, 2, 2 }
};
#define IMAGE_BYTES (2 * 20 * 5)
// 8 x 8 of 4 x 4 blocks of 8 bytes.
static const struct gv_track_object blocks = {
    .kind = GV_KIND_IMAGE,
    .image = { GV_IMAGE_TYPE_2D, 1, GV_FORMAT_BC1_RGB_UNORM_BLOCK, 8, 8, 1, 1, 1 }
};
// 2 x 2 of 4 samples, in two layers: their samples one after the other.
static const struct gv_track_object samples = {
    .kind = GV_KIND_IMAGE,
    .image = { GV_IMAGE_TYPE_2D, 4, GV_FORMAT_R8_UNORM, 2, 2, 1, 1, 2 }
};

#define BYTES(at, bytes, apart, count)                                             \
    {                                                                              \
        .object = OBJECT, .offset = (at), .row_bytes = (bytes), .stride = (apart), \
        .rows = (count)                                                            \
    }
#define TEXELS(of, level, layer, left, top, w, h)                                      \
    {                                                                                  \
        .object = OBJECT, .planes = (of), .mip = (level), .mips = 1, .slice = (layer), \
        .slices = 1, .x = (left), .y = (top), .width = (w), .height = (h)              \
    }
#define DEPTH GV_ASPECT_DEPTH
#define STENCIL GV_ASPECT_STENCIL

static const struct {
    const char *name;
    const struct gv_track_object *object;
    size_t size, changed; // the byte that is
    struct gv_effect effect;
    const char *place; // NULL: it is named
} cases[] = {
    { "first byte", &buffer, 64, 8, BYTES(8, 4, 0, 1), NULL },
    { "last byte", &buffer, 64, 11, BYTES(8, 4, 0, 1), NULL },
    { "byte before", &buffer, 64, 7, BYTES(8, 4, 0, 1), "byte 7" },
    { "byte behind", &buffer, 64, 12, BYTES(8, 4, 0, 1), "byte 12" },
    { "last row", &buffer, 64, 41, BYTES(8, 4, 16, 3), NULL },
    { "between rows", &buffer, 64, 13, BYTES(8, 4, 16, 3), "byte 13" },
    { "behind rows", &buffer, 64, 56, BYTES(8, 4, 16, 3), "byte 56" },
    { "rows that touch", &buffer, 64, 25, BYTES(8, 16, 16, 2), NULL },
    { "to the end", &buffer, 64, 63, BYTES(8, UINT64_MAX, 0, 1), NULL },
    { "another object",
      &buffer,
      64,
      8,
      { .object = 8, .row_bytes = 64, .rows = 1 },
      "byte 8" },
    { "depth", &image, IMAGE_BYTES, 4 * (4 * 1 + 2), TEXELS(DEPTH, 0, 0, 2, 1, 1, 1),
      NULL },
    { "left of it", &image, IMAGE_BYTES, 4 * (4 * 1 + 1),
      TEXELS(DEPTH, 0, 0, 2, 1, 1, 1), "plane 2 mip 0 slice 0 texel 1,1" },
    { "below it", &image, IMAGE_BYTES, 4 * (4 * 2 + 2), TEXELS(DEPTH, 0, 0, 2, 1, 1, 1),
      "plane 2 mip 0 slice 0 texel 2,2" },
    { "second layer", &image, IMAGE_BYTES, 4 * 16, TEXELS(DEPTH, 0, 1, 0, 0, 4, 4),
      NULL },
    { "another layer", &image, IMAGE_BYTES, 4 * 16, TEXELS(DEPTH, 0, 0, 0, 0, 4, 4),
      "plane 2 mip 0 slice 1 texel 0,0" },
    { "second mip", &image, IMAGE_BYTES, 4 * 32, TEXELS(DEPTH, 1, 0, 0, 0, 2, 2),
      NULL },
    { "another mip", &image, IMAGE_BYTES, 4 * 33, TEXELS(DEPTH, 0, 0, 0, 0, 4, 4),
      "plane 2 mip 1 slice 0 texel 1,0" },
    { "stencil", &image, IMAGE_BYTES, 4 * 40 + 5, TEXELS(STENCIL, 0, 0, 0, 0, 4, 4),
      NULL },
    { "another plane", &image, IMAGE_BYTES, 4 * 40 + 5, TEXELS(DEPTH, 0, 0, 0, 0, 4, 4),
      "plane 4 mip 0 slice 0 texel 1,1" },
    { "all planes", &image, IMAGE_BYTES, 4 * 40 + 39, TEXELS(0, 1, 1, 1, 1, 1, 1),
      NULL },
    { "a sample", &samples, 32, 4 * 3 + 2, TEXELS(0, 0, 0, 0, 1, 1, 1), NULL },
    { "a sample of another texel", &samples, 32, 4 * 3 + 3, TEXELS(0, 0, 0, 0, 1, 1, 1),
      "plane 1 mip 0 slice 0 texel 1,1" },
    { "a sample of another layer", &samples, 32, 4 * 7 + 2, TEXELS(0, 0, 0, 0, 1, 1, 1),
      "plane 1 mip 0 slice 1 texel 0,1" },
    { "part of a block", &blocks, 32, 8 * 3 + 1, TEXELS(0, 0, 0, 5, 5, 1, 1), NULL },
    { "another block", &blocks, 32, 8 * 2 + 1, TEXELS(0, 0, 0, 4, 4, 4, 4),
      "plane 1 mip 0 slice 0 texel 0,4" },
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t before[IMAGE_BYTES] = { 0 }, after[IMAGE_BYTES] = { 0 };
        char place[96] = "";
        const struct gv_effect_compare compare = {
            .object = cases[i].object,
            .number = OBJECT,
            .effects = &cases[i].effect,
            .count = 1,
            .before = before,
            .after = after,
            .size = cases[i].size,
        };
        CHECK_ROW(cases[i].name, !gv_effect_differs(&compare, place));
        after[cases[i].changed] = 1;
        bool differs = gv_effect_differs(&compare, place);
        CHECK_ROW(cases[i].name, differs == (cases[i].place != NULL));
        CHECK_ROW(cases[i].name,
                  strcmp(place, cases[i].place ? cases[i].place : "") == 0);
    }
    return TEST_RESULT();
}
