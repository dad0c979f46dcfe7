#include "compiler/texels/stored_texels.h"

#include <math.h>
#include <string.h>

#include "compiler/texels/byte_texels.h"
#include "compiler/texels/client_texels.h"
#include "vm/formats.h"

static uint8_t letter_place(char letter)
{
    static const char letters[] = "RGBA";
    return (uint8_t)(strchr(letters, letter) - letters);
}

bool gv_stored_layout(uint32_t format, const uint8_t source[4], const uint8_t *kept,
                      struct gv_stored_texel *out)
{
    const struct gv_format_info *info = gv_format_info(format);
    if (!info || info->compressed || info->aspects != 1 || info->block_bytes > 16)
        return false;
    *out = (struct gv_stored_texel){ .bytes = info->block_bytes,
                                     .count = info->component_count,
                                     .kind = info->kind,
                                     .bytewise = info->kind == GV_FORMAT_KIND_UNORM ||
                                                 info->kind == GV_FORMAT_KIND_SRGB,
                                     .format = format };
    // Names of packed formats begin at the highest bit, those of others at byte 0.
    bool packed = strstr(info->name, "_PACK") != NULL;
    uint32_t shift = packed ? 8u * info->block_bytes : 0;
    for (uint32_t i = 0; i < out->count; i++) {
        uint8_t place = letter_place(info->components[i]);
        out->bits[i] = info->bits[i];
        shift -= packed ? info->bits[i] : 0;
        out->shift[i] = (uint8_t)shift;
        shift += packed ? 0 : info->bits[i];
        out->source[i] = source[place];
        out->kept[i] = kept ? kept[place] : 0;
        out->bytewise = out->bytewise && info->bits[i] <= 8;
    }
    return true;
}

// ---- texels as integers ----

static void put_field(uint8_t *to, uint32_t shift, uint32_t bits, uint32_t v)
{
    uint64_t spread = (uint64_t)v << shift % 8;
    uint32_t bytes = (shift % 8 + bits + 7) / 8;
    for (uint32_t i = 0; i < bytes; i++)
        to[shift / 8 + i] |= (uint8_t)(spread >> 8 * i);
}

void gv_store_rgba8(const struct gv_stored_texel *s, const uint8_t *rgba, size_t count,
                    uint8_t *to)
{
    struct gv_texel_bytes bytes;
    if (gv_stored_bytes(s, &bytes)) {
        gv_texel_bytes_make(&bytes, rgba, 4, count, to);
        return;
    }
    memset(to, 0, count * s->bytes);
    for (size_t t = 0; t < count; t++, rgba += 4, to += s->bytes) {
        const uint8_t values[6] = { rgba[0], rgba[1], rgba[2], rgba[3], 0, 255 };
        for (uint32_t i = 0; i < s->count; i++) {
            uint32_t v = values[s->source[i]];
            if (s->kept[i])
                v = gv_unorm_to_unorm(gv_unorm_to_unorm(v, 8, s->kept[i]), s->kept[i],
                                      8);
            put_field(to, s->shift[i], s->bits[i], gv_unorm_to_unorm(v, 8, s->bits[i]));
        }
    }
}

// ---- texels as floats ----

static uint32_t snorm(float f, uint32_t bits)
{
    float max = (float)((1u << (bits - 1)) - 1);
    if (!(f > -1))
        f = f <= -1 ? -1 : 0; // not a number: 0
    if (f > 1)
        f = 1;
    return (uint32_t)lrintf(f * max) & (bits == 32 ? UINT32_MAX : (1u << bits) - 1);
}

static uint32_t float_bits(float f)
{
    uint32_t v;
    memcpy(&v, &f, 4);
    return v;
}

