// Blocks of BPTC as Mesa's compressor makes them: mode 4 of BC7, mode 3 of BC6H, whose
// ends are the means of the darker and of the brighter texels.
#include <string.h>

#include "compiler/texels/block_encode.h"
#include "compiler/texels/client_texels.h"

#define LARGEST_HALF 65504.0f

// Bits of a block, lowest first.
struct writer {
    uint8_t *to;
    uint32_t at; // bits
};

// A value of more bits than `count` runs over into the rest of the byte in which its
// field ends, as in Mesa: an index of texel 0 may be one bit too long.
static void put(struct writer *w, uint32_t count, uint32_t value)
{
    const uint32_t end = (w->at + count + 7) / 8 * 8;
    for (uint32_t i = 0; w->at + i < end && i < 32; i++)
        w->to[(w->at + i) / 8] |= (uint8_t)((value >> i & 1) << (w->at + i) % 8);
    w->at += count;
}

// ---- BC7 ----

struct ends {
    int v[2][4];
};

static int brightness(const uint8_t *rgba)
{
    return rgba[0] + rgba[1] + rgba[2];
}

static int brightness_of_end(const int *end)
{
    return end[0] + end[1] + end[2];
}

static void swap(int *a, int *b)
{
    const int kept = *a;
    *a = *b;
    *b = kept;
}

// Means of the texels below and above the mean. Which half a texel's alpha is in, its
// blue decides, as in Mesa.
static void find_ends(const uint8_t rgba[4][4][4], uint32_t width, uint32_t height,
                      struct ends *out)
{
    const int count = (int)(width * height);
    int sums[2][4] = { { 0 } }, below[2] = { 0, 0 }, mean = 0, mean_alpha = 0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            mean += brightness(rgba[y][x]);
            mean_alpha += rgba[y][x][3];
        }
    mean /= count;
    mean_alpha /= count;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *at = rgba[y][x];
            const bool dark = brightness(at) < mean, thin = at[2] < mean_alpha;
            below[0] += dark;
            below[1] += thin;
            for (int i = 0; i < 3; i++)
                sums[!dark][i] += at[i];
            sums[!thin][3] += at[3];
        }
    for (int i = 0; i < 4; i++) {
        const int n = below[i == 3];
        const bool one = n == 0 || n == count;
        const int all = (sums[0][i] + sums[1][i]) / count;
        out->v[0][i] = one ? all : sums[0][i] / n;
        out->v[1][i] = one ? all : sums[1][i] / (count - n);
    }
}

// The highest bit of texel 0's index is not stored: it is to be nearer to the first
// end.
static void order_ends(const uint8_t *first, struct ends *e)
{
    const int dark = brightness_of_end(e->v[0]), bright = brightness_of_end(e->v[1]);
    int middle = (dark + bright) / 2;
    if ((brightness(first) <= middle) != (dark <= middle))
        for (int i = 0; i < 3; i++)
            swap(&e->v[0][i], &e->v[1][i]);
    middle = (e->v[0][3] + e->v[1][3]) / 2;
    if ((first[3] <= middle) != (e->v[0][3] <= middle))
        swap(&e->v[0][3], &e->v[1][3]);
}

static uint32_t clamped(int index, int most)
{
    return (uint32_t)(index < 0 ? 0 : index > most ? most : index);
}

// `bits` of each texel's index, one fewer of the first; 0 outside the image.
static void put_indices(struct writer *w, uint32_t bits, uint32_t indices[4][4],
                        uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 4; x++)
            put(w, bits - (x + y == 0), x < width && y < height ? indices[y][x] : 0);
}

