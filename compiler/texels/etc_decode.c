// Khronos Data Format Specification 1.3, chapters 21 "ETC1 Compressed Texture Image
// Formats" and 22 "ETC2 Compressed Texture Image Formats": RGB, RGB with an alpha of
// one bit, RGBA. ETC1 is ETC2's RGB without what its colours leave over.
#include "compiler/texels/bc_decode.h"
#include "compiler/texels/eac_modifiers.h"

#include <string.h>

// A block's way to its colours: two of them, four paints that texels choose from.
struct paints {
    int32_t color[2][3];
    int32_t distance; // of T and H blocks
    bool clear;       // choice 2 is transparent black
};

static uint8_t clamped(int32_t v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void put(uint8_t *texel, const int32_t color[3], int32_t add)
{
    for (int i = 0; i < 3; i++)
        texel[i] = clamped(color[i] + add);
    texel[3] = 255;
}

// The choice of texel `x`, `y`: texels go down the columns, high bits stand first.
static uint32_t choice(const uint8_t *block, uint32_t x, uint32_t y)
{
    const uint32_t i = 4 * x + y;
    const uint32_t high = (uint32_t)block[4] << 8 | block[5],
                   low = (uint32_t)block[6] << 8 | block[7];
    return (high >> i & 1) << 1 | (low >> i & 1);
}

// ---- two halves ----

static void decode_halves(const uint8_t *block, const struct paints *p, uint8_t *rgba)
{
    static const int32_t modifiers[8][2] = { { 2, 8 },    { 5, 17 },  { 9, 29 },
                                             { 13, 42 },  { 18, 60 }, { 24, 80 },
                                             { 33, 106 }, { 47, 183 } };
    const uint32_t tables[2] = { block[3] >> 5, block[3] >> 2 & 7 };
    const bool flipped = block[3] & 1;
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 4; x++, rgba += 4) {
            const uint32_t half = (flipped ? y : x) > 1, c = choice(block, x, y);
            int32_t add = modifiers[tables[half]][c & 1];
            if (p->clear && c == 2)
                memset(rgba, 0, 4);
            else
                put(rgba, p->color[half], p->clear && c == 0 ? 0 : c > 1 ? -add : add);
        }
}

// ---- T and H ----

static void spread(int32_t color[3], uint32_t r, uint32_t g, uint32_t b)
{
    color[0] = (int32_t)(r * 17);
    color[1] = (int32_t)(g * 17);
    color[2] = (int32_t)(b * 17);
}

static void decode_t_or_h(const uint8_t *block, const struct paints *p, bool is_h,
                          uint8_t *rgba)
{
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 4; x++, rgba += 4) {
            const uint32_t c = choice(block, x, y);
            const int32_t signs[2][4] = { { 0, 1, 0, -1 }, { 1, -1, 1, -1 } };
            const bool second = is_h ? c > 1 : c > 0;
            if (p->clear && c == 2)
                memset(rgba, 0, 4);
            else
                put(rgba, p->color[second], signs[is_h][c] * p->distance);
        }
}

