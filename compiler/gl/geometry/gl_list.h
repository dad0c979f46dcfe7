// Display lists.
#ifndef GV_GL_LIST_H
#define GV_GL_LIST_H

#include "compiler/gl/geometry/gl_feeding.h"

// Frees what lists hold.
void gv_gl_lists_finish(struct gv_gl_lists *l);
// Frees the lists of the group gl->group, which no context has any more.
void gv_gl_lists_end_group(struct gv_gl *gl);

extern const struct gv_gl_row gv_gl_vertex_rows[], gv_gl_list_rows[], gv_gl_rect_rows[],
    gv_gl_feedback_rows[];

#endif
