// Outputs of geometry shaders behind EmitVertex: which are loaded ahead of it and
// stored again. Outputs of vertex shaders of which components of 64 bits are stored, or
// that are loaded beside eight distances.
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

static const struct row wide_rows[] = {
    { "flat out dvec3 c;", "c.x = 1.0lf; c.y = 2.0lf; c.z = 3.0lf;", 1, 0 },
    { "flat out dvec3 c;", "c = dvec3(1.0lf, 2.0lf, 3.0lf);", 0, 0 },
    { "flat out double c;", "c = 1.0lf;", 0, 0 },
    { "flat out double c[2];", "c[0] = 1.0lf; c[1] = 2.0lf;", 0, 0 },
    { "flat out dvec2 c[2];", "for (int i = 0; i < 2; i++) c[i].y = 2.0lf;", 1, 0 },
    { "flat out dvec2 c; flat out dvec2 d;",
      "if (gl_VertexID > 1) { c.x = 1.0lf; return; } c = dvec2(2.0lf); d = c;", 1, 0 },
    { "out float gl_ClipDistance[8];",
      "gl_ClipDistance = float[8](1, 2, 3, 4, 5, 6, 7, 8); float d[8] = "
      "gl_ClipDistance; gl_Position = vec4(d[3]);",
      1, 0 },
    { "out float gl_ClipDistance[7];",
      "gl_ClipDistance = float[7](1, 2, 3, 4, 5, 6, 7); float d[7] = "
      "gl_ClipDistance; gl_Position = vec4(d[3]);",
      0, 0 },
    { "out vec4 c; uniform double d;", "c.x = float(d); c.y = 1.0;", 0, 0 },
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

// The row's shader is the last of `texts`, of the stage `stage`.
static void check(const struct row *row, const struct gv_glsl_text *texts, size_t count,
                  struct gv_arena *arena)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_program program;
    const struct gv_glsl_program_params params = { .texts = texts,
                                                   .count = count,
                                                   .gl_rules = true };
    const bool ok = gv_glsl_program(&params, arena, &program, &err);
    CHECK_ROW(row->does, ok);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    for (size_t i = 0; ok && i < program.count; i++)
        if (program.stages[i].stage == texts[count - 1].stage)
            check_words(row, program.stages[i].words, program.stages[i].word_count);
    gv_error_clear(&err);
}

static void check_geometry(const struct row *row, struct gv_arena *arena)
{
    char text[1024];
    snprintf(text, sizeof text,
             "#version 150\nlayout(triangles) in;\n"
             "layout(triangle_strip, max_vertices = 3) out;\n%s\nvoid main() { %s }\n",
             row->declared, row->does);
    check(row,
          (const struct gv_glsl_text[]){ { GV_STAGE_VERTEX, vertex_text },
                                         { GV_STAGE_GEOMETRY, text } },
          2, arena);
}

static void check_vertex(const struct row *row, struct gv_arena *arena)
{
    char text[1024];
    snprintf(text, sizeof text,
             "#version 400\n%s\nvoid main() { gl_Position = vec4(0); %s }\n",
             row->declared, row->does);
    check(row, &(const struct gv_glsl_text){ GV_STAGE_VERTEX, text }, 1, arena);
}

int main(void)
{
    struct gv_arena arena = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_geometry(&rows[i], &arena);
    for (size_t i = 0; i < sizeof wide_rows / sizeof *wide_rows; i++)
        check_vertex(&wide_rows[i], &arena);
    gv_arena_finish(&arena);
    return TEST_RESULT();
}
