// PNG files of at most 8 bits a sample, as pixels: every colour type, transparency,
// interlaced or not. Checksums must be right; chunks that do not change samples are
// passed over.
#ifndef GV_PNG_READ_H
#define GV_PNG_READ_H

#include "tools/verdict/pixels.h"

bool gv_png_is(struct gv_span file);

// `pixels` is zeroed before; gv_pixels_finish is due either way.
bool gv_png_read(struct gv_pixels *pixels, struct gv_span file, struct gv_error *err);

#endif
