// ASTC blocks: colours by hand from the specification, errors, sides that cut blocks.
#include <string.h>

#include "compiler/texels/astc_decode.h"
#include "tests/test.h"
#include "vm/formats.h"

#define MAGENTA 0xFFFF00FFu

// Bits [at, at + count) of a block.
static void put(uint8_t block[16], unsigned at, unsigned count, uint32_t value)
{
    for (unsigned i = 0; i < count; i++)
        if (value >> i & 1)
            block[(at + i) / 8] |= (uint8_t)(1u << (at + i) % 8);
}

// One partition of endpoints `mode`, colours of 8 bits, 4 x 4 weights of 2 bits that
// go up by column.
static void columns(uint8_t block[16], uint32_t mode, const uint8_t *colors,
                    unsigned count)
{
    memset(block, 0, 16);
    put(block, 0, 11, 0x42);
    put(block, 13, 4, mode);
    for (unsigned i = 0; i < count; i++)
        put(block, 17 + 8 * i, 8, colors[i]);
    for (unsigned i = 0; i < 16; i++) { // from the top, each with its low bit first
        put(block, 127 - 2 * i, 1, i % 4 & 1);
        put(block, 126 - 2 * i, 1, i % 4 >> 1);
    }
}

static void constant(uint8_t block[16], uint32_t flags)
{
    memset(block, 0, 16);
    put(block, 0, 9, 0x1FC);
    put(block, 9, 3, flags);
    put(block, 12, 32, UINT32_MAX);
    put(block, 44, 20, 0xFFFFF);
    put(block, 64, 32, 0x20FF10FF);
    put(block, 96, 32, 0x40FF30FF);
}

static uint32_t texel(const uint8_t *blocks, uint32_t format, uint32_t side, uint32_t x)
{
    uint8_t rgba[12 * 12 * 4];
    const struct gv_bc_image image = {
        .format = format, .width = side, .height = side, .pitch = 16, .blocks = blocks
    };
    gv_astc_decode(&image, rgba);
    const uint8_t *t = rgba + (size_t)4 * x;
    return (uint32_t)t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16 |
           (uint32_t)t[3] << 24;
}

static uint32_t first_texel(const uint8_t *block)
{
    return texel(block, GV_FORMAT_ASTC_4x4_UNORM_BLOCK, 4, 0);
}

static void test_luminance(void)
{
    static const uint8_t colors[] = { 0, 255 };
    static const uint32_t steps[] = { 0xFF000000, 0xFF545454, 0xFFABABAB, 0xFFFFFFFF };
    uint8_t block[16];
    columns(block, 0, colors, 2);
    for (uint32_t x = 0; x < 4; x++)
        CHECK(texel(block, GV_FORMAT_ASTC_4x4_UNORM_BLOCK, 4, x) == steps[x]);
    CHECK(texel(block, GV_FORMAT_ASTC_4x4_SRGB_BLOCK, 3, 4) == steps[1]); // cut
    CHECK(texel(block, GV_FORMAT_ASTC_12x12_UNORM_BLOCK, 12, 11) == steps[3]);
}

static void test_colors(void)
{
    static const uint8_t up[] = { 10, 20, 30, 40, 50, 60, 70, 80 };
    static const uint8_t down[] = { 20, 10, 40, 30, 60, 50, 70, 80 };
    static const uint8_t scaled[] = { 200, 100, 50, 128 };
    static const uint8_t offset[] = { 100, 0x08, 100, 0x08, 100, 0x08 };
    uint8_t block[16];
    columns(block, 8, up, 6);
    CHECK(first_texel(block) == 0xFF321E0A);
    columns(block, 8, down, 6); // blue contraction: the ends change places
    CHECK(first_texel(block) == 0xFF32281E);
    columns(block, 6, scaled, 4);
    CHECK(first_texel(block) == 0xFF193264);
    columns(block, 9, offset, 6);
    CHECK(first_texel(block) == 0xFF323232);
    CHECK(texel(block, GV_FORMAT_ASTC_4x4_UNORM_BLOCK, 4, 3) == 0xFF363636);
}

static void test_whole(void)
{
    static const uint8_t colors[] = { 1, 2 };
    uint8_t block[16];
    constant(block, 6);
    CHECK(first_texel(block) == 0x40302010);
    constant(block, 7); // of floats
    CHECK(first_texel(block) == MAGENTA);
    constant(block, 0); // reserved bits
    CHECK(first_texel(block) == MAGENTA);
    memset(block, 0, sizeof block); // a reserved mode
    CHECK(first_texel(block) == MAGENTA);
    columns(block, 2, colors, 2); // endpoints of floats
    CHECK(first_texel(block) == MAGENTA);
    memset(block, 0, sizeof block);
    put(block, 0, 11, 0x62); // five rows of weights on four of texels
    CHECK(first_texel(block) == MAGENTA);
}

// Whatever the bytes are, nothing is read or written beside the block.
static void test_noise(void)
{
    uint32_t seed = 1;
    for (uint32_t i = 0; i < 20000; i++) {
        uint8_t block[16];
        for (uint32_t k = 0; k < 16; k++) {
            seed = seed * 1664525 + 1013904223;
            block[k] = (uint8_t)(seed >> 24);
        }
        (void)texel(block, GV_FORMAT_ASTC_4x4_UNORM_BLOCK + i % 28, 4, 0);
    }
}

int main(void)
{
    test_luminance();
    test_colors();
    test_whole();
    test_noise();
    CHECK(gv_astc_plain_format(GV_FORMAT_ASTC_8x6_SRGB_BLOCK) ==
          GV_FORMAT_R8G8B8A8_SRGB);
    CHECK(gv_astc_plain_format(GV_FORMAT_ASTC_4x4_SFLOAT_BLOCK) == 0);
    CHECK(gv_astc_plain_format(GV_FORMAT_BC7_UNORM_BLOCK) == 0);
    return TEST_RESULT();
}
