// Blocks of colours (S3TC) as Mesa's compressor makes them: the darkest and the
// brightest texel as ends, moved by the mean error, then the better of four or three
// colours.
#include <stdlib.h>
#include <string.h>

#include "compiler/texels/block_encode.h"

#define TRANSPARENT 127 // alpha up to this is none
enum { RED, GREEN, BLUE, COMPONENTS };
static const int weights[COMPONENTS] = { 4, 16, 1 }; // of squared differences

struct texels {
    const uint8_t (*rgba)[4][4];
    uint32_t width, height;
    bool punched; // transparent texels have no colour
};

static bool has_color(const struct texels *t, const uint8_t rgba[4])
{
    return !t->punched || rgba[3] > TRANSPARENT;
}

static int distance(const uint8_t *texel, const int *color)
{
    int sum = 0;
    for (int i = 0; i < COMPONENTS; i++)
        sum += (texel[i] - color[i]) * (texel[i] - color[i]) * weights[i];
    return sum;
}

// Which of `count` colours is nearest; the first of several.
static int nearest(const uint8_t *texel, int colors[][COMPONENTS], int count,
                   int *error)
{
    int best = 0;
    *error = distance(texel, colors[0]);
    for (int i = 1; i < count; i++) {
        const int d = distance(texel, colors[i]);
        if (d < *error) {
            *error = d;
            best = i;
        }
    }
    return best;
}

static int packed(const int *c)
{
    return (c[RED] & 0xf8) << 8 | (c[GREEN] & 0xfc) << 3 | c[BLUE] >> 3;
}

// ---- ends ----

static void widen(const struct texels *t, int ends[2][COMPONENTS])
{
    static const int black[COMPONENTS] = { 0, 0, 0 };
    const uint8_t *low = t->rgba[0][0], *high = low;
    for (uint32_t y = 0; y < t->height; y++)
        for (uint32_t x = 0; x < t->width; x++) {
            const uint8_t *at = t->rgba[y][x];
            if (!has_color(t, at))
                continue;
            if (distance(at, black) > distance(high, black))
                high = at;
            else if (distance(at, black) < distance(low, black))
                low = at;
        }
    for (int i = 0; i < COMPONENTS; i++) {
        ends[0][i] = low[i];
        ends[1][i] = high[i];
    }
}

static void palette(int ends[2][COMPONENTS], int colors[4][COMPONENTS])
{
    for (int i = 0; i < COMPONENTS; i++) {
        colors[0][i] = ends[0][i];
        colors[1][i] = ends[1][i];
        colors[2][i] = (ends[0][i] * 2 + ends[1][i]) / 3;
        colors[3][i] = (ends[0][i] + ends[1][i] * 2) / 3;
    }
}

static int byte(int v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

// Moves each end by the mean error of what it has a share in, transparent texels too.
static void balance(const struct texels *t, int ends[2][COMPONENTS])
{
    static const int shares[4][2] = { { 3, 0 }, { 0, 3 }, { 2, 1 }, { 1, 2 } };
    int colors[4][COMPONENTS], sums[2][COMPONENTS] = { { 0 } }, counts[2] = { 0, 0 };
    palette(ends, colors);
    for (uint32_t y = 0; y < t->height; y++)
        for (uint32_t x = 0; x < t->width; x++) {
            int error;
            const int at = nearest(t->rgba[y][x], colors, 4, &error);
            for (int e = 0; e < 2; e++) {
                counts[e] += shares[at][e];
                for (int i = 0; i < COMPONENTS; i++)
                    sums[e][i] += shares[at][e] * (t->rgba[y][x][i] - colors[at][i]);
            }
        }
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < COMPONENTS; i++)
            ends[e][i] = byte(ends[e][i] + sums[e][i] / (counts[e] ? counts[e] : 1));
}

