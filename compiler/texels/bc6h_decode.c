// Khronos Data Format Specification 1.3, chapter 20 "BPTC Compressed Texture Image
// Formats": BC6H. All arithmetic is exact there, so that every decoder gives these
// texels.
#include "compiler/texels/bc6h_decode.h"

#include "compiler/texels/bptc_block.h"
#include "resources/base/cursor.h"
#include "vm/formats.h"

#include <string.h>

#define TEXELS (GV_BC_SIDE * GV_BC_SIDE)
#define HALF_ONE 0x3C00u

// ---- modes ----

// Where bits of a block go, in their order: component, end point (0 and 1 of the first
// subset, 2 and 3 of the second), lowest bit, count. Counts below 0 are reversed.
struct field {
    char component;
    uint8_t end, low;
    int8_t count;
};

#define MOST_FIELDS 24

static const struct mode {
    uint8_t number, number_bits; // as the block's first bits have it
    uint8_t bits, deltas[3];     // of end point 0; of the others
    bool differs, two;           // the others are differences; two subsets
    struct field fields[MOST_FIELDS];
} modes[] = {
    { 0x00,
      2,
      10,
      { 5, 5, 5 },
      true,
      true,
      { { 'g', 2, 4, 1 },
        { 'b', 2, 4, 1 },
        { 'b', 3, 4, 1 },
        { 'r', 0, 0, 10 },
        { 'g', 0, 0, 10 },
        { 'b', 0, 0, 10 },
        { 'r', 1, 0, 5 },
        { 'g', 3, 4, 1 },
        { 'g', 2, 0, 4 },
        { 'g', 1, 0, 5 },
        { 'b', 3, 0, 1 },
        { 'g', 3, 0, 4 },
        { 'b', 1, 0, 5 },
        { 'b', 3, 1, 1 },
        { 'b', 2, 0, 4 },
        { 'r', 2, 0, 5 },
        { 'b', 3, 2, 1 },
        { 'r', 3, 0, 5 },
        { 'b', 3, 3, 1 } } },
    { 0x01,
      2,
      7,
      { 6, 6, 6 },
      true,
      true,
      { { 'g', 2, 5, 1 }, { 'g', 3, 4, 2 }, { 'r', 0, 0, 7 }, { 'b', 3, 0, 2 },
        { 'b', 2, 4, 1 }, { 'g', 0, 0, 7 }, { 'b', 2, 5, 1 }, { 'b', 3, 2, 1 },
        { 'g', 2, 4, 1 }, { 'b', 0, 0, 7 }, { 'b', 3, 3, 1 }, { 'b', 3, 5, 1 },
        { 'b', 3, 4, 1 }, { 'r', 1, 0, 6 }, { 'g', 2, 0, 4 }, { 'g', 1, 0, 6 },
        { 'g', 3, 0, 4 }, { 'b', 1, 0, 6 }, { 'b', 2, 0, 4 }, { 'r', 2, 0, 6 },
        { 'r', 3, 0, 6 } } },
    { 0x02,
      5,
      11,
      { 5, 4, 4 },
      true,
      true,
      { { 'r', 0, 0, 10 },
        { 'g', 0, 0, 10 },
        { 'b', 0, 0, 10 },
        { 'r', 1, 0, 5 },
        { 'r', 0, 10, 1 },
        { 'g', 2, 0, 4 },
        { 'g', 1, 0, 4 },
        { 'g', 0, 10, 1 },
        { 'b', 3, 0, 1 },
        { 'g', 3, 0, 4 },
        { 'b', 1, 0, 4 },
        { 'b', 0, 10, 1 },
        { 'b', 3, 1, 1 },
        { 'b', 2, 0, 4 },
        { 'r', 2, 0, 5 },
        { 'b', 3, 2, 1 },
        { 'r', 3, 0, 5 },
        { 'b', 3, 3, 1 } } },
    { 0x06,
      5,
      11,
      { 4, 5, 4 },
      true,
      true,
      { { 'r', 0, 0, 10 }, { 'g', 0, 0, 10 }, { 'b', 0, 0, 10 }, { 'r', 1, 0, 4 },
        { 'r', 0, 10, 1 }, { 'g', 3, 4, 1 },  { 'g', 2, 0, 4 },  { 'g', 1, 0, 5 },
        { 'g', 0, 10, 1 }, { 'g', 3, 0, 4 },  { 'b', 1, 0, 4 },  { 'b', 0, 10, 1 },
        { 'b', 3, 1, 1 },  { 'b', 2, 0, 4 },  { 'r', 2, 0, 4 },  { 'b', 3, 0, 1 },
        { 'b', 3, 2, 1 },  { 'r', 3, 0, 4 },  { 'g', 2, 4, 1 },  { 'b', 3, 3, 1 } } },
    { 0x0A,
      5,
      11,
      { 4, 4, 5 },
      true,
      true,
      { { 'r', 0, 0, 10 },
        { 'g', 0, 0, 10 },
        { 'b', 0, 0, 10 },
        { 'r', 1, 0, 4 },
        { 'r', 0, 10, 1 },
        { 'b', 2, 4, 1 },
        { 'g', 2, 0, 4 },
        { 'g', 1, 0, 4 },
        { 'g', 0, 10, 1 },
        { 'b', 3, 0, 1 },
        { 'g', 3, 0, 4 },
        { 'b', 1, 0, 5 },
        { 'b', 0, 10, 1 },
        { 'b', 2, 0, 4 },
        { 'r', 2, 0, 4 },
        { 'b', 3, 1, 2 },
        { 'r', 3, 0, 4 },
        { 'b', 3, 4, 1 },
        { 'b', 3, 3, 1 } } },
    { 0x0E,
      5,
      9,
      { 5, 5, 5 },
      true,
      true,
      { { 'r', 0, 0, 9 },
        { 'b', 2, 4, 1 },
        { 'g', 0, 0, 9 },
        { 'g', 2, 4, 1 },
        { 'b', 0, 0, 9 },
        { 'b', 3, 4, 1 },
        { 'r', 1, 0, 5 },
        { 'g', 3, 4, 1 },
        { 'g', 2, 0, 4 },
        { 'g', 1, 0, 5 },
        { 'b', 3, 0, 1 },
        { 'g', 3, 0, 4 },
        { 'b', 1, 0, 5 },
        { 'b', 3, 1, 1 },
        { 'b', 2, 0, 4 },
        { 'r', 2, 0, 5 },
        { 'b', 3, 2, 1 },
        { 'r', 3, 0, 5 },
        { 'b', 3, 3, 1 } } },
    { 0x12,
      5,
      8,
      { 6, 5, 5 },
      true,
      true,
      { { 'r', 0, 0, 8 },
        { 'g', 3, 4, 1 },
        { 'b', 2, 4, 1 },
        { 'g', 0, 0, 8 },
        { 'b', 3, 2, 1 },
        { 'g', 2, 4, 1 },
        { 'b', 0, 0, 8 },
        { 'b', 3, 3, 2 },
        { 'r', 1, 0, 6 },
        { 'g', 2, 0, 4 },
        { 'g', 1, 0, 5 },
        { 'b', 3, 0, 1 },
        { 'g', 3, 0, 4 },
        { 'b', 1, 0, 5 },
        { 'b', 3, 1, 1 },
        { 'b', 2, 0, 4 },
        { 'r', 2, 0, 6 },
        { 'r', 3, 0, 6 } } },
    { 0x16,
      5,
      8,
      { 5, 6, 5 },
      true,
      true,
      { { 'r', 0, 0, 8 }, { 'b', 3, 0, 1 }, { 'b', 2, 4, 1 }, { 'g', 0, 0, 8 },
        { 'g', 2, 5, 1 }, { 'g', 2, 4, 1 }, { 'b', 0, 0, 8 }, { 'g', 3, 5, 1 },
        { 'b', 3, 4, 1 }, { 'r', 1, 0, 5 }, { 'g', 3, 4, 1 }, { 'g', 2, 0, 4 },
        { 'g', 1, 0, 6 }, { 'g', 3, 0, 4 }, { 'b', 1, 0, 5 }, { 'b', 3, 1, 1 },
        { 'b', 2, 0, 4 }, { 'r', 2, 0, 5 }, { 'b', 3, 2, 1 }, { 'r', 3, 0, 5 },
        { 'b', 3, 3, 1 } } },
    { 0x1A,
      5,
      8,
      { 5, 5, 6 },
      true,
      true,
      { { 'r', 0, 0, 8 }, { 'b', 3, 1, 1 }, { 'b', 2, 4, 1 }, { 'g', 0, 0, 8 },
        { 'b', 2, 5, 1 }, { 'g', 2, 4, 1 }, { 'b', 0, 0, 8 }, { 'b', 3, 5, 1 },
        { 'b', 3, 4, 1 }, { 'r', 1, 0, 5 }, { 'g', 3, 4, 1 }, { 'g', 2, 0, 4 },
        { 'g', 1, 0, 5 }, { 'b', 3, 0, 1 }, { 'g', 3, 0, 4 }, { 'b', 1, 0, 6 },
        { 'b', 2, 0, 4 }, { 'r', 2, 0, 5 }, { 'b', 3, 2, 1 }, { 'r', 3, 0, 5 },
        { 'b', 3, 3, 1 } } },
    { 0x1E,
      5,
      6,
      { 6, 6, 6 },
      false,
      true,
      { { 'r', 0, 0, 6 }, { 'g', 3, 4, 1 }, { 'b', 3, 0, 2 }, { 'b', 2, 4, 1 },
        { 'g', 0, 0, 6 }, { 'g', 2, 5, 1 }, { 'b', 2, 5, 1 }, { 'b', 3, 2, 1 },
        { 'g', 2, 4, 1 }, { 'b', 0, 0, 6 }, { 'g', 3, 5, 1 }, { 'b', 3, 3, 1 },
        { 'b', 3, 5, 1 }, { 'b', 3, 4, 1 }, { 'r', 1, 0, 6 }, { 'g', 2, 0, 4 },
        { 'g', 1, 0, 6 }, { 'g', 3, 0, 4 }, { 'b', 1, 0, 6 }, { 'b', 2, 0, 4 },
        { 'r', 2, 0, 6 }, { 'r', 3, 0, 6 } } },
    { 0x03,
      5,
      10,
      { 10, 10, 10 },
      false,
      false,
      { { 'r', 0, 0, 10 },
        { 'g', 0, 0, 10 },
        { 'b', 0, 0, 10 },
        { 'r', 1, 0, 10 },
        { 'g', 1, 0, 10 },
        { 'b', 1, 0, 10 } } },
    { 0x07,
      5,
      11,
      { 9, 9, 9 },
      true,
      false,
      { { 'r', 0, 0, 10 },
        { 'g', 0, 0, 10 },
        { 'b', 0, 0, 10 },
        { 'r', 1, 0, 9 },
        { 'r', 0, 10, 1 },
        { 'g', 1, 0, 9 },
        { 'g', 0, 10, 1 },
        { 'b', 1, 0, 9 },
        { 'b', 0, 10, 1 } } },
    { 0x0B,
      5,
      12,
      { 8, 8, 8 },
      true,
      false,
      { { 'r', 0, 0, 10 },
        { 'g', 0, 0, 10 },
        { 'b', 0, 0, 10 },
        { 'r', 1, 0, 8 },
        { 'r', 0, 10, -2 },
        { 'g', 1, 0, 8 },
        { 'g', 0, 10, -2 },
        { 'b', 1, 0, 8 },
        { 'b', 0, 10, -2 } } },
    { 0x0F,
      5,
      16,
      { 4, 4, 4 },
      true,
      false,
      { { 'r', 0, 0, 10 },
        { 'g', 0, 0, 10 },
        { 'b', 0, 0, 10 },
        { 'r', 1, 0, 4 },
        { 'r', 0, 10, -6 },
        { 'g', 1, 0, 4 },
        { 'g', 0, 10, -6 },
        { 'b', 1, 0, 4 },
        { 'b', 0, 10, -6 } } },
};

