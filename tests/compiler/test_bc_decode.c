// BC blocks decoded ahead of time: known blocks, and what the device makes of random
// ones.
#include "compiler/texels/bc_decode.h"
#include "tests/runtime/runtime_fixture.h"

// ---- known blocks ----

// One texel of a block.
static const struct {
    const char *name;
    uint32_t format;
    uint8_t block[16];
    uint32_t texel;
    uint8_t rgba[4];
} known[] = {
    { "bc1_first",
      GV_FORMAT_BC1_RGBA_UNORM_BLOCK,
      { 0, 0xF8, 0x1F, 0 },
      0,
      { 255, 0, 0, 255 } },
    { "bc1_second",
      GV_FORMAT_BC1_RGBA_UNORM_BLOCK,
      { 0, 0xF8, 0x1F, 0, 4 },
      1,
      { 0, 0, 255, 255 } },
    { "bc1_third",
      GV_FORMAT_BC1_RGBA_UNORM_BLOCK,
      { 0, 0xF8, 0x1F, 0, 0, 0, 0, 0x80 },
      15,
      { 170, 0, 85, 255 } },
    { "bc1_half",
      GV_FORMAT_BC1_RGBA_UNORM_BLOCK,
      { 0x1F, 0, 0, 0xF8, 2 },
      0,
      { 128, 0, 128, 255 } },
    { "bc1_black",
      GV_FORMAT_BC1_RGBA_SRGB_BLOCK,
      { 0x1F, 0, 0, 0xF8, 3 },
      0,
      { 0, 0, 0, 0 } },
    { "bc2_alpha",
      GV_FORMAT_BC2_UNORM_BLOCK,
      { 0x80, 0, 0, 0, 0, 0, 0, 0, 0x1F },
      1,
      { 0, 0, 255, 136 } },
    // Equal or falling colours do not switch BC2 and BC3 to three colours.
    { "bc2_four_colors",
      GV_FORMAT_BC2_SRGB_BLOCK,
      { 0, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0, 0, 0xF8, 3 },
      0,
      { 170, 0, 85, 0 } },
    { "bc3_eight_alphas",
      GV_FORMAT_BC3_UNORM_BLOCK,
      { 255, 3, 7, 0 },
      0,
      { 0, 0, 0, 39 } },
    { "bc3_six_alphas",
      GV_FORMAT_BC3_UNORM_BLOCK,
      { 0, 250, 5, 0 },
      0,
      { 0, 0, 0, 200 } },
    { "bc3_alpha_one",
      GV_FORMAT_BC3_SRGB_BLOCK,
      { 0, 250, 7, 0 },
      0,
      { 0, 0, 0, 255 } },
    { "bc7_mode_6",
      GV_FORMAT_BC7_UNORM_BLOCK,
      { 0xC0, 0xFF, 0x1F, 0, 0, 0, 0xFE, 0xFF, 1 },
      5,
      { 255, 1, 1, 255 } },
    { "etc_halves",
      GV_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
      { 0x0F, 0, 0, 0, 0x80, 0, 0x80, 0 },
      15,
      { 247, 0, 0, 255 } },
    { "etc_differences",
      GV_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
      { 0x81, 0, 0, 2 },
      3,
      { 142, 2, 2, 255 } },
    { "etc_t",
      GV_FORMAT_ETC2_R8G8B8_SRGB_BLOCK,
      { 0xF9, 0x12, 0x34, 0x52, 0, 0, 0, 1 },
      0,
      { 54, 71, 88, 255 } },
    { "etc_h",
      GV_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
      { 0x08, 0xF9, 0x18, 0x02 },
      0,
      { 20, 20, 173, 255 } },
    { "etc_planar",
      GV_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK,
      { 0, 0, 0xF9, 0x02, 0xFF },
      1,
      { 0, 64, 111, 255 } },
    { "etc_clear",
      GV_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK,
      { 0, 0, 0, 0, 0, 1 },
      0,
      { 0, 0, 0, 0 } },
    { "etc_alpha",
      GV_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK,
      { 128, 0x10, 0xE0 },
      0,
      { 2, 2, 2, 142 } },
    { "bc7_reserved", GV_FORMAT_BC7_SRGB_BLOCK, { 0, 0xFF, 0xFF }, 3, { 0, 0, 0, 0 } },
};

static void decodes_known_blocks(void)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint8_t rgba[GV_BC_TEXELS_BYTES];
        const struct gv_bc_image image = { .format = known[i].format,
                                           .width = 4,
                                           .height = 4,
                                           .pitch = 16,
                                           .blocks = known[i].block };
        gv_bc_decode(&image, rgba);
        const uint8_t *t = rgba + (size_t)4 * known[i].texel;
        bool good = memcmp(t, known[i].rgba, 4) == 0;
        if (!good)
            fprintf(stderr, "%u %u %u %u\n", t[0], t[1], t[2], t[3]);
        CHECK_ROW(known[i].name, good);
    }
}

