// Blocks made of pixels: those that Mesa 22.3.6 makes of one image, read back by
// glGetCompressedTexImage on llvmpipe, by the hash of what they hold; and mips of that.
#include "compiler/texels/block_encode.h"

#include <stdio.h>
#include <string.h>

#include "resources/hash.h"
#include "tests/test.h"
#include "vm/formats.h"

#define SIDE 64u
#define TEXELS (SIDE * SIDE)

static const struct {
    const char *name;
    uint32_t format;
    const char *hash;
} images[] = {
    { "bc1", GV_FORMAT_BC1_RGB_UNORM_BLOCK, "99b781670a5ddd30c8e47c2ef8627030" },
    { "bc1_srgb", GV_FORMAT_BC1_RGB_SRGB_BLOCK, "99b781670a5ddd30c8e47c2ef8627030" },
    { "bc1_punched", GV_FORMAT_BC1_RGBA_UNORM_BLOCK,
      "dfbb399c5ac9553cf57e115536f33670" },
    { "bc2", GV_FORMAT_BC2_UNORM_BLOCK, "64cd04db730585b3ff2944de3842aa55" },
    { "bc3", GV_FORMAT_BC3_UNORM_BLOCK, "0d97b2ee8ad81126ccdbc56a877e1011" },
    { "bc4", GV_FORMAT_BC4_UNORM_BLOCK, "0db8cb70434b0013ff267e581f5f34ca" },
    { "bc4_signed", GV_FORMAT_BC4_SNORM_BLOCK, "36e6aea8ae23839351330d8edd04bc5b" },
    { "bc5", GV_FORMAT_BC5_UNORM_BLOCK, "5ff8e1d94140a8557aacabfb987c82dd" },
    { "bc5_signed", GV_FORMAT_BC5_SNORM_BLOCK, "83f71d43a9b55c5a576d6f52c2bfb95e" },
    { "bc7", GV_FORMAT_BC7_UNORM_BLOCK, "274fa85ae20a7b9993844ea3aeb1f7f4" },
    { "bc6h", GV_FORMAT_BC6H_UFLOAT_BLOCK, "71c713ceba4f1394a38fe99dc072ef06" },
    { "bc6h_signed", GV_FORMAT_BC6H_SFLOAT_BLOCK, "dbe380300fb8a11d66afa899c8d3469f" },
};

// Squares of noise, of a slope, of one colour each 4 x 4, of both ends of the range.
static void draw(uint8_t *to)
{
    uint32_t seed = 7;
    for (uint32_t i = 0; i < TEXELS * 4; i++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t x = i / 4 % SIDE, y = i / (4 * SIDE), c = i % 4, r = seed >> 24;
        switch ((x / 8 + y / 8) % 4) {
        case 0:
            to[i] = (uint8_t)r;
            break;
        case 1:
            to[i] = (uint8_t)(x * (c + 2) + y * 3);
            break;
        case 2:
            to[i] = (uint8_t)(x / 4 * 31 + y / 4 * 57 + c * 71);
            break;
        default:
            to[i] = (uint8_t)(r % 5 == 0 ? 255 : r % 5 == 1 ? 0 : x * 4);
        }
    }
}

static void test_images(void)
{
    static uint8_t bytes[TEXELS * 4], blocks[TEXELS];
    static float floats[TEXELS * 4], held[TEXELS * 4];
    draw(bytes);
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        const uint32_t format = images[i].format;
        const int off = format == GV_FORMAT_BC6H_SFLOAT_BLOCK ? 100 : 0;
        for (uint32_t k = 0; k < TEXELS * 4; k++)
            floats[k] = (float)(bytes[k] - off) / 16.0f;
        const bool whole =
            gv_block_source_format(format) != GV_FORMAT_R32G32B32A32_SFLOAT;
        gv_blocks_encode(format, whole ? (const void *)bytes : (const void *)floats,
                         SIDE, SIDE, blocks);
        CHECK_ROW(images[i].name,
                  gv_blocks_to_pixels(format, true, blocks, SIDE, SIDE, held));
        const struct gv_hash hash =
            gv_hash_bytes(held, (size_t)gv_block_pixels_size(format, SIDE, SIDE));
        char text[GV_HASH_HEX];
        gv_hash_to_hex(&hash, text);
        if (strcmp(text, images[i].hash))
            fprintf(stderr, "[%s] %s\n", images[i].name, text);
        CHECK_ROW(images[i].name, !strcmp(text, images[i].hash));
    }
}

static void test_none(void)
{
    CHECK(gv_block_source_format(GV_FORMAT_ETC2_R8G8B8_UNORM_BLOCK) == 0);
    CHECK(gv_block_source_format(GV_FORMAT_R8G8B8A8_UNORM) == 0);
}

// One channel between two ends: 255 and 0 in eight steps, as samplers weigh them or
// exact.
static void test_read_back(void)
{
    static const uint8_t block[8] = {
        255, 0, 2, 0, 0, 0, 0, 0
    }; // texel 0: step 1 of 7
    uint8_t pixels[16 * 4];
    CHECK(gv_blocks_to_pixels(GV_FORMAT_BC4_UNORM_BLOCK, true, block, 4, 4, pixels));
    CHECK(pixels[0] == 219 && pixels[3] == 255 &&
          pixels[4] == 255); // 255 - 255 * 36 / 256
    CHECK(gv_blocks_to_pixels(GV_FORMAT_BC4_UNORM_BLOCK, false, block, 4, 4, pixels));
    CHECK(pixels[0] == 218); // 255 * 6 / 7
}

static void test_halves(void)
{
    uint8_t pixels[3 * 2 * 4] = { 1, 2, 3, 4, 2, 2, 3, 5, 99, 99, 99, 99,
                                  1, 1, 3, 4, 3, 2, 3, 6, 99, 99, 99, 99 };
    int8_t negative[2 * 4] = { -1, -2, -128, 127, -2, -3, -128, 127 };
    float floats[2 * 4] = { 1, 2, 3, 4, 2, 4, 6, 8 };
    gv_block_pixels_halve(GV_FORMAT_BC3_UNORM_BLOCK, pixels, 3, 2, pixels);
    CHECK(pixels[0] == 1 && pixels[1] == 1 && pixels[2] == 3 && pixels[3] == 4);
    gv_block_pixels_halve(GV_FORMAT_BC5_SNORM_BLOCK, negative, 1, 2, negative);
    CHECK(negative[0] == -1 && negative[1] == -2 && negative[2] == -128);
    gv_block_pixels_halve(GV_FORMAT_BC6H_UFLOAT_BLOCK, floats, 2, 1, floats);
    CHECK(floats[0] == 1.5f && floats[3] == 6.0f);
}

int main(void)
{
    test_images();
    test_none();
    test_read_back();
    test_halves();
    return TEST_RESULT();
}
