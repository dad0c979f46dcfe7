// Limits on GLSL text that nobody vouches for: glslang's tree walks recurse, so text
// that would exhaust the stack is refused before.
#ifndef GV_GLSL_LIMITS_H
#define GV_GLSL_LIMITS_H

#include "compiler/shader/glsl/text/glsl_tokens.h"

#define GLSL_MAX_NESTING 256    // of brackets
#define GLSL_MAX_STATEMENT 8192 // operators and brackets of one statement
#define GLSL_MAX_COMMAS 32768   // of one statement
#define GLSL_MAX_BRANCHES 4096  // `else` of one stage

// After preprocessing: nesting and statement sizes.
bool glsl_check_code(const struct glsl_tokens *tokens, struct gv_error *err);

#endif
