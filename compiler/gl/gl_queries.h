// Calls that no picture shows: queries, waits, labels, configurations.
#ifndef GV_GL_QUERIES_H
#define GV_GL_QUERIES_H

#include "compiler/gl/base/gl_machine.h"

// Those that have names of their own; they stand behind all other tables.
extern const struct gv_gl_row gv_gl_query_rows[];

// Whether a function that has no row is one by the beginning of its name.
bool gv_gl_is_query(const char *function);

#endif
