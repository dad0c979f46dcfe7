// Blits that are drawn: see gl_blit_draw.c.
#ifndef GV_GL_BLIT_DRAW_H
#define GV_GL_BLIT_DRAW_H

#include "compiler/gl/draw/gl_drawing.h"

// Part of an attachment to the targets of the current context, unscaled; in rows of the
// images.
struct gv_gl_drawn_blit {
    const struct gv_lower_attachment *from;
    uint32_t format;  // what it is read as: of the size and aspects of its own
    uint32_t samples; // of `from`: one, or as many as the target has
    uint32_t aspect;  // GV_ASPECT_*
    uint32_t buffer;  // of colours: the draw buffer
    struct gv_lower_rectangle part;
    bool turned_x, turned_y; // columns and rows in the other order
    uint32_t x, y;           // where it goes
    bool flipped;            // the target's rows go down
};
bool gv_gl_blit_by_draw(struct gv_gl *gl, const struct gv_gl_drawn_blit *x,
                        struct gv_error *err);

#endif