static const int32_t distances[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

static void decode_t(const uint8_t *b, struct paints *p, uint8_t *rgba)
{
    spread(p->color[0], (uint32_t)(b[0] >> 1 & 12) | (b[0] & 3), b[1] >> 4, b[1] & 15);
    spread(p->color[1], b[2] >> 4, b[2] & 15, b[3] >> 4);
    p->distance = distances[(b[3] >> 1 & 6) | (b[3] & 1)];
    decode_t_or_h(b, p, false, rgba);
}

static void decode_h(const uint8_t *b, struct paints *p, uint8_t *rgba)
{
    const uint32_t first[3] = { b[0] >> 3 & 15,
                                (uint32_t)((b[0] & 7) << 1) | (b[1] >> 4 & 1),
                                (uint32_t)(b[1] & 8) | (uint32_t)((b[1] & 3) << 1) |
                                    b[2] >> 7 };
    const uint32_t second[3] = { b[2] >> 3 & 15,
                                 (uint32_t)((b[2] & 7) << 1) | b[3] >> 7,
                                 b[3] >> 3 & 15 };
    const uint32_t a = first[0] << 8 | first[1] << 4 | first[2],
                   c = second[0] << 8 | second[1] << 4 | second[2];
    spread(p->color[0], first[0], first[1], first[2]);
    spread(p->color[1], second[0], second[1], second[2]);
    p->distance = distances[(b[3] & 4) | (uint32_t)((b[3] & 1) << 1) | (a >= c)];
    decode_t_or_h(b, p, true, rgba);
}

// ---- planar ----

static int32_t six(uint32_t v)
{
    return (int32_t)(v << 2 | v >> 4);
}
static int32_t seven(uint32_t v)
{
    return (int32_t)(v << 1 | v >> 6);
}

static void decode_planar(const uint8_t *b, uint8_t *rgba)
{
    const int32_t origin[3] = { six(b[0] >> 1 & 63),
                                seven((uint32_t)((b[0] & 1) << 6) | (b[1] >> 1 & 63)),
                                six((uint32_t)((b[1] & 1) << 5) | (b[2] & 24) |
                                    (uint32_t)((b[2] & 3) << 1) | b[3] >> 7) };
    const int32_t across[3] = { six((b[3] >> 1 & 62) | (b[3] & 1)), seven(b[4] >> 1),
                                six((uint32_t)((b[4] & 1) << 5) | b[5] >> 3) };
    const int32_t down[3] = { six((uint32_t)((b[5] & 7) << 3) | b[6] >> 5),
                              seven((uint32_t)((b[6] & 31) << 2) | b[7] >> 6),
                              six(b[7] & 63) };
    for (int32_t y = 0; y < 4; y++)
        for (int32_t x = 0; x < 4; x++, rgba += 4) {
            for (int i = 0; i < 3; i++) {
                const int32_t sum = x * (across[i] - origin[i]) +
                                    y * (down[i] - origin[i]) + 4 * origin[i] + 2;
                rgba[i] = clamped(sum < 0 ? 0 : sum / 4);
            }
            rgba[3] = 255;
        }
}

// ---- blocks ----

static int32_t five(int32_t v)
{
    return v << 3 | v >> 2;
}

// Five bits and a signed difference of three; what leaves the range picks another way.
static void decode_differences(const uint8_t *block, struct paints *p, uint8_t *rgba)
{
    bool fits[3];
    for (int i = 0; i < 3; i++) {
        const int32_t from = block[i] >> 3, by = (block[i] & 3) - (block[i] & 4),
                      to = from + by;
        fits[i] = to >= 0 && to < 32;
        p->color[0][i] = five(from);
        p->color[1][i] = fits[i] ? five(to) : 0;
    }
    if (!fits[0])
        decode_t(block, p, rgba);
    else if (!fits[1])
        decode_h(block, p, rgba);
    else if (!fits[2])
        decode_planar(block, rgba);
    else
        decode_halves(block, p, rgba);
}

void gv_etc_decode_rgb(const uint8_t *block, uint8_t rgba[GV_BC_TEXELS_BYTES])
{
    struct paints p = { .clear = false };
    if (block[3] & 2) {
        decode_differences(block, &p, rgba);
        return;
    }
    spread(p.color[0], block[0] >> 4, block[1] >> 4, block[2] >> 4);
    spread(p.color[1], block[0] & 15, block[1] & 15, block[2] & 15);
    decode_halves(block, &p, rgba);
}

void gv_etc_decode_rgb_a1(const uint8_t *block, uint8_t rgba[GV_BC_TEXELS_BYTES])
{
    struct paints p = { .clear = !(block[3] & 2) };
    decode_differences(block, &p, rgba);
}

// EAC: eight bits, and a multiple of one of eight modifiers for each texel.
void gv_etc_decode_rgba(const uint8_t *block, uint8_t rgba[GV_BC_TEXELS_BYTES])
{
    uint64_t choices = 0;
    for (int i = 2; i < 8; i++)
        choices = choices << 8 | block[i];
    gv_etc_decode_rgb(block + 8, rgba);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 4; x++) {
            const uint32_t c = choices >> (45 - 3 * (4 * x + y)) & 7;
            const int32_t add = gv_eac_modifiers[block[1] & 15][c] * (block[1] >> 4);
            rgba[4 * (4 * y + x) + 3] = clamped(block[0] + add);
        }
}
