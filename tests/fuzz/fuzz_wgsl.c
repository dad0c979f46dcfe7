// Any text as WGSL: GLSL that glslang can read, or refused, never a fault. The first
// byte chooses the stage. With GV_FUZZ_GLSL set, GLSL of ours that does not compile is
// a finding too.
#include "compiler/shader/glsl/glsl.h"
#include "compiler/shader/wgsl/wgsl.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPILED_BYTES 4096 // of text: glslang's time is not the target

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t stages[] = { GV_STAGE_VERTEX, GV_STAGE_FRAGMENT,
                                       GV_STAGE_COMPUTE };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_wgsl_shader shader;
    struct gv_shader_stage stage;
    if (size < 1)
        return 0;
    // A copy of its exact size: the sanitizer sees a read past its end.
    char *copy = malloc(size - 1 ? size - 1 : 1);
    if (!copy)
        return 0;
    memcpy(copy, data + 1, size - 1);
    const struct gv_wgsl_params params = { .text = copy,
                                           .size = size - 1,
                                           .stage = stages[data[0] % 3] };
    bool ok = gv_wgsl_translate(&params, &arena, &shader, &err);
    if (!ok && err.status == GV_OK)
        abort(); // refused in silence
    if (ok && size <= COMPILED_BYTES) {
        const struct gv_glsl_text text = { params.stage, shader.glsl };
        bool compiled = gv_glsl_compile(&text, 1, 0, &arena, &stage, &err);
        if (!compiled && err.status != GV_ERR_LIMIT && getenv("GV_FUZZ_GLSL")) {
            fprintf(stderr, "%s\n%s\n", err.message, shader.glsl);
            abort(); // the translation is no GLSL
        }
    }
    free(copy);
    gv_arena_finish(&arena);
    return 0;
}
