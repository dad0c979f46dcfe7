// Pixels that go to the framebuffer at the raster position: bitmaps, glDrawPixels,
// glCopyPixels.
#ifndef GV_GL_PIXEL_DRAW_H
#define GV_GL_PIXEL_DRAW_H

#include "compiler/gl/draw/gl_framebuffer.h"
#include "compiler/gl/draw/gl_window_draw.h"

// A window context whose current values are those of the raster position. NULL: nothing
// is drawn, or `err`.
struct gv_gl_context *gv_gl_raster_context(struct gv_gl *gl, struct gv_error *err);

// Sets the raster position from a vertex.
void gv_gl_raster_pos(struct gv_gl_context *c, const float object[4]);

// Texels drawn from the raster position on, zoomed: an image whose texels
// [0, width] x [0, height] are the source, offset by `x`, `y` in it.
struct gv_gl_texel_source {
    struct gv_image image;
    uint32_t format; // GV_FORMAT_*
    uint32_t width, height;
    int32_t x, y;          // of the first texel in what is drawn, unzoomed
    bool downward;         // its row 0 is the highest
    bool opaque;           // alpha is 1, whatever it has
    uint32_t aspect;       // GV_ASPECT_DEPTH, or 0: colours
    uint8_t plane;         // GV_GL_PLANE_*: what it is instead of colours
    uint8_t stencil_write; // mask and value of all that is covered; mask 0: none
    uint8_t stencil_value;
    bool both; // of depth: it goes with stencil, tested by nothing, in no colour
};
bool gv_gl_draw_texels(struct gv_gl *gl, const struct gv_gl_texel_source *s,
                       struct gv_error *err);

// Where a rectangle from the raster position on, `width` by `height` zoomed, lies on
// the draw targets: pixels [x, x + columns) by [y, y + rows) in GL's coordinates, cut
// to targets and scissor. False: nowhere.
struct gv_gl_zoomed {
    int32_t x, y;
    uint32_t columns, rows;
    float left, bottom, zoom[2];
};
bool gv_gl_zoom_rectangle(const struct gv_gl_context *c, const struct gv_gl_targets *t,
                          uint32_t width, uint32_t height, struct gv_gl_zoomed *out);

// Depth that is drawn as pixels: whether it is stored as it is and nothing else
// happens. `both`: with stencil.
bool gv_gl_stores_depth(const struct gv_gl_context *c, bool both);
// Whether what is drawn is neither written nor coloured.
bool gv_gl_ignores_depth(const struct gv_gl_context *c, bool both);

// Stencil values (red texels, in units of 1/255) to where a mask of bits lets them: no
// device need write stencil from a shader.
bool gv_gl_draw_stencil(struct gv_gl *gl, const struct gv_gl_texel_source *s,
                        uint8_t mask, struct gv_error *err);

// Makes an image of R8G8B8A8_UNORM, as large, of depth and stencil that one holds: the
// highest bits of 24 of depth in red, or, `bgra`, in blue; stencil in alpha.
struct gv_gl_held_image;
bool gv_gl_depth_colors(struct gv_gl *gl, const struct gv_gl_held_image *from,
                        bool bgra, struct gv_image to, struct gv_error *err);

#endif
