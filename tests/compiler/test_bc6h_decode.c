// BC6H decoded ahead of time: known blocks, and what the device makes of random ones.
#include "compiler/texels/bc6h_decode.h"
#include "tests/runtime/runtime_fixture.h"

// ---- known blocks ----

// One texel of a block, as half floats.
static const struct {
    const char *name;
    uint32_t format;
    uint8_t block[16];
    uint32_t texel;
    uint16_t rgba[4];
} known[] = {
    // Mode 3: ten bits each, as they are. Red of end 0 is the largest: 0xFFFF * 31
    // / 64.
    { "largest",
      GV_FORMAT_BC6H_UFLOAT_BLOCK,
      { 0xE3, 0x7F },
      0,
      { 0x7BFF, 0, 0, 0x3C00 } },
    // Half of it, and end 1 of nothing: index 15 of the last texel.
    { "second_end",
      GV_FORMAT_BC6H_UFLOAT_BLOCK,
      { 0xE3, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0 },
      15,
      { 0, 0, 0, 0x3C00 } },
    // Ten bits all set are -1 of nine.
    { "negative",
      GV_FORMAT_BC6H_SFLOAT_BLOCK,
      { 0xE3, 0x7F },
      0,
      { 0x805D, 0, 0, 0x3C00 } },
    { "reserved",
      GV_FORMAT_BC6H_SFLOAT_BLOCK,
      { 0xF3, 0xFF, 0xFF, 0xFF },
      7,
      { 0, 0, 0, 0x3C00 } },
};

static void decodes_known_blocks(void)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint16_t rgba[16][4];
        const struct gv_bc_image image = { .format = known[i].format,
                                           .width = 4,
                                           .height = 4,
                                           .pitch = 16,
                                           .blocks = known[i].block };
        gv_bc6h_decode(&image, (uint8_t *)rgba);
        const uint16_t *t = rgba[known[i].texel];
        const bool good = memcmp(t, known[i].rgba, sizeof *rgba) == 0;
        if (!good)
            fprintf(stderr, "%x %x %x %x\n", t[0], t[1], t[2], t[3]);
        CHECK_ROW(known[i].name, good);
    }
}

// A rectangle that ends inside blocks, out of rows with padding.
static void decodes_part_of_blocks(void)
{
    const uint8_t blocks[2][48] = { { 0xE3, 0x7F, [32] = 0xFF },
                                    { [16] = 0xE3, [17] = 0x7F } };
    uint16_t rgba[6 * 5 + 1][4];
    rgba[30][0] = 77;
    const struct gv_bc_image image = { .format = GV_FORMAT_BC6H_UFLOAT_BLOCK,
                                       .width = 5,
                                       .height = 6,
                                       .pitch = 48,
                                       .blocks = blocks[0] };
    gv_bc6h_decode(&image, (uint8_t *)rgba);
    CHECK(rgba[0][0] == 0x7BFF && rgba[18][0] == 0x7BFF);
    CHECK(rgba[4][0] == 0 && rgba[20][0] == 0 && rgba[19][0] == 0);
    CHECK(rgba[24][0] == 0x7BFF && rgba[29][0] == 0x7BFF);
    CHECK(rgba[30][0] == 77);
}

static void knows_formats(void)
{
    CHECK(gv_bc6h_is_format(GV_FORMAT_BC6H_SFLOAT_BLOCK));
    CHECK(gv_bc6h_is_format(GV_FORMAT_BC6H_UFLOAT_BLOCK));
    CHECK(!gv_bc6h_is_format(GV_FORMAT_BC7_UNORM_BLOCK));
}

// ---- against the device ----

#define COLUMNS 64u
#define ROWS 64u
#define WIDTH (COLUMNS * 4)
#define HEIGHT (ROWS * 4)
#define SIZE ((size_t)WIDTH * HEIGHT * 8)

// What sampling the blocks gives.
static void device_decode(uint32_t format, const uint8_t *blocks, size_t size,
                          uint8_t *rgba)
{
    uint64_t from = make_image(format, WIDTH, HEIGHT, GV_IMAGE_USAGE_SAMPLED);
    uint64_t to = make_image(GV_FORMAT_R16G16B16A16_SFLOAT, WIDTH, HEIGHT,
                             GV_IMAGE_USAGE_SAMPLED);
    uint64_t buffer = 0;
    MAKE(buffer, buffer_create, num(SIZE), num(0));
    DO(image_upload, num(from), num(GV_ASPECT_COLOR), num(0), num(0), num(1), num(0),
       num(0), num(0), num(WIDTH), num(HEIGHT), num(1), num(0), num(0), bytes(blocks),
       num(size));
    DO(image_blit, num(to), num(0), num(0), num(0), num(0), num(0), num(WIDTH),
       num(HEIGHT), num(1), num(from), num(0), num(0), num(0), num(0), num(0),
       num(WIDTH), num(HEIGHT), num(1), num(1), num(GV_ASPECT_COLOR),
       num(GV_FILTER_NEAREST));
    DO(image_to_buffer, num(buffer), num(0), num(0), num(0), num(to),
       num(GV_ASPECT_COLOR), num(0), num(0), num(1), num(0), num(0), num(0), num(WIDTH),
       num(HEIGHT), num(1));
    read_buffer(buffer, 0, SIZE, rgba);
    DO(image_destroy, num(from));
    DO(image_destroy, num(to));
    DO(buffer_destroy, num(buffer));
}

// Random blocks, as many of each mode; reserved ones too.
static void random_blocks(uint8_t *blocks)
{
    uint32_t state = 5;
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) {
        uint8_t *block = blocks + (size_t)i * 16;
        for (uint32_t k = 0; k < 16; k++) {
            state = state * 1664525u + 1013904223u;
            block[k] = (uint8_t)(state >> 24);
        }
        block[0] = (uint8_t)((block[0] & 0xE0u) | i % 32);
    }
}

static void decodes_like_the_device(uint32_t format)
{
    static uint8_t blocks[COLUMNS * ROWS * 16], ours[SIZE], theirs[SIZE];
    random_blocks(blocks);
    const struct gv_bc_image image = { .format = format,
                                       .width = WIDTH,
                                       .height = HEIGHT,
                                       .pitch = COLUMNS * 16,
                                       .blocks = blocks };
    gv_bc6h_decode(&image, ours);
    device_decode(format, blocks, sizeof blocks, theirs);
    size_t others[32] = { 0 };
    for (size_t i = 0; i < SIZE; i += 8)
        others[i / 8 % WIDTH / 4 % 32] += memcmp(ours + i, theirs + i, 8) != 0;
    for (size_t mode = 0; mode < 32; mode++) {
        if (others[mode])
            printf("mode %zu: %zu texels differ from the device\n", mode, others[mode]);
        CHECK(!others[mode]);
    }
}

int main(void)
{
    decodes_known_blocks();
    decodes_part_of_blocks();
    knows_formats();
    if (fixture_open()) {
        decodes_like_the_device(GV_FORMAT_BC6H_UFLOAT_BLOCK);
        decodes_like_the_device(GV_FORMAT_BC6H_SFLOAT_BLOCK);
        fixture_close();
    }
    return TEST_RESULT();
}
