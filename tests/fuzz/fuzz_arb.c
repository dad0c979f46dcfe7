// Any text as an ARB program: statements that glslang takes, or refused, never a fault.
// The first byte chooses the header. With GV_FUZZ_GLSL set, statements of ours that do
// not compile are a finding too.
#include "compiler/shader/arb/arb.h"
#include "compiler/shader/glsl/glsl.h"
#include "resources/base/bytes.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPILED_BYTES 4096 // of text: glslang's time is not the target

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A stage around the statements in which all they may use is there.
static void stage(const struct gv_arb_program *p, struct gv_bytes *out)
{
    gv_bytes_printf(out,
                    "#version 460\nlayout(set = 0, binding = 0) uniform P { vec4 "
                    "p[%u]; };\n",
                    p->parameter_count ? p->parameter_count : 1);
    for (uint32_t u = 0; u < GV_ARB_IMAGE_UNITS; u++)
        gv_bytes_printf(out,
                        "vec4 tex%u(vec4 v) { return v; }\n"
                        "vec4 txp%u(vec4 v) { return v; }\n"
                        "vec4 txb%u(vec4 v) { return v; }\n",
                        u, u, u);
    gv_bytes_printf(out, "%svoid main()\n{\n", p->functions);
    for (uint32_t i = 0; i < 32; i++)
        gv_bytes_printf(out, "vec4 in_%u = vec4(1.0), out_%u = vec4(1.0);\n", i, i);
    gv_bytes_printf(out, "%s}\n", p->body);
    gv_bytes_u8(out, 0);
}

static void compile(const struct gv_arb_program *p, struct gv_arena *arena)
{
    struct gv_bytes glsl = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_shader_stage out;
    stage(p, &glsl);
    const struct gv_glsl_text text = { p->stage, (const char *)glsl.data };
    if (!glsl.failed && !gv_glsl_compile(&text, 1, 0, arena, &out, &err) &&
        err.status != GV_ERR_LIMIT && getenv("GV_FUZZ_GLSL")) {
        fprintf(stderr, "%s\n%s\n", err.message, text.text);
        abort(); // the translation is no GLSL
    }
    gv_bytes_finish(&glsl);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const headers[] = { "!!ARBvp1.0", "!!ARBfp1.0", "" };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_arb_program program;
    if (size < 1)
        return 0;
    const char *header = headers[data[0] % 3];
    const size_t n = strlen(header), all = n + size - 1;
    // A copy of its exact size: the sanitizer sees a read past its end.
    char *copy = malloc(all ? all : 1);
    if (!copy)
        return 0;
    memcpy(copy, header, n);
    memcpy(copy + n, data + 1, size - 1);
    bool ok = gv_arb_translate(copy, all, &arena, &program, &err);
    if (!ok && err.status == GV_OK)
        abort(); // refused in silence
    if (ok && size <= COMPILED_BYTES)
        compile(&program, &arena);
    free(copy);
    gv_arena_finish(&arena);
    return 0;
}
