// One look of a window: picture, text over it, bar, in the pixels of a canvas.
#ifndef GV_WINDOW_VIEW_H
#define GV_WINDOW_VIEW_H

#include "tools/window/window_layout.h"
#include "tools/window/window_recent.h"

struct gv_window_view {
    const struct gv_window_picture *picture; // NULL: none yet
    const char *corner;                      // lines at the top left, or NULL
    const char *sentence;                    // over the middle, wrapped; or NULL
    const char *note;                        // a line above the bar, or NULL
    bool bar;
    uint64_t at, count; // frames, for the bar
    bool loops;
    uint64_t loop_begin, loop_end;
};

void gv_window_draw(struct gv_canvas *canvas, const struct gv_window_view *view);

#endif
