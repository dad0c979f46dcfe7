// Draws from vertex arrays.
#ifndef GV_GL_ARRAY_DRAW_H
#define GV_GL_ARRAY_DRAW_H

#include "compiler/gl/geometry/gl_feed.h"
#include "compiler/gl/geometry/gl_feeding.h"
#include "compiler/gl/geometry/gl_indices.h"

// Draws, or takes the vertices into the list being made.
bool gv_gl_array_draw(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                      struct gv_error *err);

// Feeds element `index` of all arrays that are on.
bool gv_gl_array_element(struct gv_gl *gl, const struct gv_gl_vertex_sink *sink,
                         uint64_t index, struct gv_error *err);

#endif
