// Objects of one stage as one text: what a later one declares again is left out.
#ifndef GV_GLSL_JOIN_H
#define GV_GLSL_JOIN_H

#include "compiler/shader/glsl/upgrade_program.h"

// `program` with its units read. OpenGL shares global variables, structures and blocks
// of a stage's objects by name; what a later one says of an array's size counts.
// GV_ERR_FORMAT, with the place as glsl_blame takes it: objects that differ in type; a
// uniform outside blocks has a name that something else at global scope has.
bool glsl_join(struct glsl_upgraded *program, struct gv_arena *arena,
               struct gv_error *err);

#endif
