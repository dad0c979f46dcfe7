#include "vm/spirv/spirv_image_format.h"

#include "vm/formats.h"
#include "vm/spirv/spirv_module.h"

#include <spirv/unified1/spirv.h>
#include <stddef.h>

uint32_t gv_storage_numeric(uint32_t format, uint32_t aspect)
{
    const struct gv_format_info *info = gv_format_info(format);
    if (aspect == GV_ASPECT_STENCIL)
        return GV_SPIRV_UINT;
    if (!info || aspect == GV_ASPECT_DEPTH)
        return GV_SPIRV_FLOAT;
    switch ((enum gv_format_kind)info->kind) {
    case GV_FORMAT_KIND_UINT:
        return GV_SPIRV_UINT;
    case GV_FORMAT_KIND_SINT:
        return GV_SPIRV_SINT;
    case GV_FORMAT_KIND_UNORM:
    case GV_FORMAT_KIND_SNORM:
    case GV_FORMAT_KIND_USCALED:
    case GV_FORMAT_KIND_SSCALED:
    case GV_FORMAT_KIND_UFLOAT:
    case GV_FORMAT_KIND_SFLOAT:
    case GV_FORMAT_KIND_SRGB:
        break;
    }
    return GV_SPIRV_FLOAT;
}

static const struct {
    uint32_t spirv, format;
} pairs[] = {
    { SpvImageFormatRgba32f, GV_FORMAT_R32G32B32A32_SFLOAT },
    { SpvImageFormatRgba16f, GV_FORMAT_R16G16B16A16_SFLOAT },
    { SpvImageFormatR32f, GV_FORMAT_R32_SFLOAT },
    { SpvImageFormatRgba8, GV_FORMAT_R8G8B8A8_UNORM },
    { SpvImageFormatRgba8, GV_FORMAT_A8B8G8R8_UNORM_PACK32 },
    { SpvImageFormatRgba8Snorm, GV_FORMAT_R8G8B8A8_SNORM },
    { SpvImageFormatRgba8Snorm, GV_FORMAT_A8B8G8R8_SNORM_PACK32 },
    { SpvImageFormatRg32f, GV_FORMAT_R32G32_SFLOAT },
    { SpvImageFormatRg16f, GV_FORMAT_R16G16_SFLOAT },
    { SpvImageFormatR11fG11fB10f, GV_FORMAT_B10G11R11_UFLOAT_PACK32 },
    { SpvImageFormatR16f, GV_FORMAT_R16_SFLOAT },
    { SpvImageFormatRgba16, GV_FORMAT_R16G16B16A16_UNORM },
    { SpvImageFormatRgb10A2, GV_FORMAT_A2B10G10R10_UNORM_PACK32 },
    { SpvImageFormatRg16, GV_FORMAT_R16G16_UNORM },
    { SpvImageFormatRg8, GV_FORMAT_R8G8_UNORM },
    { SpvImageFormatR16, GV_FORMAT_R16_UNORM },
    { SpvImageFormatR8, GV_FORMAT_R8_UNORM },
    { SpvImageFormatRgba16Snorm, GV_FORMAT_R16G16B16A16_SNORM },
    { SpvImageFormatRg16Snorm, GV_FORMAT_R16G16_SNORM },
    { SpvImageFormatRg8Snorm, GV_FORMAT_R8G8_SNORM },
    { SpvImageFormatR16Snorm, GV_FORMAT_R16_SNORM },
    { SpvImageFormatR8Snorm, GV_FORMAT_R8_SNORM },
    { SpvImageFormatRgba32i, GV_FORMAT_R32G32B32A32_SINT },
    { SpvImageFormatRgba16i, GV_FORMAT_R16G16B16A16_SINT },
    { SpvImageFormatRgba8i, GV_FORMAT_R8G8B8A8_SINT },
    { SpvImageFormatRgba8i, GV_FORMAT_A8B8G8R8_SINT_PACK32 },
    { SpvImageFormatR32i, GV_FORMAT_R32_SINT },
    { SpvImageFormatRg32i, GV_FORMAT_R32G32_SINT },
    { SpvImageFormatRg16i, GV_FORMAT_R16G16_SINT },
    { SpvImageFormatRg8i, GV_FORMAT_R8G8_SINT },
    { SpvImageFormatR16i, GV_FORMAT_R16_SINT },
    { SpvImageFormatR8i, GV_FORMAT_R8_SINT },
    { SpvImageFormatRgba32ui, GV_FORMAT_R32G32B32A32_UINT },
    { SpvImageFormatRgba16ui, GV_FORMAT_R16G16B16A16_UINT },
    { SpvImageFormatRgba8ui, GV_FORMAT_R8G8B8A8_UINT },
    { SpvImageFormatRgba8ui, GV_FORMAT_A8B8G8R8_UINT_PACK32 },
    { SpvImageFormatR32ui, GV_FORMAT_R32_UINT },
    { SpvImageFormatRgb10a2ui, GV_FORMAT_A2B10G10R10_UINT_PACK32 },
    { SpvImageFormatRg32ui, GV_FORMAT_R32G32_UINT },
    { SpvImageFormatRg16ui, GV_FORMAT_R16G16_UINT },
    { SpvImageFormatRg8ui, GV_FORMAT_R8G8_UINT },
    { SpvImageFormatR16ui, GV_FORMAT_R16_UINT },
    { SpvImageFormatR8ui, GV_FORMAT_R8_UINT },
};

bool gv_storage_format_fits(uint32_t spirv_format, uint32_t format)
{
    if (spirv_format == SpvImageFormatUnknown)
        return true;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].spirv == spirv_format && pairs[i].format == format)
            return true;
    return false;
}

uint32_t gv_storage_format(uint32_t spirv_format)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].spirv == spirv_format)
            return pairs[i].format;
    return GV_FORMAT_NONE;
}
