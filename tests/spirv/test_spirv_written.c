// Which storage a program writes: what the pass says is what its text does.
#include "compiler/shader/glsl/glsl_program.h"
#include "tests/test.h"

#include <stdio.h>

static const struct row {
    const char *declared, *does; // of a compute shader
    bool written;                // the one block or image that there is
} rows[] = {
    { "buffer B { int n; int a[]; } b; uniform int to; shared int s;",
      "s = b.a[to] + b.n;", false },
    { "buffer B { int n; int a[]; } b; shared int s;", "s = b.a.length();", false },
    { "buffer B { int n; int a[]; } b;", "b.a[3] = b.n;", true },
    { "buffer B { int n; int a[]; };", "a[3]++;", true },
    { "buffer B { int n; int a[]; } b;", "atomicMax(b.a[3], 7);", true },
    { "buffer B { int n; } b[3];", "b[1].n = 7;", true },
    { "buffer B { int n; } b[3]; shared int s;", "s = b[1].n;", false },
    { "struct S { vec4 v[2]; mat3 m; }; buffer B { S s[4]; } b;",
      "b.s[2].m[1].y = 1.0;", true },
    { "struct S { vec4 v[2]; }; buffer B { S s[4]; } b; shared vec4 w;",
      "S t = b.s[2]; t.v[1] = vec4(1); w = t.v[1];", false },
    { "buffer B { int n; } b; void set(out int x) { x = 4; }", "set(b.n);", true },
    { "buffer B { int n; } b; shared int s; int twice(int x) { return 2 * x; }",
      "s = twice(b.n);", false },
    { "layout(binding = 2, offset = 4) uniform atomic_uint c;",
      "atomicCounterIncrement(c);", true },
    { "layout(binding = 2) uniform atomic_uint c; shared uint s;",
      "s = atomicCounter(c);", false },
    { "layout(rgba8) uniform image2D i; shared vec4 s;", "s = imageLoad(i, ivec2(1));",
      false },
    { "layout(rgba8) uniform image2D i; shared ivec2 s;", "s = imageSize(i);", false },
    { "layout(rgba8) uniform image2D i;", "imageStore(i, ivec2(1), vec4(1));", true },
    { "layout(r32ui) uniform uimageBuffer i;", "imageAtomicOr(i, 5, 1u);", true },
    { "layout(r32ui) uniform uimage2DArray i[2];",
      "imageStore(i[1], ivec3(1), uvec4(1));", true },
    { "writeonly uniform uimage2D i;"
      "void mark(writeonly uimage2D to) { imageStore(to, ivec2(0), uvec4(1)); }",
      "mark(i);", true },
    { "layout(rgba8) readonly uniform image2D i; shared vec4 s;",
      "s = imageLoad(i, ivec2(1));", false },
};

static void check(const struct row *row, struct gv_arena *arena)
{
    char text[1024];
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_program program;
    snprintf(text, sizeof text,
             "#version 430\nlayout(local_size_x = 1) in;\n%s\nvoid main() { %s }\n",
             row->declared, row->does);
    const struct gv_glsl_text one = { GV_STAGE_COMPUTE, text };
    const struct gv_glsl_program_params params = { .texts = &one,
                                                   .count = 1,
                                                   .gl_rules = true };
    const bool ok = gv_glsl_program(&params, arena, &program, &err);
    CHECK_ROW(row->does, ok);
    if (!ok) {
        fprintf(stderr, "%s\n", err.message);
        return;
    }
    const struct gv_glsl_reflection *r = &program.reflection;
    const struct gv_glsl_block *last =
        r->block_count ? &r->blocks[r->block_count - 1] : NULL;
    CHECK_ROW(row->does, (last && last->storage) || r->sampler_count == 1);
    if (r->sampler_count)
        CHECK_ROW(row->does, r->samplers[0].written == row->written);
    else if (last)
        CHECK_ROW(row->does, last->written == row->written);
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
