#include "vm/texel.h"

#include "resources/base/cursor.h"
#include "vm/calls.h"

#include <math.h>
#include <string.h>

#define NO_PLACE 4 // one behind RGBA: written, and never read

// ---- layout ----

static uint8_t place_of(char letter)
{
    static const char order[] = "RGBA";
    const char *place = strchr(order, letter == 'D' ? 'R' : letter);
    return place ? (uint8_t)(place - order) : NO_PLACE;
}

// Packed formats list components from the highest bit down, the others by rising
// address (Vulkan 1.3, "Packed formats"). Depth is alone in its rows.
static void place_components(struct gv_texel *t, const struct gv_format_info *info)
{
    bool depth = info->aspects & GV_ASPECT_DEPTH;
    bool packed = !depth && strstr(info->name, "_PACK");
    unsigned at = packed ? 8u * t->bytes : 0;
    bool green_or_blue = false;
    t->components = depth ? 1 : info->component_count;
    for (uint32_t i = 0; i < t->components; i++) {
        t->bits[i] = info->bits[i];
        t->place[i] = place_of(info->components[i]);
        if (packed)
            at -= t->bits[i];
        t->shift[i] = (uint8_t)at;
        if (!packed)
            at += t->bits[i];
        green_or_blue |= t->place[i] == 1 || t->place[i] == 2;
    }
    t->grey = (t->style & GV_TEXEL_GREY) && !green_or_blue;
}

bool gv_texel_lay_out(struct gv_texel *texel, const struct gv_format_info *info,
                      uint32_t style)
{
    if (info->compressed || info->block_width != 1 || info->block_height != 1 ||
        info->block_bytes > 32)
        return false;
    uint32_t bytes = gv_format_aspect_bytes(info, GV_ASPECT_DEPTH);
    *texel = (struct gv_texel){ .format = info->value,
                                .style = style,
                                .bytes = bytes ? bytes : info->block_bytes,
                                .kind = info->kind };
    place_components(texel, info);
    return true;
}

// ---- one component ----

static uint8_t clamp_float(double value)
{
    if (!(value > 0)) // also NaN
        return 0;
    return value >= 1 ? 255 : (uint8_t)lround(value * 255);
}

// A float with `exponent` and `mantissa` bits and bias 2^(exponent-1)-1, as half floats
// and the unsigned floats of B10G11R11 are. `bits` has no sign.
static double small_float(uint32_t bits, uint32_t exponent, uint32_t mantissa)
{
    uint32_t e = bits >> mantissa & ((1u << exponent) - 1);
    uint32_t m = bits & ((1u << mantissa) - 1);
    int bias = (1 << (exponent - 1)) - 1;
    if (e == (1u << exponent) - 1)
        return m ? 0 : 2; // NaN shows black, infinity white
    if (e == 0)
        return ldexp((double)m, 1 - bias - (int)mantissa);
    return ldexp((double)(m | 1u << mantissa), (int)e - bias - (int)mantissa);
}

static double float_value(uint64_t bits, uint32_t width)
{
    float f;
    double d;
    uint32_t low = (uint32_t)bits;
    switch (width) {
    case 10:
        return small_float(low, 5, 5);
    case 11:
        return small_float(low, 5, 6);
    case 16:
        return low & 0x8000 ? 0 : small_float(low, 5, 10);
    case 32:
        memcpy(&f, &low, sizeof(f));
        return (double)f;
    case 64:
        memcpy(&d, &bits, sizeof(d));
        return d;
    default:
        return 0;
    }
}

static uint64_t top_of(uint32_t width)
{
    return width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

// Of integers whose negative half is black.
static uint8_t whole(const struct gv_texel *t, uint64_t value, uint64_t top)
{
    if (t->style & GV_TEXEL_SPAN)
        return clamp_float((double)value / (double)top);
    return value > 255 ? 255 : (uint8_t)value;
}

// Component bits to 0..255.
static uint8_t component(const struct gv_texel *t, uint64_t bits, uint32_t width)
{
    uint64_t top = top_of(width);
    bool negative = bits > top >> 1;
    switch ((enum gv_format_kind)t->kind) {
    case GV_FORMAT_KIND_UNORM:
    case GV_FORMAT_KIND_SRGB:
        return width == 8 ? (uint8_t)bits : clamp_float((double)bits / (double)top);
    case GV_FORMAT_KIND_SNORM:
        return negative ? 0 : clamp_float((double)bits / (double)(top >> 1));
    case GV_FORMAT_KIND_UINT:
    case GV_FORMAT_KIND_USCALED:
        return whole(t, bits, top);
    case GV_FORMAT_KIND_SINT:
    case GV_FORMAT_KIND_SSCALED:
        return negative ? 0 : whole(t, bits, top >> 1);
    case GV_FORMAT_KIND_UFLOAT:
    case GV_FORMAT_KIND_SFLOAT:
        break;
    }
    return clamp_float(float_value(bits, width));
}

// ---- one texel ----

// `width` bits of the little-endian number at `p`, from bit `shift` up.
static uint64_t load(const uint8_t *p, uint32_t shift, uint32_t width)
{
    uint64_t value = 0;
    uint32_t bytes = (shift % 8 + width + 7) / 8;
    p += shift / 8;
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value >> shift % 8 & top_of(width);
}

// E5B9G9R9: three 9-bit mantissas share an exponent of bias 15.
static void shared_exponent(const uint8_t *p, uint8_t rgba[4])
{
    uint32_t bits = gv_load_u32(p);
    for (uint32_t i = 0; i < 3; i++)
        rgba[i] = clamp_float(
            ldexp((double)(bits >> (9 * i) & 0x1ff), (int)(bits >> 27) - 15 - 9));
}

static void five_bits(const uint8_t *p, uint8_t rgba[4])
{
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t five = load(p, 5 * i, 5);
        rgba[i] = (uint8_t)(five << 3 | five >> 2);
    }
}

static void convert(const struct gv_texel *t, const uint8_t *p, uint8_t rgba[5])
{
    for (uint32_t i = 0; i < t->components; i++)
        rgba[t->place[i]] = component(t, load(p, t->shift[i], t->bits[i]), t->bits[i]);
    if (t->grey)
        rgba[1] = rgba[2] = rgba[0];
}

void gv_texel_convert(const struct gv_texel *texel, const uint8_t *from, uint64_t count,
                      uint8_t *rgba)
{
    if (texel->format == GV_FORMAT_R8G8B8A8_UNORM ||
        texel->format == GV_FORMAT_R8G8B8A8_SRGB) {
        memcpy(rgba, from, (size_t)count * 4);
        return;
    }
    for (uint64_t i = 0; i < count; i++, from += texel->bytes, rgba += 4) {
        uint8_t found[5] = { 0, 0, 0, 255, 0 };
        if (texel->format == GV_FORMAT_E5B9G9R9_UFLOAT_PACK32)
            shared_exponent(from, found);
        else if (texel->format == GV_FORMAT_X1B5G5R5_UNORM_PACK16)
            five_bits(from, found);
        else
            convert(texel, from, found);
        memcpy(rgba, found, 4);
    }
}
