#include "vm/formats.h"

#include <string.h>

#include "resources/base/checked.h"
#include "vm/calls.h"

const struct gv_format_info gv_formats[] = {
#define GV_FORMAT(name, value, bytes, width, height, class, aspects, kind, letters, \
                  b0, b1, b2, b3, compressed)                                       \
    { #name,      value,                                                            \
      bytes,      width,                                                            \
      height,     GV_FORMAT_CLASS_##class,                                          \
      aspects,    GV_FORMAT_KIND_##kind,                                            \
      compressed, sizeof(letters) - 1,                                              \
      letters,    { b0, b1, b2, b3 } },
#include "vm/formats.def"
#undef GV_FORMAT
};
const size_t gv_format_count = sizeof gv_formats / sizeof gv_formats[0];

// Values of Vulkan 1.0 are dense from 1; later ones are found by bisection.
#define DENSE_LAST GV_FORMAT_ASTC_12x12_SRGB_BLOCK

const struct gv_format_info *gv_format_info(uint64_t value)
{
    if (value - 1 < DENSE_LAST)
        return &gv_formats[value - 1];
    size_t low = DENSE_LAST, high = gv_format_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gv_formats[middle].value == value)
            return &gv_formats[middle];
        if (gv_formats[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool gv_format_same_components(const struct gv_format_info *a,
                               const struct gv_format_info *b)
{
    for (uint32_t i = 0; i < a->component_count; i++) {
        const char *in_b = strchr(b->components, a->components[i]);
        if (!in_b || a->bits[i] != b->bits[in_b - b->components])
            return false;
    }
    return a->component_count == b->component_count;
}

bool gv_swizzle_is_straight(uint32_t swizzle)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t one = swizzle >> (4 * i) & 15;
        if (one != GV_SWIZZLE_IDENTITY && one != GV_SWIZZLE_R + i)
            return false;
    }
    return true;
}

static const struct gv_format_info x1b5g5r5 = {
    "X1B5G5R5_UNORM_PACK16",
    GV_FORMAT_X1B5G5R5_UNORM_PACK16,
    2,
    1,
    1,
    GV_FORMAT_CLASS_C16,
    GV_ASPECT_COLOR,
    GV_FORMAT_KIND_UNORM,
    false,
    4,
    "XBGR",
    { 1, 5, 5, 5 },
};

const struct gv_format_info *gv_export_format_info(uint64_t value)
{
    return value == x1b5g5r5.value ? &x1b5g5r5 : gv_format_info(value);
}

uint32_t gv_format_find(const char *name)
{
    if (strcmp(name, x1b5g5r5.name) == 0)
        return x1b5g5r5.value;
    for (size_t i = 0; i < gv_format_count; i++)
        if (strcmp(gv_formats[i].name, name) == 0)
            return gv_formats[i].value;
    return GV_FORMAT_NONE;
}

uint32_t gv_format_aspect_bytes(const struct gv_format_info *info, uint32_t aspect)
{
    if (!(info->aspects & aspect) || (aspect & (aspect - 1)))
        return 0;
    switch (aspect) {
    case GV_ASPECT_COLOR:
        return info->block_bytes;
    case GV_ASPECT_DEPTH:
        return info->bits[0] == 16 ? 2 : 4;
    default:
        return 1;
    }
}

uint32_t gv_format_vertex_alignment(const struct gv_format_info *info)
{
    uint32_t bits = info->bits[0];
    for (uint32_t i = 1; i < info->component_count; i++)
        if (info->bits[i] != bits)
            return info->block_bytes;
    return bits % 8 == 0 && bits ? bits / 8 : info->block_bytes;
}

static uint64_t blocks(uint32_t texels, uint8_t block)
{
    return ((uint64_t)texels + block - 1) / block;
}

uint64_t gv_format_row_bytes(const struct gv_format_info *info, uint32_t aspect,
                             uint32_t width)
{
    return blocks(width, info->block_width) * gv_format_aspect_bytes(info, aspect);
}

bool gv_format_box_bytes(const struct gv_format_info *info, uint32_t aspect,
                         const struct gv_texel_box *box, uint64_t *bytes)
{
    if (!gv_format_aspect_bytes(info, aspect) || !box->width || !box->height ||
        !box->slices)
        return false;
    uint64_t tight = gv_format_row_bytes(info, aspect, box->width);
    uint64_t used_rows = blocks(box->height, info->block_height);
    uint64_t pitch = box->row_bytes ? box->row_bytes : tight;
    uint64_t rows = box->rows ? box->rows : used_rows;
    if (pitch < tight || rows < used_rows)
        return false;
    uint64_t slice, before, last;
    return gv_mul_u64(pitch, rows, &slice) &&
           gv_mul_u64(slice, box->slices - 1u, &before) &&
           gv_mul_u64(pitch, used_rows - 1, &last) && gv_add_u64(last, tight, &last) &&
           gv_add_u64(before, last, bytes);
}

uint32_t gv_format_wide(const struct gv_format_info *info)
{
    if (info->compressed || !(info->aspects & GV_ASPECT_COLOR))
        return GV_FORMAT_NONE;
    for (uint32_t i = 0; i < info->component_count; i++)
        if (info->bits[i] > 32 || !strchr("RGBA", info->components[i]))
            return GV_FORMAT_NONE;
    switch ((enum gv_format_kind)info->kind) {
    case GV_FORMAT_KIND_UNORM:
    case GV_FORMAT_KIND_SNORM:
        return info->bits[0] == 32 ? GV_FORMAT_NONE : GV_FORMAT_R32G32B32A32_SFLOAT;
    case GV_FORMAT_KIND_USCALED:
    case GV_FORMAT_KIND_SSCALED:
        return GV_FORMAT_R32G32B32A32_SFLOAT;
    case GV_FORMAT_KIND_UINT:
        return GV_FORMAT_R32G32B32A32_UINT;
    case GV_FORMAT_KIND_SINT:
        return GV_FORMAT_R32G32B32A32_SINT;
    case GV_FORMAT_KIND_SFLOAT:
        return info->bits[0] == 16 || info->bits[0] == 32
                   ? GV_FORMAT_R32G32B32A32_SFLOAT
                   : GV_FORMAT_NONE;
    case GV_FORMAT_KIND_UFLOAT:
    case GV_FORMAT_KIND_SRGB:
        break;
    }
    return GV_FORMAT_NONE;
}
