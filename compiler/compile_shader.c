// GLSL of somebody who edits a payload, as SPIR-V.
#include "compiler/compiler.h"
#include "compiler/shader/glsl/glsl.h"

bool gv_compile_shader(uint32_t stage, const char *text, struct gv_bytes *spirv,
                       struct gv_error *err)
{
    const struct gv_glsl_text one = { stage, text };
    struct gv_arena arena = { 0 };
    struct gv_shader_stage out = { 0 };
    bool ok = gv_glsl_compile(&one, 1, 0, &arena, &out, err);
    if (ok)
        gv_bytes_put(spirv, out.words, out.word_count * sizeof *out.words);
    gv_arena_finish(&arena);
    return ok && (!spirv->failed || gv_out_of_memory(err));
}
