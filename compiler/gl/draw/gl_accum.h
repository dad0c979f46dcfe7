// The accumulation buffer of surfaces, where visuals have one.
#ifndef GV_GL_ACCUM_H
#define GV_GL_ACCUM_H

#include "compiler/gl/draw/gl_drawing.h"

// Gives a part of the buffer the clear value. Without a buffer nothing happens.
bool gv_gl_accum_clear(struct gv_gl *gl, const struct gv_lower_rectangle *part,
                       struct gv_error *err);

#endif
