// Outputs of geometry shaders behind EmitVertex: which are loaded ahead of it and
// stored again.
#include "compiler/shader/glsl/glsl_program.h"
#include "tests/test.h"
#include "vm/spirv/spirv_words.h"

#include <stdio.h>
#include <string.h>

static const char vertex_text[] =
    "#version 150\nvoid main() { gl_Position = vec4(0); }\n";

static const struct row {
    const char *declared, *does;
    unsigned own; // outputs
    unsigned vertices;
} rows[] = {
    { "out vec4 c;", "c = vec4(1); gl_Position = gl_in[0].gl_Position; EmitVertex();",
      0, 1 },
    { "out vec4 c;",
      "c = vec4(1); for (int i = 0; i < 3; i++) {"
      " gl_Position = gl_in[i].gl_Position; EmitVertex(); }",
      1, 1 },
    { "out vec4 e[3];",
      "for (int i = 0; i < 3; i++) e[i] = vec4(i); for (int i = 0; i < 3; i++) {"
      " gl_Position = gl_in[i].gl_Position; EmitVertex(); }",
      1, 1 },
    { "out vec4 c;",
      "c = vec4(1); gl_Position = vec4(0); EmitVertex(); gl_Position = vec4(1);"
      " EmitVertex(); gl_Position = vec4(2); c = vec4(0.5); EmitVertex();",
      1, 3 },
    { "out vec4 c;",
      "gl_Position = vec4(0); for (int i = 0; i < 3; i++) { c = vec4(i); EmitVertex(); "
      "}",
      1, 1 },
    { "out B { vec4 c; float d; } b;",
      "b.c = vec4(1); b.d = 2.0; for (int i = 0; i < 3; i++) {"
      " gl_Position = vec4(i); EmitVertex(); }",
      1, 1 },
    { "out vec4 c; void put() { EmitVertex(); }",
      "c = vec4(1); gl_Position = vec4(0); put(); put();", 2, 1 },
    { "out vec4 c;",
      "gl_PrimitiveID = gl_PrimitiveIDIn; for (int i = 0; i < 3; i++) {"
      " if (i > 1) c = vec4(1); gl_Position = vec4(i); EmitVertex(); }",
      2, 1 },
    { "out vec4 c;",
      "for (int i = 0; i < 3; i++) { c = vec4(1); gl_Position = vec4(i);"
      " gl_Position.xy = 2.0 * gl_Position.xy * gl_Position.w; EmitVertex(); }",
      1, 1 },
    { "out vec4 c;",
      "gl_PointSize = 1.0; gl_ClipDistance[0] = 1.0; for (int i = 0; i < 3; i++) {"
      " c = vec4(i); gl_Position = vec4(i); EmitVertex(); }",
      1, 1 },
};

static void check_words(const struct row *row, const uint32_t *words, size_t count)
{
    unsigned vertices = 0, own = 0;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < count;
         at += gv_spirv_length(words + at)) {
        const uint32_t *w = words + at, op = gv_spirv_op(w);
        own += op == SpvOpVariable && w[3] == SpvStorageClassPrivate;
        vertices += op == SpvOpEmitVertex;
    }
    CHECK_ROW(row->does, own == row->own);
    CHECK_ROW(row->does, vertices == row->vertices);
}

static void check(const struct row *row, struct gv_arena *arena)
{
    char text[1024];
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_program program;
    snprintf(text, sizeof text,
             "#version 150\nlayout(triangles) in;\n"
             "layout(triangle_strip, max_vertices = 3) out;\n%s\nvoid main() { %s }\n",
             row->declared, row->does);
    const struct gv_glsl_text texts[] = { { GV_STAGE_VERTEX, vertex_text },
                                          { GV_STAGE_GEOMETRY, text } };
    const struct gv_glsl_program_params params = { .texts = texts,
                                                   .count = 2,
                                                   .gl_rules = true };
    const bool ok = gv_glsl_program(&params, arena, &program, &err);
    CHECK_ROW(row->does, ok);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    for (size_t i = 0; ok && i < program.count; i++)
        if (program.stages[i].stage == GV_STAGE_GEOMETRY)
            check_words(row, program.stages[i].words, program.stages[i].word_count);
    gv_error_clear(&err);
}

int main(void)
{
    struct gv_arena arena = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i], &arena);
    gv_arena_finish(&arena);
    return TEST_RESULT();
}
