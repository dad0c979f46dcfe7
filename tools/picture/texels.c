#include "tools/picture/texels.h"

#include "vm/texel.h"

bool gv_texels_to_rgba(uint32_t format, const uint8_t *data, size_t size,
                       uint32_t width, uint32_t height, uint8_t *rgba,
                       struct gv_error *err)
{
    const struct gv_format_info *info = gv_export_format_info(format);
    struct gv_texel texel;
    if (!info)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: picture of an export without a format");
    if (!gv_texel_lay_out(&texel, info, GV_TEXEL_GREY | GV_TEXEL_SPAN))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: picture of format %s", info->name);
    uint64_t texels = (uint64_t)width * height;
    if (texels > size / texel.bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the export is smaller than its %ux%u texels", width, height);
    if (texels)
        gv_texel_convert(&texel, data, texels, rgba);
    return true;
}
