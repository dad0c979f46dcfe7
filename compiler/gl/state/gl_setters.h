// The calls that only change state, by subject, and what they do to each other.
#ifndef GV_GL_SETTERS_H
#define GV_GL_SETTERS_H

#include "compiler/gl/base/gl_machine.h"

extern const struct gv_gl_row gv_gl_enable_rows[], gv_gl_matrix_rows[],
    gv_gl_light_rows[], gv_gl_rasterization_rows[], gv_gl_fragment_rows[],
    gv_gl_blend_rows[], gv_gl_texture_environment_rows[], gv_gl_pixel_state_rows[];

// While GL_COLOR_MATERIAL is enabled the tracked parts of the material are those of the
// current colour. This writes them into the material: before tracking ends or changes,
// and before either is saved or restored.
void gv_gl_settle_color_material(struct gv_gl_state *s);
// After tracking has begun or changed: what it does not reach yet.
void gv_gl_begin_color_material(struct gv_gl_context *c);

// Which of the back faces is drawn with follows from `two_side`: after each change.
void gv_gl_settle_stencil(struct gv_gl_stencil *s);

#endif
