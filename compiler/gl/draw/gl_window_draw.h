// Draws in window coordinates, for what GL rasterises without vertices: masked clears,
// bitmaps, rectangles of pixels.
#ifndef GV_GL_WINDOW_DRAW_H
#define GV_GL_WINDOW_DRAW_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/texture/gl_texture.h"

// A copy of the current context in which positions are clip coordinates of the whole
// target (gv_gl_window_corners), nothing is lit, clipped, culled or generated, and
// polygons are filled; what happens to fragments stays as it is. It lasts until the
// next one is asked for. NULL: there is nothing to draw to (rejected), or `err`.
struct gv_gl_context *gv_gl_window_context(struct gv_gl *gl, struct gv_error *err);

// Takes all away that could stop or change fragments of such a context but masks and
// the scissor.
void gv_gl_window_strip(struct gv_gl_context *c);

// Draws with such a context. `image`: what unit 0 samples, in place of all other
// textures; NULL: what the context says.
bool gv_gl_window_draw(struct gv_gl *gl, struct gv_gl_context *c,
                       const struct gv_gl_geometry *g,
                       const struct gv_gl_sampled *image, struct gv_error *err);

// A rectangle of window coordinates (GL's: y up; z is depth) as two triangles for such
// a context: six vertices of four floats, in the order and by the sums that Mesa has,
// which decide what texel a centre on the border of two gets.
struct gv_gl_window_rectangle {
    float x0, y0, x1, y1, z;
};
void gv_gl_window_corners(const struct gv_gl_context *c,
                          const struct gv_gl_window_rectangle *r, float out[6 * 4]);
// The same of anything else, as it is.
void gv_gl_rectangle_corners(const struct gv_gl_window_rectangle *r, float out[6 * 4]);

#endif
