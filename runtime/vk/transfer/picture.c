#include "runtime/vk/transfer/picture.h"

#include "vm/calls.h"
#include "vm/texel.h"

bool gv_picture_convertible(const struct gv_format_info *info)
{
    struct gv_texel texel;
    return info->aspects == GV_ASPECT_COLOR && gv_texel_lay_out(&texel, info, 0);
}

void gv_picture_convert(const struct gv_format_info *info, const uint8_t *texels,
                        uint32_t width, uint32_t height, uint32_t flags, uint8_t *rgba)
{
    struct gv_texel texel;
    if (!gv_texel_lay_out(&texel, info, 0))
        return;
    for (uint32_t y = 0; y < height; y++) {
        uint32_t from = flags & GV_PRESENT_FLIP_Y ? height - 1 - y : y;
        uint8_t *row = rgba + (size_t)y * width * 4;
        gv_texel_convert(&texel, texels + (size_t)from * width * texel.bytes, width,
                         row);
        if (flags & GV_PRESENT_OPAQUE)
            for (uint32_t x = 0; x < width; x++)
                row[4 * (size_t)x + 3] = 255;
    }
}
