// Occlusion queries, and what is drawn only if one of them counted something
// (glBeginConditionalRender).
#ifndef GV_GL_CONDITIONS_H
#define GV_GL_CONDITIONS_H

#include "compiler/gl/base/gl_machine.h"

// Before something is drawn or cleared. False: the condition is known not to hold, and
// nothing is done.
bool gv_gl_may_render(const struct gv_gl_context *c);

// Whether the device is to find out: what is emitted is then drawn by calls that a
// condition reaches, no pass begins with a clear.
bool gv_gl_is_conditional(const struct gv_gl_context *c);

// Before a draw that the query which is counting, if one is, has to count.
void gv_gl_count_draw(struct gv_gl *gl);

// A query that counts samples. False: it does not, or never began.
struct gv_gl_query_count {
    uint32_t target;        // GL_SAMPLES_PASSED ...
    bool active;            // has not ended
    bool precise;           // each sample is counted, not only whether there are any
    struct gv_query device; // none: nothing was drawn
};
bool gv_gl_query_counted(struct gv_gl *gl, uint32_t name,
                         struct gv_gl_query_count *out);

// The trace has the result of a query.
void gv_gl_query_told(struct gv_gl_context *c, uint32_t name, bool passed);

// A context ends: its query no longer counts, its condition no longer decides.
void gv_gl_conditions_leave(struct gv_gl *gl, const struct gv_gl_context *c);

extern const struct gv_gl_row gv_gl_condition_rows[];

#endif
