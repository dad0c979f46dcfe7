// Arrays that a text declares without a size and never gives one: the largest constant
// index says how long they are.
#ifndef GV_UPGRADE_ARRAYS_H
#define GV_UPGRADE_ARRAYS_H

#include "compiler/shader/glsl/upgrade_program.h"

// Writes the sizes of such arrays into their declarations: of global variables, and of
// members of blocks but the last one of a storage block. glslang would size them
// itself, but knows no length of them, and each stage alone; OpenGL's linker gives a
// uniform, a varying or a block one size in all stages.
bool glsl_size_arrays(struct glsl_upgraded *program, struct gv_arena *arena,
                      struct gv_error *err);

#endif
