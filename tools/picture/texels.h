// Pictures of exports: texels of any plain format as 8-bit RGBA.
#ifndef GV_TEXELS_H
#define GV_TEXELS_H

#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// `data` holds `height` tight rows of `format` (GV_FORMAT_*), depth as posts hold it.
// `rgba[height][width][4]` is filled (vm/texel.h): one component becomes grey, integers
// span 0..255 as their type spans its values.
// GV_ERR_UNSUPPORTED naming the format, GV_ERR_FORMAT if `size` is too small.
bool gv_texels_to_rgba(uint32_t format, const uint8_t *data, size_t size,
                       uint32_t width, uint32_t height, uint8_t *rgba,
                       struct gv_error *err);

#endif
