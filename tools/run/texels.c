#include "tools/run/texels.h"

#include <math.h>
#include <string.h>

#include "vm/calls.h"
#include "vm/formats.h"

// Where one component lies in a texel, and what it becomes.
struct component {
    unsigned shift, bits; // in the texel as one little-endian number
    char letter;
};

struct layout {
    struct component components[4];
    uint32_t count, bytes;
    enum gv_format_kind kind;
};

static bool is_packed(const char *name)
{
    return strstr(name, "_PACK") != NULL;
}

// Packed formats list components from the highest bit down, the others by rising
// address (Vulkan 1.3, "Packed formats").
static void lay_out(const struct gv_format_info *info, struct layout *out)
{
    *out = (struct layout){ .bytes = info->block_bytes,
                            .kind = (enum gv_format_kind)info->kind,
                            .count = info->component_count };
    bool packed = is_packed(info->name);
    unsigned at = packed ? 8u * info->block_bytes : 0;
    for (uint32_t i = 0; i < out->count; i++) {
        unsigned bits = info->bits[i];
        if (packed)
            at -= bits;
        out->components[i] = (struct component){ at, bits, info->components[i] };
        if (!packed)
            at += bits;
    }
}

// Depth as posts hold it: D16, f32, or u32 with 24 low bits.
static void lay_out_depth(const struct gv_format_info *info, struct layout *out)
{
    uint32_t bytes = gv_format_aspect_bytes(info, GV_ASPECT_DEPTH);
    bool real = info->kind == GV_FORMAT_KIND_SFLOAT;
    *out = (struct layout){ .bytes = bytes,
                            .kind = (enum gv_format_kind)info->kind,
                            .count = 1 };
    out->components[0] = (struct component){ 0,
                                             bytes == 2 ? 16u
                                             : real     ? 32u
                                                        : 24u,
                                             'R' };
}

static bool can_convert(const struct layout *layout)
{
    for (uint32_t i = 0; i < layout->count; i++) {
        unsigned bits = layout->components[i].bits;
        if (bits == 0 || bits > 32)
            return false;
        if (layout->kind == GV_FORMAT_KIND_SFLOAT && bits != 16 && bits != 32)
            return false;
    }
    return layout->count > 0 && layout->kind != GV_FORMAT_KIND_UFLOAT &&
           layout->bytes <= 16;
}

// `bits` bits of the little-endian number at `texel`, from bit `shift` up.
static uint32_t read_bits(const uint8_t *texel, unsigned shift, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bits; i++) {
        unsigned at = shift + i;
        value |= (uint64_t)(texel[at / 8] >> at % 8 & 1) << i;
    }
    return (uint32_t)value;
}

static float half_to_float(uint32_t half)
{
    int exponent = (int)(half >> 10 & 31);
    float mantissa = (float)(half & 1023);
    float value = exponent == 0 ? ldexpf(mantissa, -24)
                                : ldexpf(mantissa + 1024.0f, exponent - 25);
    return half >> 15 ? -value : value;
}

static uint8_t to_byte(float value)
{
    if (!(value > 0)) // not a number too
        return 0;
    return value >= 1 ? 255 : (uint8_t)lrintf(value * 255);
}

static uint8_t convert(uint32_t value, unsigned bits, enum gv_format_kind kind)
{
    uint64_t top = ((uint64_t)1 << bits) - 1;
    float real;
    switch (kind) {
    case GV_FORMAT_KIND_UNORM:
    case GV_FORMAT_KIND_USCALED:
    case GV_FORMAT_KIND_UINT:
    case GV_FORMAT_KIND_SRGB:
        return (uint8_t)(((uint64_t)value * 255 + top / 2) / top);
    case GV_FORMAT_KIND_SNORM:
    case GV_FORMAT_KIND_SSCALED:
    case GV_FORMAT_KIND_SINT: // the negative half is black
        return value > top / 2 ? 0 : convert(value, bits - 1, GV_FORMAT_KIND_UNORM);
    case GV_FORMAT_KIND_SFLOAT:
        memcpy(&real, &value, sizeof real);
        return to_byte(bits == 16 ? half_to_float(value) : real);
    case GV_FORMAT_KIND_UFLOAT:
        break;
    }
    return 0;
}

static void convert_texel(const struct layout *layout, const uint8_t *texel,
                          uint8_t rgba[4])
{
    uint8_t found[4] = { 0, 0, 0, 255 };
    bool colours[3] = { false, false, false };
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct component *c = &layout->components[i];
        uint8_t value =
            convert(read_bits(texel, c->shift, c->bits), c->bits, layout->kind);
        static const char order[] = "RGBA";
        const char *place = strchr(order, c->letter);
        if (!place || !*place)
            continue; // X: unused bits
        size_t index = (size_t)(place - order);
        found[index] = value;
        if (c->letter != 'A')
            colours[index] = true;
    }
    if (colours[0] && !colours[1] && !colours[2])
        found[1] = found[2] = found[0];
    memcpy(rgba, found, 4);
}

// As consoles' five bits are shown: repeated, not scaled.
static void convert_x1b5g5r5(const uint8_t *texel, uint8_t rgba[4])
{
    for (unsigned i = 0; i < 3; i++) {
        uint32_t five = read_bits(texel, 5 * i, 5);
        rgba[i] = (uint8_t)(five << 3 | five >> 2);
    }
    rgba[3] = 255;
}

bool gv_texels_to_rgba(uint32_t format, const uint8_t *data, size_t size,
                       uint32_t width, uint32_t height, uint8_t *rgba,
                       struct gv_error *err)
{
    const struct gv_format_info *info = gv_export_format_info(format);
    struct layout layout;
    if (!info)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: picture of an export without a format");
    if (info->aspects & GV_ASPECT_DEPTH)
        lay_out_depth(info, &layout);
    else
        lay_out(info, &layout);
    if (info->compressed || !can_convert(&layout))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: picture of format %s", info->name);
    size_t texels = (size_t)width * height;
    if (texels > size / layout.bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the export is smaller than its %ux%u texels", width, height);
    for (size_t i = 0; i < texels; i++) {
        const uint8_t *texel = data + i * layout.bytes;
        if (format == GV_FORMAT_X1B5G5R5_UNORM_PACK16)
            convert_x1b5g5r5(texel, rgba + 4 * i);
        else
            convert_texel(&layout, texel, rgba + 4 * i);
    }
    return true;
}
