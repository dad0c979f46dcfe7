// Pixels that go to the framebuffer at the raster position: bitmaps, glDrawPixels,
// glCopyPixels.
#ifndef GV_GL_PIXEL_DRAW_H
#define GV_GL_PIXEL_DRAW_H

#include "compiler/gl/draw/gl_window_draw.h"

// A window context whose current values are those of the raster position. NULL: nothing
// is drawn, or `err`.
struct gv_gl_context *gv_gl_raster_context(struct gv_gl *gl, struct gv_error *err);

// Sets the raster position from a vertex.
void gv_gl_raster_pos(struct gv_gl_context *c, const float object[4]);

#endif
