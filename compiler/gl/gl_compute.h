// Dispatches of compute shaders.
#ifndef GV_GL_COMPUTE_H
#define GV_GL_COMPUTE_H

#include "compiler/gl/base/gl_machine.h"

extern const struct gv_gl_row gv_gl_compute_rows[];

#endif
