// Pictures of frames: texels of any colour format as 8-bit RGBA (vm/texel.h), upright
// and opaque as `present` asks. No Vulkan in here.
#ifndef GV_VK_PICTURE_H
#define GV_VK_PICTURE_H

#include "vm/formats.h"

// Whether gv_picture_convert knows the format: every uncompressed colour format.
bool gv_picture_convertible(const struct gv_format_info *info);

// Converts tight rows `texels[height][width]` to `rgba[height][width][4]`: integers are
// clamped to 255, what has red alone is red. `flags`: GV_PRESENT_*.
void gv_picture_convert(const struct gv_format_info *info, const uint8_t *texels,
                        uint32_t width, uint32_t height, uint32_t flags, uint8_t *rgba);

#endif
