// Stages of separate programs that meet in a pipeline: each program has uniforms of its
// own, whatever others call theirs.
#ifndef GV_UPGRADE_PARTS_H
#define GV_UPGRADE_PARTS_H

#include "compiler/shader/glsl/upgrade_program.h"

// In front of the name of a uniform or block that a program of a lower number has too.
#define GLSL_PART_NAME "gv%u_"

// Renames what is of one name in several parts; `parts` has that of each unit, NULL:
// one for all.
bool glsl_part_names(struct glsl_upgraded *program, const uint32_t *parts,
                     struct gv_arena *arena, struct gv_error *err);

#endif
