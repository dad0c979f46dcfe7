// Blits that are drawn: see gl_blit_draw.c.
#ifndef GV_GL_BLIT_DRAW_H
#define GV_GL_BLIT_DRAW_H

#include "compiler/gl/draw/gl_drawing.h"

// Along one side: texels [s0, s1) go to [d0, d1), which runs up; in the order of the
// images' rows. Both may reach over the images.
struct gv_gl_blit_span {
    int32_t s0, s1, d0, d1;
};

// An attachment to the targets of the current context.
struct gv_gl_drawn_blit {
    const struct gv_lower_attachment *from;
    uint32_t format;  // what it is read as: of the size and aspects of its own
    uint32_t samples; // of `from`: one, or as many as the target has
    uint32_t aspect;  // GV_ASPECT_*
    uint32_t buffer;  // of colours: the draw buffer
    struct gv_gl_blit_span x, y;
    bool flipped; // the target's rows go down
    // Of one sample: may be scaled, and what is sampled beyond the source is its edge.
    // Pixels of `cut` alone are written.
    bool scaled, linear;
    struct gv_lower_rectangle cut;
};
bool gv_gl_blit_by_draw(struct gv_gl *gl, const struct gv_gl_drawn_blit *x,
                        struct gv_error *err);

#endif
