// Errors of glslang about upgraded text, told of the program's own lines.
#ifndef GV_GLSL_BLAME_H
#define GV_GLSL_BLAME_H

#include "compiler/shader/glsl/glsl.h"

// Where `err` says `K:L:` of texts[K], it says "line L" and ends with that line.
// Always false, as gv_fail is.
bool glsl_blame(const struct gv_glsl_text *texts, size_t count, struct gv_error *err);

#endif
