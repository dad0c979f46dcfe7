// Names of functions to their rows: exact ones first, then those that differ in an
// extension's suffix alone.
#ifndef GV_GL_FUNCTIONS_H
#define GV_GL_FUNCTIONS_H

#include "compiler/gl/base/gl_machine.h"

// The row of a function; NULL: nobody lowers it.
const struct gv_gl_row *gv_gl_function(const char *name);

// Every room's table of handlers; NULL behind the last one.
extern const struct gv_gl_row *const gv_gl_function_tables[];

#endif
