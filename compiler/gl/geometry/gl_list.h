// The room of geometry, and display lists.
//
// Whoever dispatches calls gv_gl_geometry_create once, before any call, sets `run`, and
// then for each call of a row with a handler:
//   - gv_gl_flush (gl_immediate.h) first, unless the row is GV_GL_INSIDE;
//   - gv_gl_list_take, if the row is GV_GL_LISTED: it says whether the call runs too.
#ifndef GV_GL_LIST_H
#define GV_GL_LIST_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/lower/id_map.h"

struct gv_gl_feeding;

// Runs a call of a list as the dispatch would, which checks what may stand where.
typedef bool gv_gl_runner(struct gv_gl *gl, const struct gv_gl_row *row,
                          const struct gv_trace_call *call, struct gv_error *err);

struct gv_gl_lists {
    gv_gl_runner *run;              // set by the dispatch
    struct gv_gl_feeding *feedings; // of all contexts
    struct gv_id_map map;           // all contexts share
    uint32_t depth;                 // of lists that run
    uint32_t nodes, nodes_of_call;  // that ran
};

// Frees what lists hold.
void gv_gl_lists_finish(struct gv_gl_lists *l);

bool gv_gl_geometry_create(struct gv_gl *gl, struct gv_error *err);
void gv_gl_geometry_destroy(struct gv_gl *gl);

// Takes a call into the list that the current context makes, if it makes one. `*runs`:
// whether the call is to run now.
bool gv_gl_list_take(struct gv_gl *gl, const struct gv_gl_row *row,
                     const struct gv_trace_call *call, bool *runs,
                     struct gv_error *err);

extern const struct gv_gl_row gv_gl_vertex_rows[], gv_gl_list_rows[], gv_gl_rect_rows[],
    gv_gl_feedback_rows[];

#endif
