// What a window shows, as pixels: pictures scaled without smoothing, letters of a small
// font, rectangles. Knows no window system.
#ifndef GV_WINDOW_CANVAS_H
#define GV_WINDOW_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

struct gv_canvas {
    uint32_t *pixels; // owned; pixels[height][width], 0xffRRGGBB
    int width, height;
};

// In pixels of a canvas; may reach over its edges.
struct gv_canvas_area {
    int x, y, width, height;
};

#define GV_CANVAS_MAX 16384 // pixels of a side

// Another size; what was on it is lost. False, and unchanged: no memory, or a side over
// GV_CANVAS_MAX.
bool gv_canvas_resize(struct gv_canvas *canvas, int width, int height);
void gv_canvas_finish(struct gv_canvas *canvas);

// `colour` is 0xRRGGBB.
void gv_canvas_fill(struct gv_canvas *canvas, struct gv_canvas_area area,
                    uint32_t colour);
// A quarter as bright, for text to stand on.
void gv_canvas_dim(struct gv_canvas *canvas, struct gv_canvas_area area);

// `rgba[height][width][4]`, stretched over the area; alpha does not count.
void gv_canvas_picture(struct gv_canvas *canvas, struct gv_canvas_area area,
                       const uint8_t *rgba, uint32_t width, uint32_t height);

// A letter's cell at scale 1.
#define GV_LETTER_WIDTH 6
#define GV_LETTER_HEIGHT 9
// A line of text with its top left corner at (x, y); `scale` >= 1. What is not
// printable ASCII is a question mark. Where the line is over the right edge it is cut.
void gv_canvas_text(struct gv_canvas *canvas, int x, int y, int scale,
                    const char *text);

#endif