// A rectangle that ends inside blocks, out of rows with padding.
static void decodes_part_of_blocks(void)
{
    const uint8_t blocks[2][24] = { { 0, 0xF8, 0, 0, 0, 0, 0, 0, 0xE0, 7 },
                                    { 0x1F, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF } };
    uint8_t rgba[5 * 6 * 4 + 1];
    rgba[120] = 77;
    const struct gv_bc_image image = { .format = GV_FORMAT_BC1_RGBA_UNORM_BLOCK,
                                       .width = 5,
                                       .height = 6,
                                       .pitch = 24,
                                       .blocks = blocks[0] };
    gv_bc_decode(&image, rgba);
    CHECK(memcmp(rgba + 3 * 4, "\xff\0\0\xff\0\xff\0\xff\xff\0\0\xff", 12) == 0);
    CHECK(memcmp(rgba + (size_t)(5 * 5 + 3) * 4, "\0\0\xff\xff\xff\xff\xff\xff", 8) ==
          0);
    CHECK(rgba[120] == 77);
}

static void names_plain_formats(void)
{
    uint32_t sibling = 0;
    CHECK(gv_bc_plain_format(GV_FORMAT_BC3_SRGB_BLOCK, &sibling) ==
          GV_FORMAT_R8G8B8A8_SRGB);
    CHECK(sibling == GV_FORMAT_BC3_UNORM_BLOCK);
    CHECK(gv_bc_plain_format(GV_FORMAT_BC7_UNORM_BLOCK, NULL) ==
          GV_FORMAT_R8G8B8A8_UNORM);
    CHECK(gv_bc_plain_format(GV_FORMAT_BC4_UNORM_BLOCK, NULL) == 0);
    CHECK(gv_bc_plain_format(GV_FORMAT_R8G8B8A8_UNORM, NULL) == 0);
}

// ---- against the device ----

#define COLUMNS 64u
#define ROWS 32u
#define WIDTH (COLUMNS * 4)
#define HEIGHT (ROWS * 4)

static const struct {
    const char *name;
    uint32_t format, bytes;
    int tolerance; // the specification of BC1 to BC3 leaves rounding open
} compared[] = {
    { "bc1", GV_FORMAT_BC1_RGBA_UNORM_BLOCK, 8, 1 },
    { "bc2", GV_FORMAT_BC2_UNORM_BLOCK, 16, 1 },
    { "bc3", GV_FORMAT_BC3_UNORM_BLOCK, 16, 2 }, // lavapipe's alpha
    { "bc7", GV_FORMAT_BC7_UNORM_BLOCK, 16, 0 },
};

// What sampling the blocks gives.
static void device_decode(uint32_t format, const uint8_t *blocks, size_t size,
                          uint8_t *rgba)
{
    uint64_t from = make_image(format, WIDTH, HEIGHT, GV_IMAGE_USAGE_SAMPLED);
    uint64_t to =
        make_image(GV_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, GV_IMAGE_USAGE_SAMPLED);
    DO(image_upload, num(from), num(GV_ASPECT_COLOR), num(0), num(0), num(1), num(0),
       num(0), num(0), num(WIDTH), num(HEIGHT), num(1), num(0), num(0), bytes(blocks),
       num(size));
    DO(image_blit, num(to), num(0), num(0), num(0), num(0), num(0), num(WIDTH),
       num(HEIGHT), num(1), num(from), num(0), num(0), num(0), num(0), num(0),
       num(WIDTH), num(HEIGHT), num(1), num(1), num(GV_ASPECT_COLOR),
       num(GV_FILTER_NEAREST));
    read_picture(to, 0, 0, WIDTH, HEIGHT, 0, rgba);
    DO(image_destroy, num(from));
    DO(image_destroy, num(to));
}

// Random blocks; of BC7, where half of them would be mode 0, as many of each mode.
static void random_blocks(uint8_t *blocks, uint32_t bytes_each)
{
    uint32_t state = 5;
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) {
        uint8_t *block = blocks + (size_t)i * bytes_each;
        for (uint32_t k = 0; k < bytes_each; k++) {
            state = state * 1664525u + 1013904223u;
            block[k] = (uint8_t)(state >> 24);
        }
        if (bytes_each == 16)
            block[0] = (uint8_t)((block[0] | 1u) << i % 8);
    }
}

static int farthest(const uint8_t *a, const uint8_t *b, size_t size)
{
    int most = 0;
    for (size_t i = 0; i < size; i++)
        if (abs(a[i] - b[i]) > most)
            most = abs(a[i] - b[i]);
    return most;
}

static void decodes_like_the_device(void)
{
    static uint8_t blocks[COLUMNS * ROWS * 16], ours[WIDTH * HEIGHT * 4],
        theirs[WIDTH * HEIGHT * 4];
    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++) {
        uint32_t bytes_each = compared[i].bytes;
        random_blocks(blocks, bytes_each);
        const struct gv_bc_image image = { compared[i].format,   WIDTH,  HEIGHT,
                                           COLUMNS * bytes_each, blocks, false };
        gv_bc_decode(&image, ours);
        device_decode(compared[i].format, blocks, (size_t)COLUMNS * ROWS * bytes_each,
                      theirs);
        int most = farthest(ours, theirs, sizeof ours);
        if (most)
            printf("%s differs from the device by %d\n", compared[i].name, most);
        CHECK_ROW(compared[i].name, most <= compared[i].tolerance);
    }
}

int main(void)
{
    decodes_known_blocks();
    decodes_part_of_blocks();
    names_plain_formats();
    if (fixture_open()) {
        decodes_like_the_device();
        fixture_close();
    }
    return TEST_RESULT();
}
