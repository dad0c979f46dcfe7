// Khronos Data Format Specification 1.3, chapter 20 "BPTC Compressed Texture Image
// Formats": BC7. All arithmetic is exact there, so that every decoder gives these
// texels.
#include "compiler/texels/bc_decode.h"
#include "compiler/texels/bptc_block.h"

#include "resources/base/cursor.h"

#include <string.h>

// "Mode-dependent BPTC parameters". Bits of each field.
static const struct mode {
    uint8_t subsets, partition, rotation, selector, color, alpha;
    uint8_t endpoint_p, subset_p; // P bits for each end point, for each subset
    uint8_t index, index2;
} modes[8] = {
    { 3, 4, 0, 0, 4, 0, 1, 0, 3, 0 }, { 2, 6, 0, 0, 6, 0, 0, 1, 3, 0 },
    { 3, 6, 0, 0, 5, 0, 0, 0, 2, 0 }, { 2, 6, 0, 0, 7, 0, 1, 0, 2, 0 },
    { 1, 0, 2, 1, 5, 6, 0, 0, 2, 3 }, { 1, 0, 2, 0, 7, 8, 0, 0, 2, 2 },
    { 1, 0, 0, 0, 7, 7, 1, 0, 4, 0 }, { 2, 6, 0, 0, 5, 5, 1, 0, 2, 0 },
};

// Which of three subsets a texel is in, two bits a texel; of two:
// gv_bptc_partitions2.
static const uint32_t partitions3[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0,
    0x5a5a5050, 0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4,
    0xa9a59450, 0x2a0a4250, 0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454,
    0x6a6a4040, 0xa4a45000, 0x1a1a0500, 0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400,
    0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200, 0xa9a58000, 0x5090a0a8, 0xa8a09050,
    0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50, 0x500aa550, 0xaaaa4444,
    0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600, 0xaa444444,
    0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44,
    0x2a4a5254,
};
// The texels whose indices lack their highest bit, after texel 0.
static const uint8_t anchors3[2][64] = {
    {
        3, 3,  15, 15, 8, 3,  15, 15, 8,  8,  6,  6,  6,  5,  3,  3,
        3, 3,  8,  15, 3, 3,  6,  10, 5,  8,  8,  6,  8,  5,  15, 15,
        8, 15, 3,  5,  6, 10, 8,  15, 15, 3,  15, 5,  15, 15, 15, 15,
        3, 15, 5,  5,  5, 8,  5,  10, 5,  10, 8,  13, 15, 12, 3,  3,
    },
    {
        15, 8, 8,  3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,
        15, 8, 15, 3,  15, 8,  15, 8,  3,  15, 6,  10, 15, 15, 10, 8,
        15, 3, 15, 10, 10, 8,  9,  10, 6,  15, 8,  15, 3,  6,  6,  8,
        15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8,
    },
};

struct block {
    const struct mode *mode;
    uint32_t partition, rotation, selector;
    uint8_t ends[3][2][4]; // subset, end, component
};

// `bits` bits to eight, the highest repeated below.
static uint8_t widen(uint32_t value, uint32_t bits)
{
    value <<= 8 - bits;
    return (uint8_t)(value | value >> bits);
}

static void read_ends(struct block *b, struct gv_bptc_bits *bits)
{
    const struct mode *m = b->mode;
    uint32_t raw[3][2][4] = { { { 0 } } };
    for (int c = 0; c < 4; c++)
        for (int e = 0; e < 2 * m->subsets; e++)
            raw[e / 2][e % 2][c] = gv_bptc_take(bits, c < 3 ? m->color : m->alpha);
    uint32_t p_bits = m->endpoint_p | m->subset_p, p = 0;
    for (int e = 0; e < 2 * m->subsets; e++) {
        if (m->endpoint_p || (m->subset_p && e % 2 == 0))
            p = gv_bptc_take(bits, 1);
        for (int c = 0; c < 4; c++) {
            uint32_t width = c < 3 ? m->color : m->alpha;
            b->ends[e / 2][e % 2][c] =
                width ? widen(raw[e / 2][e % 2][c] << p_bits | p, width + p_bits) : 255;
        }
    }
}

static uint32_t subset_of(const struct block *b, uint32_t texel)
{
    if (b->mode->subsets == 2)
        return gv_bptc_partitions2[b->partition] >> texel & 1u;
    return b->mode->subsets == 3 ? partitions3[b->partition] >> (2 * texel) & 3 : 0;
}

static bool is_anchor(const struct block *b, uint32_t texel)
{
    if (texel == 0)
        return true;
    if (b->mode->subsets == 2)
        return texel == gv_bptc_anchors2[b->partition];
    return b->mode->subsets == 3 &&
           (texel == anchors3[0][b->partition] || texel == anchors3[1][b->partition]);
}

static uint8_t mix(uint32_t a, uint32_t b, uint32_t weight)
{
    return (uint8_t)(((64 - weight) * a + weight * b + 32) >> 6);
}

static void put_texel(const struct block *b, uint32_t texel, uint32_t color_weight,
                      uint32_t alpha_weight, uint8_t *rgba)
{
    uint32_t subset = subset_of(b, texel);
    const uint8_t *from = b->ends[subset][0], *to = b->ends[subset][1];
    for (int c = 0; c < 4; c++)
        rgba[c] = mix(from[c], to[c], c < 3 ? color_weight : alpha_weight);
    if (b->rotation) { // alpha changes places with red, green or blue
        uint8_t kept = rgba[3];
        rgba[3] = rgba[b->rotation - 1];
        rgba[b->rotation - 1] = kept;
    }
}

static void put_texels(const struct block *b, struct gv_bptc_bits *bits, uint8_t *rgba)
{
    const struct mode *m = b->mode;
    uint8_t first[16], second[16];
    for (uint32_t i = 0; i < 16; i++)
        first[i] =
            gv_bptc_weights[m->index]
                           [gv_bptc_take(bits, m->index - (is_anchor(b, i) ? 1u : 0u))];
    for (uint32_t i = 0; i < 16; i++)
        second[i] = m->index2
                        ? gv_bptc_weights[m->index2]
                                         [gv_bptc_take(bits, m->index2 - (i ? 0u : 1u))]
                        : first[i];
    for (uint32_t i = 0; i < 16; i++)
        put_texel(b, i, b->selector ? second[i] : first[i],
                  b->selector ? first[i] : second[i], rgba + (size_t)4 * i);
}

void gv_bc7_decode_block(const uint8_t *block, uint8_t rgba[GV_BC_TEXELS_BYTES])
{
    struct gv_bptc_bits bits = { gv_load_u64(block), gv_load_u64(block + 8) };
    uint32_t mode = 0;
    while (mode < 8 && gv_bptc_take(&bits, 1) == 0)
        mode++;
    if (mode == 8) { // reserved
        memset(rgba, 0, GV_BC_TEXELS_BYTES);
        return;
    }
    struct block b = { .mode = &modes[mode] };
    b.partition = gv_bptc_take(&bits, b.mode->partition);
    b.rotation = gv_bptc_take(&bits, b.mode->rotation);
    b.selector = gv_bptc_take(&bits, b.mode->selector);
    read_ends(&b, &bits);
    put_texels(&b, &bits, rgba);
}