// NULL: reserved.
static const struct mode *take_mode(struct gv_bptc_bits *bits)
{
    uint32_t number = gv_bptc_take(bits, 2), size = 2;
    if (number > 1) {
        number |= gv_bptc_take(bits, 3) << 2;
        size = 5;
    }
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i].number == number && modes[i].number_bits == size)
            return &modes[i];
    return NULL;
}

// ---- end points ----

struct block {
    const struct mode *mode;
    bool is_signed;
    uint32_t partition;
    int32_t ends[4][3]; // of 16 bits after all
};

// The lowest `bits` bits as a number with a sign.
static int32_t extended(int32_t v, uint32_t bits)
{
    const int32_t sign = 1 << (bits - 1), low = v & (2 * sign - 1);
    return low < sign ? low : low - 2 * sign;
}

static void take_ends(struct block *b, struct gv_bptc_bits *bits)
{
    for (size_t i = 0; i < MOST_FIELDS && b->mode->fields[i].count; i++) {
        const struct field *f = &b->mode->fields[i];
        const uint32_t c = f->component == 'r' ? 0 : f->component == 'g' ? 1 : 2;
        const uint32_t count = (uint32_t)(f->count < 0 ? -f->count : f->count);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t at = f->low + (f->count < 0 ? count - 1 - k : k);
            b->ends[f->end][c] |= (int32_t)(gv_bptc_take(bits, 1) << at);
        }
    }
}

