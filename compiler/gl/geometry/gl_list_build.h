// A display list while it is made.
#ifndef GV_GL_LIST_BUILD_H
#define GV_GL_LIST_BUILD_H

#include "compiler/gl/geometry/gl_feeding.h"

void gv_gl_recording_finish(struct gv_gl_recording *r);
void gv_gl_recording_begin(struct gv_gl_recording *r, uint32_t name, uint32_t mode);

// Vertices of arrays begin or end: runs of their own, which leave current values as
// they were. (GL leaves them undefined; this is what Mesa does.)
void gv_gl_recording_arrays(struct gv_gl_context *c, bool begin);

// Ends the list: its nodes are the caller's. False: no memory.
bool gv_gl_recording_end(struct gv_gl_recording *r, struct gv_gl_list_node **out,
                         struct gv_error *err);

// Takes a call into the list that the current context makes, if it makes one. `*runs`:
// whether the call is to run now.
bool gv_gl_list_take(struct gv_gl *gl, const struct gv_gl_row *row,
                     const struct gv_trace_call *call, bool *runs,
                     struct gv_error *err);

#endif
