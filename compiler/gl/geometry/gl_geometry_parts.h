// The room of geometry.
//
// Whoever dispatches calls gv_gl_geometry_create once, before any call, sets the `run`
// of gl->lists (gl_feeding.h), and then for each call of a row with a handler:
//   - gv_gl_flush (gl_immediate.h) first, unless the row is GV_GL_INSIDE;
//   - gv_gl_list_take (gl_list_build.h), if the row is GV_GL_LISTED: it says whether
//   the
//     call runs too.
#ifndef GV_GL_GEOMETRY_PARTS_H
#define GV_GL_GEOMETRY_PARTS_H

#include "compiler/gl/base/gl_machine.h"

bool gv_gl_geometry_create(struct gv_gl *gl, struct gv_error *err);
void gv_gl_geometry_destroy(struct gv_gl *gl);

#endif
