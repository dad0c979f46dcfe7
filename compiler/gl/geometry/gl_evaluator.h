// Evaluators: the maps of a context. What is enabled and the grid are attributes
// (gl_state.h).
#ifndef GV_GL_EVALUATOR_H
#define GV_GL_EVALUATOR_H

#include "compiler/gl/base/gl_machine.h"

#define GV_GL_MAPS 9u // GL_MAPn_COLOR_4 to GL_MAPn_VERTEX_4

struct gv_gl_map {
    uint32_t order[2];  // of u, of v; 0: never given
    float domain[2][2]; // from, to
    float *points;      // owned
};

struct gv_gl_evaluator {
    struct gv_gl_map maps[2][GV_GL_MAPS]; // of one, of two dimensions
};

void gv_gl_evaluator_finish(struct gv_gl_evaluator *e);

// Floats of a control point of map `i`.
uint32_t gv_gl_map_size(uint32_t i);

extern const struct gv_gl_row gv_gl_map_rows[], gv_gl_evaluator_rows[];

#endif
