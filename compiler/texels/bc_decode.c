// Khronos Data Format Specification 1.3, chapter 18 "S3TC Compressed Texture Image
// Formats": BC1 with alpha, BC2, BC3.
#include "compiler/texels/bc_decode.h"

#include "resources/base/cursor.h"
#include "vm/formats.h"

#include <string.h>

// ---- BC1 to BC3 ----

static void expand_565(uint16_t color, uint8_t rgb[4])
{
    uint32_t r = color >> 11, g = (color >> 5) & 63, b = color & 31;
    rgb[0] = (uint8_t)(r << 3 | r >> 2);
    rgb[1] = (uint8_t)(g << 2 | g >> 4);
    rgb[2] = (uint8_t)(b << 3 | b >> 2);
    rgb[3] = 255;
}

int gv_bc_between(int a, int b, int step, int steps, bool weighted)
{
    if (!weighted || steps == 2)
        return ((steps - step) * a + step * b + steps / 2) / steps;
    const int weight = 255 * 64 / steps * step >> 6;
    const int product = (b - a) * weight;
    return a + (product < 0 ? -((255 - product) / 256) : product / 256); // rounded down
}

// Two end points, then what lies between them. Alpha is 255 but for black's.
static void color_table(const uint8_t *block, bool always_four, bool weighted,
                        uint8_t table[4][4])
{
    uint16_t c0 = gv_load_u16(block), c1 = gv_load_u16(block + 2);
    bool four = always_four || c0 > c1;
    expand_565(c0, table[0]);
    expand_565(c1, table[1]);
    memset(table[2], four ? 255 : 0, 8);
    table[2][3] = 255;
    for (int i = 0; i < 3; i++) {
        const int a = table[0][i], b = table[1][i];
        table[2][i] = (uint8_t)gv_bc_between(a, b, 1, four ? 3 : 2, weighted);
        if (four)
            table[3][i] = (uint8_t)gv_bc_between(a, b, 2, 3, weighted);
    }
}

static void decode_colors(const uint8_t *block, bool always_four, bool weighted,
                          uint8_t *rgba)
{
    uint8_t table[4][4];
    uint32_t indices = gv_load_u32(block + 4);
    color_table(block, always_four, weighted, table);
    for (int i = 0; i < 16; i++, indices >>= 2)
        memcpy(rgba + 4 * (size_t)i, table[indices & 3], 4);
}

// BC2: four bits of alpha for each texel.
static void decode_explicit_alpha(const uint8_t *block, uint8_t *rgba)
{
    for (int i = 0; i < 16; i++)
        rgba[4 * (size_t)i + 3] = (uint8_t)(((block[i / 2] >> (i % 2 * 4)) & 15) * 17);
}

static void alpha_table(int a, int b, bool weighted, uint8_t table[8])
{
    const int steps = a > b ? 7 : 5;
    table[0] = (uint8_t)a;
    table[1] = (uint8_t)b;
    table[6] = 0;
    table[7] = 255;
    for (int i = 1; i < steps; i++)
        table[i + 1] = (uint8_t)gv_bc_between(a, b, i, steps, weighted);
}

// BC3: two end points and three bits for each texel.
static void decode_alpha(const uint8_t *block, bool weighted, uint8_t *rgba)
{
    uint8_t table[8];
    uint64_t indices = gv_load_u64(block) >> 16;
    alpha_table(block[0], block[1], weighted, table);
    for (int i = 0; i < 16; i++, indices >>= 3)
        rgba[4 * (size_t)i + 3] = table[indices & 7];
}

static void decode_bc1(const uint8_t *block, bool weighted, uint8_t *rgba)
{
    decode_colors(block, false, weighted, rgba);
}

static void decode_bc2(const uint8_t *block, bool weighted, uint8_t *rgba)
{
    decode_colors(block + 8, true, weighted, rgba);
    decode_explicit_alpha(block, rgba);
}

