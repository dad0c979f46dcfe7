#include "compiler/texels/client_texels.h"

#include <math.h>
#include <string.h>

#include "compiler/texels/byte_texels.h"

// ---- numbers ----

float gv_half_to_float(uint16_t half)
{
    uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3FF;
    float magnitude;
    if (exponent == 31)
        magnitude = mantissa ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexpf((float)mantissa, -24);
    else
        magnitude = ldexpf((float)(mantissa | 0x400), (int)exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

uint16_t gv_float_to_half(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t magnitude = bits & 0x7FFFFFFF;
    if (magnitude > 0x7F800000)
        return sign | 0x7E00;
    if (magnitude >= 0x477FF000) // rounds to 65536 or more
        return sign | 0x7C00;
    if (magnitude < 0x38800000) {              // below the smallest normal half
        float scaled = fabsf(f) * 16777216.0f; // 2^24: the last place is 1
        return (uint16_t)(sign | (uint16_t)lrintf(scaled));
    }
    uint32_t rounded = magnitude + 0xFFF + (magnitude >> 13 & 1);
    return (uint16_t)(sign | ((rounded - 0x38000000) >> 13));
}

static uint32_t all_ones(uint32_t bits)
{
    return bits >= 32 ? UINT32_MAX : (1u << bits) - 1;
}

uint32_t gv_unorm_to_unorm(uint32_t x, uint32_t from, uint32_t to)
{
    if (from == to)
        return x;
    if (from > to)
        return (uint32_t)(((uint64_t)x * all_ones(to) + (all_ones(from) >> 1)) /
                          all_ones(from));
    uint32_t whole = x * (all_ones(to) / all_ones(from));
    return to % from ? whole + (x >> (from - to % from)) : whole;
}

uint32_t gv_float_to_unorm(float f, uint32_t bits)
{
    uint32_t max = all_ones(bits);
    if (!(f > 0))
        return 0;
    if (f >= 1)
        return max;
    return (uint32_t)lrint((double)f * max);
}

// ---- elements ----

static uint64_t load_le(const uint8_t *p, uint32_t bytes)
{
    uint64_t v = 0;
    for (uint32_t i = 0; i < bytes; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

// A texel with the bytes of its elements in order; at most 32 bytes... of 4 elements.
static const uint8_t *in_order(const struct gv_client_texel *c, const uint8_t *p,
                               uint8_t out[16])
{
    if (!c->swap || c->unit < 2)
        return p;
    for (uint32_t i = 0; i < c->bytes; i++)
        out[i] = p[i / c->unit * c->unit + (c->unit - 1 - i % c->unit)];
    return out;
}

// The bits of component `i` of fields, from the lowest on.
static uint32_t field(const struct gv_client_texel *c, const uint8_t *p, uint32_t i)
{
    uint32_t first = c->shift[i] / 8u, last = (c->shift[i] + c->bits[i] + 7u) / 8u;
    uint64_t v = load_le(p + first, last - first);
    return (uint32_t)(v >> c->shift[i] % 8u) & all_ones(c->bits[i]);
}

static float load_float(const uint8_t *p)
{
    uint32_t bits = (uint32_t)load_le(p, 4);
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static int32_t sign_extended(uint32_t v, uint32_t bits)
{
    uint32_t sign = bits ? 1u << (bits - 1) : 0;
    return (int32_t)((v ^ sign) - sign);
}

// A float without a sign: 5 bits of exponent, `mantissa` of the rest.
static float small_float(uint32_t v, uint32_t mantissa)
{
    return gv_half_to_float((uint16_t)(v << (10 - mantissa)));
}

// Component `i` as a number.
static double component(const struct gv_client_texel *c, const uint8_t *p, uint32_t i)
{
    switch ((enum gv_client_element)c->element) {
    case GV_CLIENT_UNORM: // as Mesa has it, to the last bit of a float
        if (c->bits[i] <= 16)
            return (double)((float)field(c, p, i) *
                            (1.0f / (float)all_ones(c->bits[i])));
        return field(c, p, i) / (double)all_ones(c->bits[i]);
    case GV_CLIENT_SNORM: {
        double v = sign_extended(field(c, p, i), c->bits[i]) /
                   (double)all_ones(c->bits[i] - 1u);
        return v < -1 ? -1 : v;
    }
    case GV_CLIENT_HALF:
        return (double)gv_half_to_float((uint16_t)load_le(p + (size_t)2 * i, 2));
    case GV_CLIENT_FLOAT:
    case GV_CLIENT_F32_X24S8:
        return (double)load_float(p + (size_t)4 * i);
    case GV_CLIENT_B10G11R11: {
        uint32_t v = (uint32_t)load_le(p, 4);
        return (double)(i < 2 ? small_float(v >> 11 * i & 0x7FF, 6)
                              : small_float(v >> 22, 5));
    }
    case GV_CLIENT_E5B9G9R9: {
        uint32_t v = (uint32_t)load_le(p, 4);
        return ldexp(v >> 9 * i & 0x1FF, (int)(v >> 27) - 24);
    }
    case GV_CLIENT_BIT:
        break;
    }
    return 0;
}

// ---- colours ----

void gv_client_rgba(const struct gv_client_texel *c, const uint8_t *from, size_t count,
                    float *rgba)
{
    uint8_t swapped[16] = { 0 };
    for (size_t t = 0; t < count; t++, from += c->bytes, rgba += 4) {
        const uint8_t *p = in_order(c, from, swapped);
        rgba[0] = rgba[1] = rgba[2] = 0;
        rgba[3] = 1;
        for (uint32_t i = 0; i < c->count; i++) {
            float v = (float)component(c, p, i);
            if (c->place[i] < 4)
                rgba[c->place[i]] = v;
            else if (c->place[i] == GV_CLIENT_LUMINANCE)
                rgba[0] = rgba[1] = rgba[2] = v;
        }
    }
}

static uint8_t component8(const struct gv_client_texel *c, const uint8_t *p, uint32_t i)
{
    uint32_t bits = c->bits[i];
    if (c->element == GV_CLIENT_UNORM)
        return (uint8_t)gv_unorm_to_unorm(field(c, p, i), bits, 8);
    if (c->element == GV_CLIENT_SNORM) {
        int32_t v = sign_extended(field(c, p, i), bits);
        return v < 0 ? 0 : (uint8_t)gv_unorm_to_unorm((uint32_t)v, bits - 1, 8);
    }
    return (uint8_t)gv_float_to_unorm((float)component(c, p, i), 8);
}

void gv_client_rgba8(const struct gv_client_texel *c, const uint8_t *from, size_t count,
                     uint8_t *rgba)
{
    struct gv_texel_bytes bytes;
    if (gv_client_bytes(c, &bytes)) {
        gv_texel_bytes_make(&bytes, from, c->bytes, count, rgba);
        return;
    }
    uint8_t swapped[16] = { 0 };
    for (size_t t = 0; t < count; t++, from += c->bytes, rgba += 4) {
        const uint8_t *p = in_order(c, from, swapped);
        rgba[0] = rgba[1] = rgba[2] = 0;
        rgba[3] = 255;
        for (uint32_t i = 0; i < c->count; i++) {
            uint8_t v = component8(c, p, i);
            if (c->place[i] < 4)
                rgba[c->place[i]] = v;
            else if (c->place[i] == GV_CLIENT_LUMINANCE)
                rgba[0] = rgba[1] = rgba[2] = v;
        }
    }
}

void gv_client_integers(const struct gv_client_texel *c, const uint8_t *from,
                        size_t count, int64_t *rgba)
{
    uint8_t swapped[16] = { 0 };
    for (size_t t = 0; t < count; t++, from += c->bytes, rgba += 4) {
        const uint8_t *p = in_order(c, from, swapped);
        rgba[0] = rgba[1] = rgba[2] = 0;
        rgba[3] = 1;
        for (uint32_t i = 0; i < c->count; i++) {
            int64_t v = field(c, p, i);
            if (c->element == GV_CLIENT_SNORM)
                v = sign_extended((uint32_t)v, c->bits[i]);
            if (c->place[i] < 4)
                rgba[c->place[i]] = v;
            else if (c->place[i] == GV_CLIENT_LUMINANCE)
                rgba[0] = rgba[1] = rgba[2] = v;
        }
    }
}

// ---- depth, stencil, indices ----

void gv_client_depth_stencil(const struct gv_client_texel *c, const uint8_t *from,
                             size_t count, double *depth, uint8_t *stencil)
{
    uint8_t swapped[16] = { 0 };
    for (size_t t = 0; t < count; t++, from += c->bytes) {
        const uint8_t *p = in_order(c, from, swapped);
        uint8_t s = 0;
        for (uint32_t i = 0; i < c->count; i++)
            if (c->place[i] == GV_CLIENT_STENCIL)
                s = (uint8_t)(c->element == GV_CLIENT_F32_X24S8 ? load_le(p + 4, 1)
                                                                : field(c, p, i));
        if (depth)
            depth[t] = component(c, p, 0);
        if (stencil)
            stencil[t] = s;
    }
}

static int32_t index_of(double v)
{
    if (!(v > -2147483648.0))
        return INT32_MIN;
    return v >= 2147483647.0 ? INT32_MAX : (int32_t)floor(v);
}

void gv_client_indices(const struct gv_client_texel *c, const uint8_t *from,
                       size_t first, size_t count, int32_t *indices)
{
    uint8_t swapped[16] = { 0 };
    for (size_t t = 0; t < count; t++) {
        size_t at = first + t;
        if (c->element == GV_CLIENT_BIT) {
            uint32_t bit = at % 8;
            indices[t] = from[at / 8] >> (c->lsb_first ? bit : 7 - bit) & 1;
            continue;
        }
        const uint8_t *p = in_order(c, from + at * c->bytes, swapped);
        if (c->element == GV_CLIENT_UNORM)
            indices[t] = (int32_t)field(c, p, 0);
        else if (c->element == GV_CLIENT_SNORM)
            indices[t] = sign_extended(field(c, p, 0), c->bits[0]);
        else
            indices[t] = index_of(component(c, p, 0));
    }
}
