// Objects of one stage as one program (glsl_join.h): what they share, what they may not
// say differently, and of which line an error is told.
#include "compiler/shader/glsl/glsl_program.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"

#include <string.h>

#define MAIN "void main() { gl_Position = f(); }\n"

static const struct {
    const char *name, *first, *second;
    const char *message; // it begins so; NULL: they link
} cases[] = {
    { "all_shared", "uniform vec4 a, b; vec4 f();\n" MAIN,
      "uniform vec4 a, b; vec4 f() { return a + b; }\n", NULL },
    { "first_shared", "uniform vec4 a; vec4 f();\n" MAIN,
      "uniform vec4 a, b, c; vec4 f() { return a + b + c; }\n", NULL },
    { "middle_shared", "uniform vec4 b; vec4 f();\n" MAIN,
      "uniform vec4 a, b, c; vec4 f() { return a + b + c; }\n", NULL },
    { "last_shared", "uniform vec4 c, b; vec4 f();\n" MAIN,
      "uniform vec4 a, b, c; vec4 f() { return a + b + c; }\n", NULL },
    { "ends_shared", "uniform vec4 a, c; vec4 f();\n" MAIN,
      "uniform vec4 a, b, c; vec4 f() { return a + b + c; }\n", NULL },
    { "shared_arrays", "varying float a[2]; vec4 f();\n" MAIN,
      "varying float a[2], b[3];\nvec4 f() { a[1] = b[2] = 1.0; return vec4(1.0); }\n",
      NULL },
    { "sized_later",
      "varying vec4 a[]; vec4 f();\nvoid main() { a[1] = f();\n"
      "gl_Position = a[1]; }\n",
      "varying vec4 a[3]; uniform int i; vec4 f() { return a[i]; }\n", NULL },
    { "sized_earlier", "varying vec4 a[3]; vec4 f();\n" MAIN,
      "varying vec4 a[]; vec4 f() { a[2] = vec4(1.0); return a[2]; }\n", NULL },
    { "constants", "const float pi = 3.0; vec4 f();\n" MAIN,
      "const float pi = 3.0; vec4 f() { return vec4(pi); }\n", NULL },
    { "value_of_a_uniform", "uniform vec4 a = vec4(1.0); vec4 f();\n" MAIN,
      "uniform vec4 a; vec4 f() { return a; }\n", NULL },
    { "own_macros",
      "#define N 1.0\nvec4 f();\nvoid main() { gl_Position = f() * N; }\n",
      "#define N 2.0\nvec4 f() { return vec4(N); }\n", NULL },
    { "later_value", "float a; vec4 f();\n" MAIN,
      "float a = 2.0; vec4 f() { return vec4(a); }\n",
      "unsupported: glsl initialiser in a later object" },
    { "other_type", "uniform vec4 a; vec4 f();\n" MAIN,
      "// comment\nuniform vec3 a; vec4 f() { return a.xyzz; }\n",
      "glsl: vertex line 3: 'a' is declared otherwise elsewhere: uniform vec3 a;" },
    { "other_kind", "uniform vec4 a; vec4 f();\n" MAIN,
      "vec4 a; vec4 f() { return a; }\n",
      "glsl: vertex line 2: 'a' is declared otherwise elsewhere: vec4 a;" },
    { "two_mains", "vec4 f();\n" MAIN,
      "vec4 f() { return vec4(1.0); }\nvoid main() {}\n",
      "glsl: vertex line 3: 'main' : function already has a body : void main() {}" },
    { "two_bodies", "vec4 f() { return vec4(0.0); }\n" MAIN,
      "\nvec4 f() { return vec4(1.0); }\n",
      "glsl: vertex line 3: 'f' : function already has a body : vec4 f() { return "
      "vec4(1.0); }" },
    { "no_main", "vec4 f();\n", "vec4 f() { return vec4(1.0); }\n", "glsl" },
    { "no_body", "vec4 f();\n" MAIN, "float g() { return 1.0; }\n", "glsl" },
};

static void check(size_t i)
{
    char texts[2][512];
    snprintf(texts[0], sizeof texts[0], "#version 330 compatibility\n%s",
             cases[i].first);
    snprintf(texts[1], sizeof texts[1], "#version 330 compatibility\n%s",
             cases[i].second);
    const struct gv_glsl_text objects[] = { { GV_STAGE_VERTEX, texts[0] },
                                            { GV_STAGE_VERTEX, texts[1] } };
    const struct gv_glsl_program_params params = { .texts = objects, .count = 2 };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_program p;
    const bool ok = gv_glsl_program(&params, &arena, &p, &err);
    const char *wanted = cases[i].message;
    CHECK_ROW(cases[i].name, ok == !wanted);
    if (ok)
        CHECK_ROW(cases[i].name, gv_test_valid(&p.stages[0]));
    if (!ok && (!wanted || strncmp(err.message, wanted, strlen(wanted)))) {
        fprintf(stderr, "got %s\n", err.message);
        CHECK_ROW(cases[i].name, false);
    }
    gv_arena_finish(&arena);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(i);
    return TEST_RESULT();
}
