#include "runtime/vk/work/picture.h"

#include "resources/base/cursor.h"
#include "vm/calls.h"

#include <math.h>
#include <string.h>

bool gv_picture_convertible(const struct gv_format_info *info)
{
    return !info->compressed && info->aspects == GV_ASPECT_COLOR &&
           info->block_width == 1 && info->block_height == 1 && info->block_bytes <= 32;
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

static int64_t sign_extend(uint64_t bits, uint32_t width)
{
    uint64_t sign = (uint64_t)1 << (width - 1);
    return (int64_t)((bits ^ sign) - sign);
}

// Component bits of a kind to 0..255.
static uint8_t component(uint64_t bits, uint32_t width, enum gv_format_kind kind)
{
    uint64_t max = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    int64_t value;
    switch (kind) {
    case GV_FORMAT_KIND_UNORM:
    case GV_FORMAT_KIND_SRGB:
        if (width == 8)
            return (uint8_t)bits;
        return clamp_float((double)bits / (double)max);
    case GV_FORMAT_KIND_SNORM:
        return clamp_float((double)sign_extend(bits, width) / (double)(max >> 1));
    case GV_FORMAT_KIND_UINT:
    case GV_FORMAT_KIND_USCALED:
        return bits > 255 ? 255 : (uint8_t)bits;
    case GV_FORMAT_KIND_SINT:
    case GV_FORMAT_KIND_SSCALED:
        value = sign_extend(bits, width);
        return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
    case GV_FORMAT_KIND_UFLOAT:
    case GV_FORMAT_KIND_SFLOAT:
        break;
    }
    return clamp_float(float_value(bits, width));
}

// ---- one texel ----

static uint64_t load(const uint8_t *p, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

// Index in RGBA, or 4 for what a picture has no place for.
static int channel(char letter)
{
    switch (letter) {
    case 'R':
        return 0;
    case 'G':
        return 1;
    case 'B':
        return 2;
    case 'A':
        return 3;
    }
    return 4;
}

// E5B9G9R9: three 9-bit mantissas share an exponent of bias 15.
static void shared_exponent(const uint8_t *p, uint8_t rgba[4])
{
    uint32_t bits = gv_load_u32(p);
    for (uint32_t i = 0; i < 3; i++)
        rgba[i] = clamp_float(
            ldexp((double)(bits >> (9 * i) & 0x1ff), (int)(bits >> 27) - 15 - 9));
    rgba[3] = 255;
}

// PACK formats name their components from the highest bits of one little-endian word
// down; others in the order of their bytes.
static void convert_texel(const struct gv_format_info *info, bool packed,
                          const uint8_t *p, uint8_t rgba[5])
{
    uint64_t word = packed ? load(p, info->block_bytes) : 0;
    uint32_t top = info->block_bytes * 8u;
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = 255;
    for (uint32_t i = 0; i < info->component_count; i++) {
        uint32_t width = info->bits[i];
        uint64_t bits;
        if (packed) {
            top -= width;
            bits = word >> top & (((uint64_t)1 << width) - 1);
        } else {
            bits = load(p, width / 8);
            p += width / 8;
        }
        rgba[channel(info->components[i])] =
            component(bits, width, (enum gv_format_kind)info->kind);
    }
}

// ---- rows ----

static void convert_row(const struct gv_format_info *info, const uint8_t *texels,
                        uint32_t width, uint8_t *rgba)
{
    bool packed = strstr(info->name, "_PACK") != NULL;
    uint8_t texel[5];
    if (info->value == GV_FORMAT_R8G8B8A8_UNORM ||
        info->value == GV_FORMAT_R8G8B8A8_SRGB) {
        memcpy(rgba, texels, (size_t)width * 4);
        return;
    }
    for (uint32_t x = 0; x < width; x++) {
        if (info->value == GV_FORMAT_E5B9G9R9_UFLOAT_PACK32)
            shared_exponent(texels, texel);
        else
            convert_texel(info, packed, texels, texel);
        memcpy(rgba, texel, 4);
        texels += info->block_bytes;
        rgba += 4;
    }
}

void gv_picture_convert(const struct gv_format_info *info, const uint8_t *texels,
                        uint32_t width, uint32_t height, uint32_t flags, uint8_t *rgba)
{
    for (uint32_t y = 0; y < height; y++) {
        uint32_t from = flags & GV_PRESENT_FLIP_Y ? height - 1 - y : y;
        uint8_t *row = rgba + (size_t)y * width * 4;
        convert_row(info, texels + (size_t)from * width * info->block_bytes, width,
                    row);
        if (flags & GV_PRESENT_OPAQUE)
            for (uint32_t x = 0; x < width; x++)
                row[4 * (size_t)x + 3] = 255;
    }
}
