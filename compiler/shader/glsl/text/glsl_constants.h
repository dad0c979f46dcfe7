// Constants at global scope whose initialisers glslang does not fold, and OpenGL does.
#ifndef GV_GLSL_CONSTANTS_H
#define GV_GLSL_CONSTANTS_H

#include "compiler/shader/glsl/text/glsl_declare.h"

// They become variables with the same initialiser: their `const` is erased. `declared`
// is what stands at global scope of `code`.
void glsl_loosen_constants(struct glsl_tokens *code,
                           const struct glsl_declarations *declared);

#endif
