// The tessellation control stage of programs that have none: it hands on what it gets,
// and its levels are OpenGL's default ones.
#ifndef GV_UPGRADE_CONTROL_H
#define GV_UPGRADE_CONTROL_H

#include "compiler/shader/glsl/upgrade_program.h"

// In front of names of what the stage gets.
#define GLSL_PASSED "gv_Passed_"

// Adds the stage if the program evaluates patches that nobody controls.
bool glsl_add_control(struct glsl_upgraded *p, struct gv_arena *arena,
                      struct gv_error *err);

#endif
