#include "compiler/texels/block_encode.h"

#include <string.h>

#include "vm/formats.h"

// What a block format is made of.
enum kind { COLORS, ALPHA_BITS, ALPHA_CHANNEL, CHANNELS, BPTC, BPTC_FLOATS };

static const struct row {
    uint32_t format, source;
    enum kind kind;
    uint8_t detail; // COLORS: enum gv_block_alpha; CHANNELS: their number
    bool is_signed;
    uint8_t bytes; // of a block
} rows[] = {
#define RGBA8 GV_FORMAT_R8G8B8A8_UNORM
#define SIGNED8 GV_FORMAT_R8G8B8A8_SNORM
#define FLOATS GV_FORMAT_R32G32B32A32_SFLOAT
    { GV_FORMAT_BC1_RGB_UNORM_BLOCK, RGBA8, COLORS, GV_BLOCK_OPAQUE, false, 8 },
    { GV_FORMAT_BC1_RGB_SRGB_BLOCK, RGBA8, COLORS, GV_BLOCK_OPAQUE, false, 8 },
    { GV_FORMAT_BC1_RGBA_UNORM_BLOCK, RGBA8, COLORS, GV_BLOCK_PUNCHED, false, 8 },
    { GV_FORMAT_BC1_RGBA_SRGB_BLOCK, RGBA8, COLORS, GV_BLOCK_PUNCHED, false, 8 },
    { GV_FORMAT_BC2_UNORM_BLOCK, RGBA8, ALPHA_BITS, 0, false, 16 },
    { GV_FORMAT_BC2_SRGB_BLOCK, RGBA8, ALPHA_BITS, 0, false, 16 },
    { GV_FORMAT_BC3_UNORM_BLOCK, RGBA8, ALPHA_CHANNEL, 0, false, 16 },
    { GV_FORMAT_BC3_SRGB_BLOCK, RGBA8, ALPHA_CHANNEL, 0, false, 16 },
    { GV_FORMAT_BC4_UNORM_BLOCK, RGBA8, CHANNELS, 1, false, 8 },
    { GV_FORMAT_BC4_SNORM_BLOCK, SIGNED8, CHANNELS, 1, true, 8 },
    { GV_FORMAT_BC5_UNORM_BLOCK, RGBA8, CHANNELS, 2, false, 16 },
    { GV_FORMAT_BC5_SNORM_BLOCK, SIGNED8, CHANNELS, 2, true, 16 },
    { GV_FORMAT_BC7_UNORM_BLOCK, RGBA8, BPTC, 0, false, 16 },
    { GV_FORMAT_BC7_SRGB_BLOCK, RGBA8, BPTC, 0, false, 16 },
    { GV_FORMAT_BC6H_UFLOAT_BLOCK, FLOATS, BPTC_FLOATS, 0, false, 16 },
    { GV_FORMAT_BC6H_SFLOAT_BLOCK, FLOATS, BPTC_FLOATS, 0, true, 16 },
#undef RGBA8
#undef SIGNED8
#undef FLOATS
};

static const struct row *row_of(uint32_t format)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].format == format)
            return &rows[i];
    return NULL;
}

uint32_t gv_block_source_format(uint32_t format)
{
    const struct row *row = row_of(format);
    return row ? row->source : 0;
}

static size_t texel_bytes(const struct row *row)
{
    return row->source == GV_FORMAT_R32G32B32A32_SFLOAT ? 4 * sizeof(float) : 4;
}

uint64_t gv_block_pixels_size(uint32_t format, uint32_t width, uint32_t height)
{
    return (uint64_t)width * height * texel_bytes(row_of(format));
}

uint64_t gv_blocks_size(uint32_t format, uint32_t width, uint32_t height)
{
    const uint64_t columns = (width + GV_BLOCK_SIDE - 1) / GV_BLOCK_SIDE;
    return columns * ((height + GV_BLOCK_SIDE - 1) / GV_BLOCK_SIDE) *
           row_of(format)->bytes;
}

struct part {
    uint32_t width, height;
    uint8_t rgba[4][4][4];
    float floats[4][4][4];
};

static void channel(const struct row *row, const struct part *p, int component,
                    uint8_t block[8])
{
    int values[4][4] = { { 0 } };
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++) {
            uint8_t v = p->rgba[y][x][component];
            values[y][x] = row->is_signed ? (int8_t)v : v;
        }
    gv_block_encode_channel(values, p->width, p->height, row->is_signed ? -128 : 0,
                            row->is_signed ? 127 : 255, block);
}

// Four bits of alpha each, rounded down.
static void alpha_bits(const struct part *p, uint8_t block[8])
{
    memset(block, 0, 8);
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++)
            block[y * 2 + x / 2] |= (uint8_t)(p->rgba[y][x][3] >> 4 << x % 2 * 4);
}

static void encode(const struct row *row, const struct part *p, uint8_t *block)
{
    switch (row->kind) {
    case COLORS:
        gv_block_encode_colors((enum gv_block_alpha)row->detail, p->rgba, p->width,
                               p->height, block);
        return;
    case ALPHA_BITS:
    case ALPHA_CHANNEL:
        if (row->kind == ALPHA_BITS)
            alpha_bits(p, block);
        else
            channel(row, p, 3, block);
        gv_block_encode_colors(GV_BLOCK_FOUR_COLORS, p->rgba, p->width, p->height,
                               block + 8);
        return;
    case CHANNELS:
        for (int i = 0; i < row->detail; i++)
            channel(row, p, i, block + (size_t)8 * (size_t)i);
        return;
    case BPTC:
        gv_block_encode_bptc(p->rgba, p->width, p->height, block);
        return;
    case BPTC_FLOATS:
        gv_block_encode_bptc_floats(p->floats, p->width, p->height, row->is_signed,
                                    block);
        return;
    }
}

void gv_blocks_encode(uint32_t format, const void *pixels, uint32_t width,
                      uint32_t height, uint8_t *blocks)
{
    const struct row *row = row_of(format);
    struct part p = { 0 };
    const bool floats = row->kind == BPTC_FLOATS;
    const size_t texel = texel_bytes(row);
    for (uint32_t y = 0; y < height; y += GV_BLOCK_SIDE)
        for (uint32_t x = 0; x < width; x += GV_BLOCK_SIDE, blocks += row->bytes) {
            p.width = width - x < GV_BLOCK_SIDE ? width - x : GV_BLOCK_SIDE;
            p.height = height - y < GV_BLOCK_SIDE ? height - y : GV_BLOCK_SIDE;
            for (uint32_t k = 0; k < p.height; k++) {
                const size_t at = ((size_t)(y + k) * width + x) * texel;
                void *to = floats ? (void *)p.floats[k] : (void *)p.rgba[k];
                memcpy(to, (const uint8_t *)pixels + at, p.width * texel);
            }
            encode(row, &p, blocks);
        }
}
