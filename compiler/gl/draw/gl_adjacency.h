// Primitives with adjacency, and patches, as lists without restarts; whether what a
// draw is of suits the stages that it meets.
#ifndef GV_GL_ADJACENCY_H
#define GV_GL_ADJACENCY_H

#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/program/gl_program.h"

// Vertices of a primitive that stages see; 0: of no fixed number.
uint32_t gv_gl_listed_vertices(uint32_t mode);

// Primitives of a number that the device alone knows are drawn as they are: what comes
// out of them. False: of kinds that it has not.
bool gv_gl_reshape_counted(uint32_t mode, struct gv_gl_reshaping *r);

// Whether GL draws primitives of a mode with these stages.
bool gv_gl_suits(uint32_t mode, const struct gv_gl_reshaping *r);

// `*g` with adjacency or of patches becomes a list, its adjacent vertices left out
// where no stage reads them (`adjacent` is false). `room` has its indices. False:
// `err`.
bool gv_gl_list_primitives(struct gv_gl *gl, struct gv_gl_geometry *g, bool adjacent,
                           struct gv_bytes *room, struct gv_error *err);

#endif