void gv_block_encode_bptc(const uint8_t rgba[4][4][4], uint32_t width, uint32_t height,
                          uint8_t block[16])
{
    struct writer w = { block, 0 };
    struct ends e;
    uint32_t colors[4][4] = { { 0 } }, alphas[4][4] = { { 0 } };
    find_ends(rgba, width, height, &e);
    order_ends(rgba[0][0], &e);
    const int from = brightness_of_end(e.v[0]), to = brightness_of_end(e.v[1]);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            if (from != to)
                colors[y][x] =
                    clamped((brightness(rgba[y][x]) - from) * 3 / (to - from), 3);
            if (e.v[0][3] != e.v[1][3])
                alphas[y][x] = clamped(
                    (rgba[y][x][3] - e.v[0][3]) * 7 / (e.v[1][3] - e.v[0][3]), 7);
        }
    memset(block, 0, 16);
    put(&w, 5, 0x10); // mode 4
    put(&w, 3, 0);    // no rotation, no exchange of indices
    for (int i = 0; i < 3; i++)
        for (int end = 0; end < 2; end++)
            put(&w, 5, (uint32_t)e.v[end][i] >> 3);
    for (int end = 0; end < 2; end++)
        put(&w, 6, (uint32_t)e.v[end][3] >> 2);
    put_indices(&w, 2, colors, width, height);
    put_indices(&w, 3, alphas, width, height);
}

// ---- BC6H ----

struct float_ends {
    float v[2][3];
};

static float sum(const float *rgb)
{
    return rgb[0] + rgb[1] + rgb[2];
}

static float half_range(float v, bool is_signed)
{
    const float lowest = is_signed ? -LARGEST_HALF : 0.0f;
    return v > LARGEST_HALF ? LARGEST_HALF : v < lowest ? lowest : v;
}

static void find_float_ends(const float rgb[4][4][4], uint32_t width, uint32_t height,
                            bool is_signed, struct float_ends *out)
{
    const int count = (int)(width * height);
    float sums[2][3] = { { 0 } }, mean = 0;
    int below = 0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            mean += sum(rgb[y][x]);
    mean /= (float)count;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const bool dark = sum(rgb[y][x]) < mean;
            below += dark;
            for (int i = 0; i < 3; i++)
                sums[!dark][i] += rgb[y][x][i];
        }
    const bool one = below == 0 || below == count;
    for (int i = 0; i < 3; i++) {
        const float all = (sums[0][i] + sums[1][i]) / (float)count;
        const float low = one ? all : sums[0][i] / (float)below;
        const float high = one ? all : sums[1][i] / (float)(count - below);
        out->v[0][i] = half_range(low, is_signed);
        out->v[1][i] = half_range(high, is_signed);
    }
    const float dark = sum(out->v[0]), middle = (dark + sum(out->v[1])) / 2.0f;
    if ((sum(rgb[0][0]) <= middle) != (dark <= middle)) {
        float kept[3];
        memcpy(kept, out->v[0], sizeof kept);
        memcpy(out->v[0], out->v[1], sizeof kept);
        memcpy(out->v[1], kept, sizeof kept);
    }
}

// Ten bits, of which decoding makes halves again.
static uint32_t end_bits(float v, bool is_signed)
{
    const uint32_t half = gv_float_to_half(v), size = half & 0x7fff;
    if (!is_signed)
        return v > 0.0f ? 64 * half / 31 >> 6 : 0;
    const uint32_t bits = 32 * size / 31 >> 6;
    return (half & 0x8000 ? 0u - bits : bits) & 0x3ff;
}

void gv_block_encode_bptc_floats(const float rgb[4][4][4], uint32_t width,
                                 uint32_t height, bool is_signed, uint8_t block[16])
{
    struct writer w = { block, 0 };
    struct float_ends e;
    uint32_t indices[4][4] = { { 0 } };
    find_float_ends(rgb, width, height, is_signed, &e);
    const float from = sum(e.v[0]), to = sum(e.v[1]);
    for (uint32_t y = 0; from != to && y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const float at = (sum(rgb[y][x]) - from) * 15 / (to - from);
            indices[y][x] = at >= 15 ? 15 : at > 0 ? (uint32_t)at : 0;
        }
    memset(block, 0, 16);
    put(&w, 5, 3); // mode 3
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++)
            put(&w, 10, end_bits(e.v[end][i], is_signed));
    put_indices(&w, 4, indices, width, height);
}
