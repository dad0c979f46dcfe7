// What texts became when they were compiled before: kept by somebody else, asked before
// glslang is, whose tables of built-in names take longer than most programs.
#ifndef GV_SPIRV_MEMORY_H
#define GV_SPIRV_MEMORY_H

#include "compiler/shader/shader.h"
#include "resources/base/arena.h"
#include "resources/keeper.h"

// For all that this thread compiles from now on; borrowed. NULL: nothing is known.
void gv_spirv_memory_use(const struct gv_keeper *keeper);

// Keys are all that a result depends on, and belong to the caller. False: not known.

// out[count], whose `stage` is left, gets the words that were kept, in `arena`.
bool gv_spirv_recall(const struct gv_bytes *key, struct gv_arena *arena,
                     struct gv_shader_stage *out, size_t count);
void gv_spirv_keep(const struct gv_bytes *key, const struct gv_shader_stage *out,
                   size_t count);

// Whether a module was found valid before; its words and whoever asks are the key.
bool gv_spirv_recall_valid(const struct gv_bytes *key);
void gv_spirv_keep_valid(const struct gv_bytes *key);

#endif
