// Draws in window coordinates, for what GL rasterises without vertices: masked clears,
// bitmaps, rectangles of pixels.
#ifndef GV_GL_WINDOW_DRAW_H
#define GV_GL_WINDOW_DRAW_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/texture/gl_texture.h"

// A copy of the current context in which positions are window coordinates (GL's: y up)
// and z is depth, nothing is lit, clipped, culled or generated, and polygons are
// filled; what happens to fragments stays as it is. It lasts until the next one is
// asked for. NULL: there is nothing to draw to (rejected), or `err`.
struct gv_gl_context *gv_gl_window_context(struct gv_gl *gl, struct gv_error *err);

// Draws with such a context. `image`: what unit 0 samples, in place of all other
// textures; NULL: what the context says.
bool gv_gl_window_draw(struct gv_gl *gl, struct gv_gl_context *c,
                       const struct gv_gl_geometry *g,
                       const struct gv_gl_sampled *image, struct gv_error *err);

// A rectangle as two triangles: six vertices of four floats.
struct gv_gl_window_rectangle {
    float x0, y0, x1, y1, z;
};
void gv_gl_window_corners(const struct gv_gl_window_rectangle *r, float out[6 * 4]);

#endif
