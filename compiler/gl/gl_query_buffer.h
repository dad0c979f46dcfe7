// Results of queries: what the trace tells of them, and those that go to buffers
// (GL_ARB_query_buffer_object).
#ifndef GV_GL_QUERY_BUFFER_H
#define GV_GL_QUERY_BUFFER_H

#include "compiler/gl/base/gl_machine.h"

extern const struct gv_gl_row gv_gl_query_result_rows[];

#endif
