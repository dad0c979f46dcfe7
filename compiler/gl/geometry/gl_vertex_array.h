// Vertex array objects: a context's own.
#ifndef GV_GL_VERTEX_ARRAY_H
#define GV_GL_VERTEX_ARRAY_H

#include "compiler/gl/base/gl_machine.h"

// What a call works on that names a vertex array first; 0 is the context's own, but for
// core profiles. Functions of EXT_direct_state_access make what is not there. `*out` is
// NULL where the call was rejected. False: no memory.
bool gv_gl_vertex_array_named(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_gl_vertex_array **out, struct gv_error *err);

#endif
