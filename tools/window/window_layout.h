// Where things are in a window: the picture, in whole multiples of its pixels where
// they fit, and the bar at the bottom that tells how far it is.
#ifndef GV_WINDOW_LAYOUT_H
#define GV_WINDOW_LAYOUT_H

#include "resources/base/error.h"
#include "tools/window/window_canvas.h"

// Width to height of a whole picture; 0 to 0: as many pixels as it has.
struct gv_aspect {
    uint32_t width, height;
};

// "W:H", or "native". GV_ERR_USAGE.
bool gv_aspect_parse(const char *text, struct gv_aspect *aspect, struct gv_error *err);

// The largest area for a picture of that size (> 0) in the middle of a window. Its rows
// are a whole number of pixels high, and its columns too if pixels are square; a window
// too small for one each holds a smaller picture.
struct gv_canvas_area gv_layout_picture(int window_width, int window_height,
                                        uint32_t width, uint32_t height,
                                        struct gv_aspect aspect);

// A size to begin with: once the picture, or the multiple that makes a small one large
// enough to look at.
void gv_layout_first_size(uint32_t width, uint32_t height, struct gv_aspect aspect,
                          int *window_width, int *window_height);

// How many pixels of the window a pixel of text takes.
int gv_layout_text_scale(int window_width, int window_height);

// The bar, over all of the width.
struct gv_canvas_area gv_layout_bar(int window_width, int window_height);
// The one of `count` (> 0) frames that is under the column `x`.
uint64_t gv_layout_bar_frame(int window_width, int x, uint64_t count);
// The column where the frame begins.
int gv_layout_bar_column(int window_width, uint64_t frame, uint64_t count);

#endif