// An end point's component to the 16 bits that are interpolated.
static int32_t widened(int32_t v, uint32_t bits, bool is_signed)
{
    const uint32_t digits = is_signed ? bits - 1 : bits;
    const int32_t size = v < 0 ? -v : v;
    int32_t wide = ((size << 15) + 0x4000) >> (bits - 1);
    if (bits >= 15 && digits >= 15)
        return v;
    if (size == 0)
        return 0;
    if (size >= (1 << digits) - 1)
        wide = is_signed ? 0x7FFF : 0xFFFF;
    return v < 0 ? -wide : wide;
}

// Differences to values, of which those of signed blocks have a sign.
static void resolve(struct block *b)
{
    const struct mode *m = b->mode;
    for (uint32_t c = 0; c < 3; c++) {
        for (uint32_t e = 1; m->differs && e < 4; e++)
            b->ends[e][c] = (b->ends[0][c] + extended(b->ends[e][c], m->deltas[c])) &
                            ((1 << m->bits) - 1);
        for (uint32_t e = 0; e < 4; e++) {
            const int32_t v = b->ends[e][c];
            b->ends[e][c] =
                widened(b->is_signed ? extended(v, m->bits) : v, m->bits, b->is_signed);
        }
    }
}

// ---- texels ----

// What is interpolated, to a half float's bits.
static uint16_t half_bits(int32_t v, bool is_signed)
{
    if (!is_signed)
        return (uint16_t)((v * 31) >> 6);
    return (uint16_t)(v < 0 ? 0x8000 | ((-v * 31) >> 5) : (v * 31) >> 5);
}