// A float of 5 bits of exponent and `mantissa` bits, without a sign; rounded towards
// zero, as is usual for these formats; what is too large becomes the largest.
static uint32_t small_float(float f, uint32_t mantissa)
{
    if (isnan(f))
        return 31u << mantissa | 1;
    if (!(f > 0))
        return 0;
    if (isinf(f))
        return 31u << mantissa;
    uint32_t limit = (31u << mantissa) - 1;
    if (f >= 65536.0f)
        return limit;
    int exponent;
    float fraction = frexpf(f, &exponent); // 0.5 to 1
    if (exponent < -13)                    // below the smallest normal one, 2^-14
        return (uint32_t)ldexpf(f, 14 + (int)mantissa);
    uint32_t m = (uint32_t)ldexpf(fraction, (int)mantissa + 1) & ((1u << mantissa) - 1);
    return (uint32_t)(exponent + 14) << mantissa | m;
}

// Three mantissas of 9 bits and the exponent they share (EXT_texture_shared_exponent).
static uint32_t shared_exponent(const float rgb[3])
{
    const float limit = 65408.0f; // (2^9 - 1) / 2^9 * 2^16
    float c[3], max = 0;
    for (int i = 0; i < 3; i++) {
        c[i] = rgb[i] > 0 ? fminf(rgb[i], limit) : 0;
        max = fmaxf(max, c[i]);
    }
    int exponent = -16;
    if (max > 0) {
        (void)frexpf(max, &exponent);
        exponent = exponent - 1 < -16 ? -16 : exponent - 1;
    }
    exponent += 16; // biased by 15, and one more
    if (floorf(ldexpf(max, 24 - exponent) + 0.5f) >= 512.0f)
        exponent++;
    uint32_t v = (uint32_t)exponent << 27;
    for (int i = 0; i < 3; i++)
        v |= (uint32_t)floorf(ldexpf(c[i], 24 - exponent) + 0.5f) << 9 * i;
    return v;
}

static uint32_t stored_component(const struct gv_stored_texel *s, float f, uint32_t i)
{
    uint32_t bits = s->bits[i];
    if (s->kind == GV_FORMAT_KIND_SNORM)
        return snorm(f, bits);
    if (s->kind == GV_FORMAT_KIND_SFLOAT)
        return bits == 16 ? gv_float_to_half(f) : float_bits(f);
    if (s->kind == GV_FORMAT_KIND_UFLOAT)
        return small_float(f, bits - 5);
    if (s->kept[i])
        return gv_unorm_to_unorm(gv_float_to_unorm(f, s->kept[i]), s->kept[i], bits);
    return gv_float_to_unorm(f, bits);
}

void gv_store_rgba(const struct gv_stored_texel *s, const float *rgba, size_t count,
                   uint8_t *to)
{
    memset(to, 0, count * s->bytes);
    for (size_t t = 0; t < count; t++, rgba += 4, to += s->bytes) {
        if (s->format == GV_FORMAT_E5B9G9R9_UFLOAT_PACK32) {
            put_field(to, 0, 32, shared_exponent(rgba));
            continue;
        }
        const float values[6] = { rgba[0], rgba[1], rgba[2], rgba[3], 0, 1 };
        for (uint32_t i = 0; i < s->count; i++)
            put_field(to, s->shift[i], s->bits[i],
                      stored_component(s, values[s->source[i]], i));
    }
}

// ---- texels of integers ----

static uint32_t clamped(int64_t v, uint32_t bits, bool is_signed)
{
    const int64_t high = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;
    const int64_t low = is_signed ? -high - 1 : 0;
    v = v < low ? low : v > high ? high : v;
    return (uint32_t)(v & ((INT64_C(1) << bits) - 1));
}

void gv_store_integers(const struct gv_stored_texel *s, const int64_t *rgba,
                       size_t count, uint8_t *to)
{
    memset(to, 0, count * s->bytes);
    for (size_t t = 0; t < count; t++, rgba += 4, to += s->bytes) {
        const int64_t values[6] = { rgba[0], rgba[1], rgba[2], rgba[3], 0, 1 };
        for (uint32_t i = 0; i < s->count; i++)
            put_field(to, s->shift[i], s->bits[i],
                      clamped(values[s->source[i]], s->bits[i],
                              s->kind == GV_FORMAT_KIND_SINT));
    }
}
