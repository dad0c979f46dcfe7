// Pictures as files: PNG through libpng, PPM and bare rows by hand.
#ifndef GV_PICTURE_FILE_H
#define GV_PICTURE_FILE_H

#include "resources/base/error.h"

#include <stdint.h>

enum gv_picture_format { GV_PICTURE_PNG, GV_PICTURE_PPM, GV_PICTURE_RAW };

// "png", "ppm" or "raw".
bool gv_picture_format_find(const char *name, enum gv_picture_format *format);
const char *gv_picture_format_name(enum gv_picture_format format);

// Writes `rgba[height][width][4]`, row 0 at the top, as a whole file. PPM drops alpha.
// GV_ERR_OUTPUT.
bool gv_picture_write(const char *path, enum gv_picture_format format,
                      const uint8_t *rgba, uint32_t width, uint32_t height,
                      struct gv_error *err);

#define GV_PICTURE_MAX_SIDE 16384 // pixels, of a picture made from an export

#endif
