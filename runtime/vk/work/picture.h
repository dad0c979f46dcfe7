// Texels of any colour format as 8-bit RGBA. No Vulkan in here.
#ifndef GV_VK_PICTURE_H
#define GV_VK_PICTURE_H

#include "vm/formats.h"

// Whether gv_picture_convert knows the format: every uncompressed colour format.
bool gv_picture_convertible(const struct gv_format_info *info);

// Converts tight rows `texels[height][width]` to `rgba[height][width][4]`. Normalised
// values are rescaled (sRGB stays encoded), floats clamped to 0..1, integers to 0..255;
// absent components are 0, absent alpha 255. `flags`: GV_PRESENT_*.
void gv_picture_convert(const struct gv_format_info *info, const uint8_t *texels,
                        uint32_t width, uint32_t height, uint32_t flags, uint8_t *rgba);

#endif
