// Direct3D's rules of single operations, in C: what shader_values.def is written with.
#ifndef GV_TESTS_SHADER_RULES_H
#define GV_TESTS_SHADER_RULES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

union word {
    float f;
    int32_t i;
    uint32_t u;
};
struct vector {
    union word v[4];
};

#define ANY 0xabadcafeu // a result that no rule defines

static inline void set(struct vector *out, uint32_t x, uint32_t y, uint32_t z,
                       uint32_t w)
{
    *out = (struct vector){ { { .u = x }, { .u = y }, { .u = z }, { .u = w } } };
}

static inline void splat_u(struct vector *out, uint32_t x)
{
    set(out, x, x, x, x);
}

static inline void splat(struct vector *out, float x)
{
    union word w = { .f = x };
    splat_u(out, w.u);
}

static inline struct vector pick(struct vector v, int x, int y, int z, int w)
{
    return (struct vector){ { v.v[x], v.v[y], v.v[z], v.v[w] } };
}

// The double in the pair xy (n = 0) or zw (1) of a register.
static inline double pair(struct vector v, int n)
{
    double d;
    memcpy(&d, &v.v[2 * n], sizeof d);
    return d;
}

static inline void set_pairs(struct vector *out, double xy, double zw)
{
    memcpy(&out->v[0], &xy, sizeof xy);
    memcpy(&out->v[2], &zw, sizeof zw);
}

static inline double saturate_double(double x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

static inline uint32_t masked_difference(uint32_t reference, uint32_t source,
                                         uint32_t sum)
{
    for (int at = 0; at < 32; at += 8) {
        int32_t a = (int32_t)(reference >> at & 0xff),
                b = (int32_t)(source >> at & 0xff);
        sum += a == 0 ? 0u : (uint32_t)(a > b ? a - b : b - a);
    }
    return sum;
}

static inline float dot(struct vector a, struct vector b, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a.v[i].f * b.v[i].f;
    return sum;
}

static inline uint32_t truth(int condition)
{
    return condition ? 0xffffffffu : 0;
}

static inline float saturate(float x) // NaN becomes 0
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

static inline int32_t to_int(float x)
{
    if (isnan(x))
        return 0;
    return x >= 2147483648.0f ? INT32_MAX : x < -2147483648.0f ? INT32_MIN : (int32_t)x;
}

static inline uint32_t to_uint(float x)
{
    if (isnan(x) || x <= 0)
        return 0;
    return x >= 4294967296.0f ? UINT32_MAX : (uint32_t)x;
}

static inline float half_to_float(uint32_t h)
{
    int exponent = (int)(h >> 10 & 31);
    float fraction = (float)(h & 0x3ff) / 1024;
    float x = exponent == 31  ? h & 0x3ff ? NAN : INFINITY
              : exponent == 0 ? ldexpf(fraction, -14)
                              : ldexpf(1 + fraction, exponent - 15);
    return h & 0x8000 ? -x : x;
}

// Toward zero: the largest half that is no further from it; finite stays finite.
static inline uint32_t float_to_half(float x)
{
    uint32_t sign = signbit(x) ? 0x8000 : 0, low = 0, high = 0x7c00;
    if (isnan(x))
        return ANY;
    if (isinf(x))
        return sign | 0x7c00;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        *(half_to_float(middle) <= fabsf(x) ? &low : &high) = middle;
    }
    return sign | low;
}

static inline uint32_t high_product(int32_t a, int32_t b)
{
    return (uint32_t)((uint64_t)((int64_t)a * b) >> 32);
}

static inline uint32_t quotient(int32_t a, int32_t b)
{
    return b ? (uint32_t)((int64_t)a / b) : ~0u;
}

static inline uint32_t remainder_of(int32_t a, int32_t b)
{
    return b ? (uint32_t)((int64_t)a % b) : ~0u;
}

static inline uint32_t ubfe(uint32_t width, uint32_t offset, uint32_t x)
{
    uint32_t w = width & 31, o = offset & 31;
    if (w == 0)
        return 0;
    return w + o < 32 ? x << (32 - w - o) >> (32 - w) : x >> o;
}

static inline uint32_t ibfe(uint32_t width, uint32_t offset, int32_t x)
{
    uint32_t w = width & 31, o = offset & 31;
    if (w == 0)
        return 0;
    return w + o < 32 ? (uint32_t)((int32_t)((uint32_t)x << (32 - w - o)) >> (32 - w))
                      : (uint32_t)(x >> o);
}

static inline uint32_t bfi(uint32_t width, uint32_t offset, uint32_t x, uint32_t base)
{
    uint32_t mask = ((1u << (width & 31)) - 1) << (offset & 31);
    return (x << (offset & 31) & mask) | (base & ~mask);
}

static inline uint32_t reverse(uint32_t x)
{
    uint32_t out = 0;
    for (int i = 0; i < 32; i++)
        out |= (x >> i & 1) << (31 - i);
    return out;
}

static inline uint32_t count_bits(uint32_t x)
{
    uint32_t n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static inline uint32_t first_low(uint32_t x)
{
    for (uint32_t i = 0; i < 32; i++)
        if (x >> i & 1)
            return i;
    return ~0u;
}

static inline uint32_t first_high(uint32_t x) // counted from the top
{
    for (uint32_t i = 0; i < 32; i++)
        if (x >> (31 - i) & 1)
            return i;
    return ~0u;
}

#endif
