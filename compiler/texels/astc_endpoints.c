#include "compiler/texels/astc_endpoints.h"

#include <stddef.h>

// ---- colours ----

static int32_t clamped(int32_t v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

static void put(int32_t to[4], int32_t r, int32_t g, int32_t b, int32_t a)
{
    to[0] = clamped(r);
    to[1] = clamped(g);
    to[2] = clamped(b);
    to[3] = clamped(a);
}

// Red and green nearer to blue ("blue contraction").
static void put_contracted(int32_t to[4], const int32_t from[4])
{
    put(to, (from[0] + from[2]) >> 1, (from[1] + from[2]) >> 1, from[2], from[3]);
}

// `ends` are as they are, or the other way round and contracted.
static void arrange(bool straight, const int32_t low[4], const int32_t up[4],
                    int32_t ends[2][4])
{
    if (straight) {
        put(ends[0], low[0], low[1], low[2], low[3]);
        put(ends[1], up[0], up[1], up[2], up[3]);
    } else {
        put_contracted(ends[0], up);
        put_contracted(ends[1], low);
    }
}

static void direct(const uint8_t *v, bool alpha, int32_t ends[2][4])
{
    const int32_t low[4] = { v[0], v[2], v[4], alpha ? v[6] : 255 };
    const int32_t up[4] = { v[1], v[3], v[5], alpha ? v[7] : 255 };
    arrange(up[0] + up[1] + up[2] >= low[0] + low[1] + low[2], low, up, ends);
}

// A base and an offset with a sign, whose top bit the base has in its place
// ("bit_transfer_signed").
static void transfer(const uint8_t *v, int32_t *base, int32_t *offset)
{
    *base = v[0] >> 1 | (v[1] & 0x80);
    *offset = v[1] >> 1 & 0x3F;
    if (*offset & 0x20)
        *offset -= 0x40;
}

static void offset(const uint8_t *v, bool alpha, int32_t ends[2][4])
{
    int32_t low[4] = { 0, 0, 0, 255 }, up[4] = { 0, 0, 0, 255 }, sum = 0;
    for (uint32_t i = 0; i < (alpha ? 4u : 3u); i++) {
        int32_t by;
        transfer(v + (size_t)2 * i, &low[i], &by);
        up[i] = low[i] + by;
        sum += i < 3 ? by : 0;
    }
    arrange(sum >= 0, low, up, ends);
}

static void scaled(const uint8_t *v, int32_t low_alpha, int32_t up_alpha,
                   int32_t ends[2][4])
{
    put(ends[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, low_alpha);
    put(ends[1], v[0], v[1], v[2], up_alpha);
}

static void luminance(int32_t low, int32_t up, int32_t ends[2][4])
{
    put(ends[0], low, low, low, 255);
    put(ends[1], up, up, up, 255);
}

static void luminance_alpha_offset(const uint8_t *v, int32_t ends[2][4])
{
    int32_t l, a, more_l, more_a;
    transfer(v, &l, &more_l);
    transfer(v + 2, &a, &more_a);
    put(ends[0], l, l, l, a);
    put(ends[1], l + more_l, l + more_l, l + more_l, a + more_a);
}

bool gv_astc_endpoints(uint32_t mode, const uint8_t *v, int32_t ends[2][4])
{
    const int32_t low = v[0] >> 2 | (v[1] & 0xC0);
    switch (mode) {
    case 0:
        luminance(v[0], v[1], ends);
        return true;
    case 1:
        luminance(low, low + (v[1] & 0x3F), ends);
        return true;
    case 4:
        put(ends[0], v[0], v[0], v[0], v[2]);
        put(ends[1], v[1], v[1], v[1], v[3]);
        return true;
    case 5:
        luminance_alpha_offset(v, ends);
        return true;
    case 6:
        scaled(v, 255, 255, ends);
        return true;
    case 10:
        scaled(v, v[4], v[5], ends);
        return true;
    case 8:
    case 12:
        direct(v, mode == 12, ends);
        return true;
    case 9:
    case 13:
        offset(v, mode == 13, ends);
        return true;
    default:
        return false;
    }
}

// ---- partitions ----

static uint32_t hash(uint32_t p)
{
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    return p;
}

uint32_t gv_astc_partition(uint32_t seed, uint32_t x, uint32_t y, uint32_t count)
{
    static const uint8_t rounds[4] = { 14, 10, 6, 2 };
    if (count == 1)
        return 0;
    seed += (count - 1) * 1024;
    const uint32_t random = hash(seed), by_seed = seed & 2 ? 4 : 5,
                   by_count = count == 3 ? 6 : 5;
    const uint32_t shifts[2] = { seed & 1 ? by_seed : by_count,
                                 seed & 1 ? by_count : by_seed };
    uint32_t best = 0, largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t a = random >> 8 * i & 15, b = random >> (8 * i + 4) & 15;
        const uint32_t value = ((a * a >> shifts[0]) * x + (b * b >> shifts[1]) * y +
                                (random >> rounds[i])) &
                               0x3F;
        if (i == 0 || value > largest) {
            best = i;
            largest = value;
        }
    }
    return best;
}
