// Evaluators. What is enabled and the grid are attributes (gl_state.h), maps a
// context's own.
#ifndef GV_GL_EVALUATOR_H
#define GV_GL_EVALUATOR_H

#include "compiler/gl/geometry/gl_feeding.h"

void gv_gl_evaluator_finish(struct gv_gl_evaluator *e);

// Floats of a control point of map `i`.
uint32_t gv_gl_map_size(uint32_t i);

extern const struct gv_gl_row gv_gl_map_rows[], gv_gl_evaluator_rows[];

#endif
