// Structures that are defined within others (GLSL 1.10): glslang takes none.
#ifndef GV_GLSL_STRUCTURES_H
#define GV_GLSL_STRUCTURES_H

#include "compiler/shader/glsl/text/glsl_tokens.h"

// In front of the names of structures that have none; what follows is a hash of their
// members, so that stages agree.
#define GLSL_NAMELESS "gv_nameless_"

// Moves each such definition in front of the statement that it stands in, on the same
// line. `*text`: preprocessed. GV_ERR_LIMIT, GV_ERR_SYSTEM.
bool glsl_hoist_structures(const char **text, struct gv_arena *arena,
                           struct gv_error *err);

#endif
