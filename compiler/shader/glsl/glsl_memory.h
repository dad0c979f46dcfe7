// What texts became when they were compiled before: kept by somebody else, asked before
// glslang is, whose tables of built-in names take longer than most programs.
#ifndef GV_GLSL_MEMORY_H
#define GV_GLSL_MEMORY_H

#include "compiler/shader/glsl/glsl.h"
#include "resources/keeper.h"

// For all that this process compiles from now on; borrowed. NULL: nothing is known.
void gv_glsl_memory_use(const struct gv_keeper *keeper);

// Of gv_glsl_compile: out[count] as it made them, words alone. False: not known.
bool gv_glsl_recall_stages(const struct gv_glsl_text *texts, size_t count,
                           unsigned flags, struct gv_arena *arena,
                           struct gv_shader_stage *out);
void gv_glsl_keep_stages(const struct gv_glsl_text *texts, size_t count, unsigned flags,
                         const struct gv_shader_stage *out);

// Of gv_glsl_preprocess: the text, in `arena`. NULL: not known.
const char *gv_glsl_recall_text(const struct gv_glsl_text *text,
                                const struct gv_glsl_dialect_input *input,
                                struct gv_arena *arena);
void gv_glsl_keep_text(const struct gv_glsl_text *text,
                       const struct gv_glsl_dialect_input *input, const char *out);

#endif