static void put_texels(const struct block *b, struct gv_bptc_bits *bits,
                       uint16_t out[TEXELS][4])
{
    const bool two = b->mode->two;
    const uint32_t width = two ? 3 : 4;
    for (uint32_t i = 0; i < TEXELS; i++) {
        const bool anchor = i == 0 || (two && i == gv_bptc_anchors2[b->partition]);
        const int32_t weight =
            gv_bptc_weights[width][gv_bptc_take(bits, width - (anchor ? 1u : 0u))];
        const size_t subset = two ? gv_bptc_partitions2[b->partition] >> i & 1u : 0;
        for (uint32_t c = 0; c < 3; c++) {
            const int32_t from = b->ends[2 * subset][c],
                          to = b->ends[2 * subset + 1][c];
            out[i][c] =
                half_bits((from * (64 - weight) + to * weight + 32) >> 6, b->is_signed);
        }
    }
}

static void decode_block(const uint8_t *block, bool is_signed, uint16_t out[TEXELS][4])
{
    struct gv_bptc_bits bits = { gv_load_u64(block), gv_load_u64(block + 8) };
    struct block b = { .mode = take_mode(&bits), .is_signed = is_signed };
    memset(out, 0, (size_t)TEXELS * sizeof *out);
    for (uint32_t i = 0; i < TEXELS; i++)
        out[i][3] = HALF_ONE;
    if (!b.mode)
        return;
    take_ends(&b, &bits);
    b.partition = b.mode->two ? gv_bptc_take(&bits, 5) : 0;
    resolve(&b);
    put_texels(&b, &bits, out);
}

bool gv_bc6h_is_format(uint32_t format)
{
    return format == GV_FORMAT_BC6H_UFLOAT_BLOCK ||
           format == GV_FORMAT_BC6H_SFLOAT_BLOCK;
}

void gv_bc6h_decode(const struct gv_bc_image *image, uint8_t *rgba)
{
    const bool is_signed = image->format == GV_FORMAT_BC6H_SFLOAT_BLOCK;
    uint16_t texels[TEXELS][4];
    for (uint32_t y = 0; y < image->height; y += GV_BC_SIDE)
        for (uint32_t x = 0; x < image->width; x += GV_BC_SIDE) {
            const uint32_t left = image->width - x, below = image->height - y;
            const uint32_t columns = left < GV_BC_SIDE ? left : GV_BC_SIDE;
            decode_block(image->blocks + (size_t)(y / GV_BC_SIDE) * image->pitch +
                             (size_t)(x / GV_BC_SIDE) * 16,
                         is_signed, texels);
            for (uint32_t i = 0; i < below && i < GV_BC_SIDE; i++)
                memcpy(rgba + ((size_t)(y + i) * image->width + x) * sizeof *texels,
                       texels[(size_t)i * GV_BC_SIDE], columns * sizeof *texels);
        }
}