// Ends that might get the same 16 bits are pulled apart. Red of one end is held against
// green of the other, as in Mesa.
static void pull_apart(int ends[2][COMPONENTS])
{
    const int red = abs(ends[0][RED] - ends[1][RED]);
    const int green = 2 * abs(ends[0][GREEN] - ends[1][GREEN]);
    const int blue = abs(ends[0][BLUE] - ends[1][BLUE]);
    int most = red > green ? red : green;
    if (red >= 8 || green >= 8 || blue >= 8)
        return;
    most = most > blue ? most : blue;
    if (most == 0)
        return;
    const int factor = most > 4 ? 2 : most > 2 ? 3 : 4;
    const bool second = ends[1][GREEN] >= ends[0][GREEN];
    int *high = ends[second], *low = ends[!second];
    high[GREEN] = byte(high[GREEN] + factor * green);
    int *to = high[RED] > low[GREEN] ? high : low;
    to[RED] = byte(to[RED] + factor * red);
    to = high[BLUE] > low[BLUE] ? high : low;
    to[BLUE] = byte(to[BLUE] + factor * blue);
}

static void swap(int ends[2][COMPONENTS])
{
    int first[COMPONENTS];
    memcpy(first, ends[0], sizeof first);
    memcpy(ends[0], ends[1], sizeof first);
    memcpy(ends[1], first, sizeof first);
}

// ---- blocks ----

// Indices of a block and the sum of its texels' errors.
struct indices {
    uint32_t bits;
    int64_t error;
    bool transparent;
};

static struct indices four_colors(const struct texels *t, int ends[2][COMPONENTS])
{
    struct indices out = { 0 };
    int colors[4][COMPONENTS];
    palette(ends, colors);
    for (uint32_t y = 0; y < t->height; y++)
        for (uint32_t x = 0; x < t->width; x++) {
            int error;
            const int at = nearest(t->rgba[y][x], colors, 4, &error);
            out.bits |= (uint32_t)at << 2 * (y * 4 + x);
            out.error += error;
        }
    return out;
}

// The lower end comes first in such blocks.
static struct indices three_colors(const struct texels *t, int ends[2][COMPONENTS])
{
    static const uint32_t numbers[3] = { 1, 0, 2 };
    struct indices out = { 0 };
    int colors[3][COMPONENTS];
    for (int i = 0; i < COMPONENTS; i++) {
        colors[0][i] = ends[0][i];
        colors[1][i] = ends[1][i];
        colors[2][i] = (ends[0][i] + ends[1][i]) / 2;
    }
    for (uint32_t y = 0; y < t->height; y++)
        for (uint32_t x = 0; x < t->width; x++) {
            const uint32_t shift = 2 * (y * 4 + x);
            int error = 0;
            if (!has_color(t, t->rgba[y][x])) {
                out.bits |= 3u << shift;
                out.transparent = true;
            } else {
                out.bits |= numbers[nearest(t->rgba[y][x], colors, 3, &error)] << shift;
            }
            out.error += error;
        }
    return out;
}

static void put(uint8_t *to, uint32_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

void gv_block_encode_colors(enum gv_block_alpha alpha, const uint8_t rgba[4][4][4],
                            uint32_t width, uint32_t height, uint8_t block[8])
{
    const struct texels t = { rgba, width, height, alpha == GV_BLOCK_PUNCHED };
    int ends[2][COMPONENTS];
    widen(&t, ends);
    if (packed(ends[0]) >= packed(ends[1]))
        swap(ends);
    balance(&t, ends);
    pull_apart(ends);
    for (int e = 0; e < 2; e++) {
        ends[e][RED] &= 0xf8;
        ends[e][GREEN] &= 0xfc;
        ends[e][BLUE] &= 0xf8;
    }
    if (packed(ends[0]) < packed(ends[1]))
        swap(ends);
    struct indices four = four_colors(&t, ends), three = { 0 };
    bool fewer = false;
    if (alpha != GV_BLOCK_FOUR_COLORS) {
        three = three_colors(&t, ends);
        fewer = four.error > three.error || three.transparent;
    }
    put(block, (uint32_t)packed(ends[fewer]), 2);
    put(block + 2, (uint32_t)packed(ends[!fewer]), 2);
    put(block + 4, fewer ? three.bits : four.bits, 4);
}
