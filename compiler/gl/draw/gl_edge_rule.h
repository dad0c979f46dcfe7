// Edges that pass through centres of pixels. In windows Mesa takes pixels whose centres
// lie on the lower edges of polygons, devices those on the upper ones.
#ifndef GV_GL_EDGE_RULE_H
#define GV_GL_EDGE_RULE_H

#include "compiler/gl/draw/gl_pipeline.h"

// How far a draw is moved, in pixels of the target's rows and columns, so that the
// device's rule does what Mesa's does: half a step of the vertices' grid down; for
// polygons as much to the left, which keeps steep edges, of which both take the left
// ones. Nothing unless an edge lies where it matters: texels and depths that are
// between two would fall otherwise.
struct gv_gl_edge_shift {
    float x, y;               // on a fine grid
    float coarse_x, coarse_y; // by how much more on a coarse one
};
struct gv_gl_edge_shift gv_gl_edge_shift(const struct gv_gl_context *c,
                                         const struct gv_gl_drawing *drawing,
                                         const struct gv_gl_draw *d);

#endif
