// Calls of vertex arrays: where they are, draws from them, vertex array objects.
#ifndef GV_GL_ARRAY_H
#define GV_GL_ARRAY_H

#include "compiler/gl/base/gl_machine.h"

extern const struct gv_gl_row gv_gl_array_rows[], gv_gl_array_enable_rows[],
    gv_gl_array_format_rows[], gv_gl_array_interleaved_rows[], gv_gl_array_draw_rows[],
    gv_gl_array_captured_rows[], gv_gl_array_indirect_rows[], gv_gl_vertex_array_rows[];

#endif
