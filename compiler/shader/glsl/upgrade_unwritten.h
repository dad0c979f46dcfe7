// Inputs that the stage before does not declare.
#ifndef GV_UPGRADE_UNWRITTEN_H
#define GV_UPGRADE_UNWRITTEN_H

#include "compiler/shader/glsl/upgrade_program.h"

// From GLSL 1.30 on they have no defined value: a variable that is 0 takes the name.
// Older versions and ES do not link then; nor do blocks.
bool glsl_zero_unwritten(struct glsl_upgraded *program, struct gv_arena *arena,
                         struct gv_error *err);

#endif
