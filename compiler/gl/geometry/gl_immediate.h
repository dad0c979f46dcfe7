// glBegin and glEnd as they run, and what else feeds vertices one by one.
#ifndef GV_GL_IMMEDIATE_H
#define GV_GL_IMMEDIATE_H

#include "compiler/gl/geometry/gl_feeding.h"

void gv_gl_immediate_finish(struct gv_gl_immediate *m);

// Draws what waits. Before every call that is not GV_GL_INSIDE and before the context
// changes.
bool gv_gl_flush(struct gv_gl *gl, struct gv_error *err);

#endif
