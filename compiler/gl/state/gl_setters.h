// The calls that only change state, by subject, and what they do to each other.
#ifndef GV_GL_SETTERS_H
#define GV_GL_SETTERS_H

#include "compiler/gl/base/gl_machine.h"

extern const struct gv_gl_row gv_gl_enable_rows[], gv_gl_matrix_rows[],
    gv_gl_light_rows[], gv_gl_rasterization_rows[], gv_gl_fragment_rows[],
    gv_gl_blend_rows[], gv_gl_texture_environment_rows[], gv_gl_pixel_state_rows[];

// Which of the back faces is drawn with follows from `two_side`: after each change.
void gv_gl_settle_stencil(struct gv_gl_stencil *s);

#endif