static void decode_bc3(const uint8_t *block, bool weighted, uint8_t *rgba)
{
    decode_colors(block + 8, true, weighted, rgba);
    decode_alpha(block, weighted, rgba);
}

static void decode_bc1_opaque(const uint8_t *block, bool weighted, uint8_t *rgba)
{
    decode_colors(block, false, weighted, rgba);
    for (size_t i = 0; i < 16; i++)
        rgba[4 * i + 3] = 255;
}

// ---- formats ----

struct bc_format {
    uint32_t unorm, srgb;
    uint32_t bytes; // of a block
    void (*decode)(const uint8_t *block, uint8_t *rgba);
    void (*decode_s3tc)(const uint8_t *block, bool weighted, uint8_t *rgba); // or this
};

static const struct bc_format formats[] = {
    { GV_FORMAT_BC1_RGBA_UNORM_BLOCK, GV_FORMAT_BC1_RGBA_SRGB_BLOCK, 8, NULL,
      decode_bc1 },
    { GV_FORMAT_BC1_RGB_UNORM_BLOCK, GV_FORMAT_BC1_RGB_SRGB_BLOCK, 8, NULL,
      decode_bc1_opaque },
    { GV_FORMAT_BC2_UNORM_BLOCK, GV_FORMAT_BC2_SRGB_BLOCK, 16, NULL, decode_bc2 },
    { GV_FORMAT_BC3_UNORM_BLOCK, GV_FORMAT_BC3_SRGB_BLOCK, 16, NULL, decode_bc3 },
    { GV_FORMAT_BC7_UNORM_BLOCK, GV_FORMAT_BC7_SRGB_BLOCK, 16, gv_bc7_decode_block,
      NULL },
    { GV_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, GV_FORMAT_ETC2_R8G8B8_SRGB_BLOCK, 8,
      gv_etc_decode_rgb, NULL },
    { GV_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK, GV_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, 8,
      gv_etc_decode_rgb_a1, NULL },
    { GV_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, GV_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK, 16,
      gv_etc_decode_rgba, NULL },
};

static const struct bc_format *find(uint32_t format)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].unorm == format || formats[i].srgb == format)
            return &formats[i];
    return NULL;
}

uint32_t gv_bc_plain_format(uint32_t format, uint32_t *sibling)
{
    const struct bc_format *f = find(format);
    if (!f)
        return 0;
    bool srgb = format == f->srgb;
    if (sibling)
        *sibling = srgb ? f->unorm : f->srgb;
    return srgb ? GV_FORMAT_R8G8B8A8_SRGB : GV_FORMAT_R8G8B8A8_UNORM;
}

// The part of a decoded block that lies inside the rectangle.
static void place(const uint8_t *texels, const struct gv_bc_image *image, uint32_t x,
                  uint32_t y, uint8_t *rgba)
{
    uint32_t left = image->width - x, below = image->height - y;
    uint32_t columns = left < GV_BC_SIDE ? left : GV_BC_SIDE;
    uint32_t rows = below < GV_BC_SIDE ? below : GV_BC_SIDE;
    for (uint32_t i = 0; i < rows; i++)
        memcpy(rgba + ((size_t)(y + i) * image->width + x) * 4, texels + (size_t)i * 16,
               (size_t)columns * 4);
}

void gv_bc_decode(const struct gv_bc_image *image, uint8_t *rgba)
{
    const struct bc_format *f = find(image->format);
    uint8_t texels[GV_BC_TEXELS_BYTES];
    for (uint32_t y = 0; y < image->height; y += GV_BC_SIDE) {
        const uint8_t *row = image->blocks + (size_t)(y / GV_BC_SIDE) * image->pitch;
        for (uint32_t x = 0; x < image->width; x += GV_BC_SIDE) {
            const uint8_t *block = row + (size_t)(x / GV_BC_SIDE) * f->bytes;
            if (f->decode)
                f->decode(block, texels);
            else
                f->decode_s3tc(block, image->weighted, texels);
            place(texels, image, x, y, rgba);
        }
    }
}
