// How much text the macros of a GLSL source make, told before glslang is asked: a few
// lines can stand for more tokens than time or memory hold.
#ifndef GV_GLSL_MACROS_H
#define GV_GLSL_MACROS_H

#include "resources/base/error.h"

#define GV_MAX_GLSL_EXPANSION (1u << 22) // tokens of one stage, its macros expanded
#define GV_MAX_MACRO_DEPTH 128           // macros that name macros

// Fails with the line and the byte in `text` (NUL-terminated) where macros could make
// more than that: GV_ERR_LIMIT. The count is from above: all branches of #if count, and
// of several definitions of a name the largest. GV_ERR_UNSUPPORTED, by name, for what
// cannot be counted so: pasted tokens, macros that name each other in a circle, the
// name of a macro with parameters without its arguments, half a pair of parentheses.
bool gv_glsl_check_macros(const char *text, struct gv_error *err);

#endif
