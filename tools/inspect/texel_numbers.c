#include "tools/inspect/texel_numbers.h"

#include <math.h>
#include <string.h>

#include "resources/base/cursor.h"
#include "vm/calls.h"

bool gv_texel_plane(struct gv_texel *out, uint32_t format, uint32_t aspect,
                    struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info(format);
    if (info && aspect == GV_ASPECT_STENCIL) {
        *out = (struct gv_texel){ .bytes = 1,
                                  .components = 1,
                                  .bits = { 8 },
                                  .kind = GV_FORMAT_KIND_UINT,
                                  .grey = true };
        return true;
    }
    return (info && gv_texel_lay_out(out, info, GV_TEXEL_GREY)) ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: texels of %.40s; a file that ends in .raw has its "
                   "blocks",
                   info ? info->name : "no format");
}

// ---- one component ----

static uint64_t load(const uint8_t *p, uint32_t shift, uint32_t width)
{
    uint64_t value = 0;
    const uint32_t bytes = (shift % 8 + width + 7) / 8;
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)p[shift / 8 + i] << (8 * i);
    value >>= shift % 8;
    return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

// Of 5 bits of exponent and so many of mantissa, without a sign.
static double small(uint64_t bits, uint32_t mantissa)
{
    const uint64_t exponent = bits >> mantissa & 31;
    const uint64_t rest = bits & ((UINT64_C(1) << mantissa) - 1);
    if (exponent == 31)
        return rest ? (double)NAN : (double)INFINITY;
    if (!exponent)
        return ldexp((double)rest, -14 - (int)mantissa);
    return ldexp((double)(rest | UINT64_C(1) << mantissa),
                 (int)exponent - 15 - (int)mantissa);
}

static double float_of(uint64_t bits, uint32_t width)
{
    const uint32_t low = (uint32_t)bits;
    float single;
    double wide;
    switch (width) {
    case 10:
        return small(bits, 5);
    case 11:
        return small(bits, 6);
    case 16:
        return bits >> 15 ? -small(bits & 0x7fff, 10) : small(bits, 10);
    case 32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    default:
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    }
}

static double number_of(const struct gv_texel *t, uint64_t bits, uint32_t width)
{
    const double top =
        width == 64 ? 18446744073709551615.0 : (double)((UINT64_C(1) << width) - 1);
    const bool negative = width && bits >> (width - 1);
    const double whole = negative ? (double)bits - top - 1 : (double)bits;
    switch ((enum gv_format_kind)t->kind) {
    case GV_FORMAT_KIND_UNORM:
    case GV_FORMAT_KIND_SRGB:
        return (double)bits / top;
    case GV_FORMAT_KIND_SNORM:
        return fmax(whole / ((top - 1) / 2), -1);
    case GV_FORMAT_KIND_UINT:
    case GV_FORMAT_KIND_USCALED:
        return (double)bits;
    case GV_FORMAT_KIND_SINT:
    case GV_FORMAT_KIND_SSCALED:
        return whole;
    case GV_FORMAT_KIND_UFLOAT:
    case GV_FORMAT_KIND_SFLOAT:
        break;
    }
    return float_of(bits, width);
}

void gv_texel_numbers(const struct gv_texel *t, const uint8_t *from, double numbers[4])
{
    const bool shared = t->format == GV_FORMAT_E5B9G9R9_UFLOAT_PACK32;
    const uint32_t bits = shared ? gv_load_u32(from) : 0;
    for (uint32_t i = 0; i < t->components; i++)
        numbers[i] = number_of(t, load(from, t->shift[i], t->bits[i]), t->bits[i]);
    for (uint32_t i = 0; shared && i < t->components; i++)
        numbers[i] = ldexp((double)(bits >> (9 * (t->place[i] % 3)) & 0x1ff),
                           (int)(bits >> 27) - 15 - 9);
}

// ---- many ----

bool gv_texel_range_of(const struct gv_texel *t, const uint8_t *from, uint64_t count,
                       struct gv_texel_range *range)
{
    double numbers[4] = { 0 };
    *range = (struct gv_texel_range){ (double)INFINITY, -(double)INFINITY };
    for (uint64_t i = 0; i < count; i++, from += t->bytes) {
        gv_texel_numbers(t, from, numbers);
        for (uint32_t k = 0; k < t->components; k++) {
            if (!isfinite(numbers[k]) || t->place[k] > 2) // alpha is none
                continue;
            range->low = fmin(range->low, numbers[k]);
            range->high = fmax(range->high, numbers[k]);
        }
    }
    return range->low <= range->high;
}

bool gv_texel_is_colour(const struct gv_texel *t)
{
    return (t->kind == GV_FORMAT_KIND_UNORM || t->kind == GV_FORMAT_KIND_SRGB) &&
           !(gv_format_info(t->format) &&
             gv_format_info(t->format)->aspects & GV_ASPECT_DEPTH);
}

static uint8_t shade(double number, const struct gv_texel_range *range)
{
    const double part = (number - range->low) / (range->high - range->low);
    if (!(part > 0)) // also what is no number, and a range of nothing
        return 0;
    return part >= 1 ? 255 : (uint8_t)lround(part * 255);
}

void gv_texel_show(const struct gv_texel *t, const uint8_t *from, uint64_t count,
                   const struct gv_texel_range *range, uint8_t *rgba)
{
    const struct gv_texel_range all = { 0, 1 };
    double numbers[4] = { 0 };
    for (uint64_t i = 0; i < count; i++, from += t->bytes, rgba += 4) {
        uint8_t found[5] = { 0, 0, 0, 255, 0 };
        gv_texel_numbers(t, from, numbers);
        for (uint32_t k = 0; k < t->components; k++)
            found[t->place[k]] = shade(numbers[k], t->place[k] > 2 ? &all : range);
        if (t->grey)
            found[1] = found[2] = found[0];
        memcpy(rgba, found, 4);
    }
}
