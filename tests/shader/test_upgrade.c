// GLSL of every dialect to GLSL 4.60: source -> expected text, refusals by name, and
// programs linked by name.
#include "compiler/shader/glsl/glsl_program.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"

#define VS GV_STAGE_VERTEX
#define ES_DEFAULTS "precision lowp sampler2D; precision lowp samplerCube; "
#define FS GV_STAGE_FRAGMENT

// White space is squeezed before comparing.
static const struct {
    const char *name;
    uint32_t stage;
    const char *source, *expected;
} rows[] = {
    { "es_300_precision", FS,
      "#version 300 es\nprecision highp float;\nin highp vec4 c;\nout mediump vec4 o;\n"
      "void main() { lowp vec4 t = c; precision highp int; o = t; }",
      "#version 460 " ES_DEFAULTS
      "precision highp float; in highp vec4 c; out mediump vec4 o; "
      "void main() { lowp vec4 t = c; precision highp int; o = t; }" },
    { "desktop_precision", FS,
      "#version 130\nprecision highp float;\nin highp vec4 c;\nout mediump vec4 o;\n"
      "void main() { lowp vec4 t = c; precision highp int; o = t; }",
      "#version 460 in vec4 c; out vec4 o; void main() { vec4 t = c; o = t; }" },
    { "es_100_attribute", VS,
      "attribute vec4 a;\nvarying vec4 v;\nvoid main() { v = a; gl_Position = a; }",
      "#version 460 " ES_DEFAULTS
      "in vec4 a; out vec4 v; void main() { v = a; gl_Position = a; }" },
    { "es_100_varying_in", FS,
      "precision mediump float;\nvarying vec4 v;\nvoid main() { gl_FragColor = v; }",
      "#version 460 " ES_DEFAULTS
      "layout(location = 0) out vec4 gv_FragColor; precision mediump "
      "float; in vec4 v; void main() { gv_FragColor = v; }" },
    { "texture2D", FS,
      "precision mediump float;uniform sampler2D s;\n"
      "void main() { gl_FragColor = texture2D(s, vec2(0.0)); }",
      "#version 460 " ES_DEFAULTS
      "layout(location = 0) out vec4 gv_FragColor; precision mediump "
      "float; uniform sampler2D s; "
      "void "
      "main() { gv_FragColor = texture(s, vec2(0.0)); }" },
    { "texture2D_own", FS,
      "#version 110\nvec4 texture2D(float a) { return vec4(a); }\n"
      "void main() { gl_FragColor = texture2D(1.0); }",
      "#version 460 layout(location = 0) out vec4 gv_FragColor; vec4 "
      "gv_texture2D(float a) "
      "{ return vec4(a); } void main() { gv_FragColor = gv_texture2D(1.0); }" },
    { "keyword_as_name", FS,
      "#version 110\nuniform vec4 sample;\nuniform float buffer;\n"
      "void main() { gl_FragColor = sample * buffer; }",
      "#version 460 layout(location = 0) out vec4 gv_FragColor; uniform vec4 "
      "gv_sample; "
      "uniform float gv_buffer; void main() { gv_FragColor = gv_sample * gv_buffer; "
      "}" },
    { "builtin_redeclared", FS,
      "#version 110\nfloat round(float x) { return floor(x + 0.5); }\n"
      "void main() { gl_FragColor = vec4(round(0.2)); }",
      "#version 460 layout(location = 0) out vec4 gv_FragColor; float gv_round(float "
      "x) { "
      "return floor(x + 0.5); } void main() { gv_FragColor = vec4(gv_round(0.2)); }" },
    { "builtin_not_redeclared", FS,
      "#version 330\nout vec4 o;\nvoid main() { o = vec4(round(0.2)); }",
      "#version 460 out vec4 o; void main() { o = vec4(round(0.2)); }" },
    { "layout_of_mesa", FS,
      "#version 140\nlayout(shared) uniform B { vec4 c; };\nout vec4 o;\n"
      "void main() { o = c; }",
      "#version 460 #extension GL_EXT_scalar_block_layout : require "
      "layout(std430) uniform; layout(std430) uniform B { vec4 c; }; out vec4 o; "
      "void main() { o = c; }" },
    { "uniform_location_dropped", FS,
      "#version 430\nlayout(location = 3, binding = 1) uniform sampler2D s;\n"
      "layout(location = 4) uniform vec4 c;\nlayout(location = 0) out vec4 o;\n"
      "void main() { o = c * texture(s, vec2(0)); }",
      "#version 460 layout( binding = 1) uniform sampler2D s; uniform vec4 c; "
      "layout(location = 0) out vec4 o; void main() { o = c * texture(s, vec2(0)); }" },
    { "flat_added", FS,
      "#version 130\nin ivec2 i;\nout vec4 o;\nvoid main() { o = vec4(i, 0, 1); }",
      "#version 460 flat in ivec2 i; out vec4 o; void main() { o = vec4(i, 0, 1); }" },
    { "flat_kept", FS,
      "#version 300 es\nprecision highp float;flat in int i;\nout vec4 o;\n"
      "void main() { o = vec4(i); }",
      "#version 460 " ES_DEFAULTS "precision highp float; flat in int i; out vec4 o; "
      "void main() { o = vec4(i); }" },
    { "invariant_input", FS,
      "#version 120\ninvariant varying vec4 v;\nvarying vec4 w;\ninvariant w;\n"
      "void main() { gl_FragColor = v + w; }",
      "#version 460 layout(location = 0) out vec4 gv_FragColor; in vec4 v; in vec4 w; "
      "void "
      "main() { gv_FragColor = v + w; }" },
    { "version_macros", FS,
      "#version 300 es\nprecision highp float;\n#ifdef GL_ES\nout vec4 o;\n#endif\n"
      "#if __VERSION__ == 300\nvoid main() { o = vec4(1); }\n#endif\n",
      "#version 460 " ES_DEFAULTS
      "precision highp float; out vec4 o; void main() { o = vec4(1); }" },
    { "instance_id", VS,
      "#version 300 es\nvoid main() { gl_Position = vec4(gl_InstanceID); }",
      "#version 460 " ES_DEFAULTS
      "void main() { gl_Position = vec4((gl_InstanceIndex - "
      "gl_BaseInstance)); }" },
    { "frag_data", FS, "#version 110\nvoid main() { gl_FragData[1] = vec4(1.0); }",
      "#version 460 layout(location = 0) out vec4 gv_FragData[8]; void main() { "
      "gv_FragData[1] = vec4(1.0); }" },
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '#';
}

// Keeps a blank only between two words.
static void squeeze(char *to, size_t size, const char *from)
{
    size_t n = 0;
    bool blank = false;
    for (; *from && n + 2 < size; from++) {
        if (*from == ' ' || *from == '\n') {
            blank = true;
            continue;
        }
        if (blank && n && is_word(to[n - 1]) && is_word(*from))
            to[n++] = ' ';
        blank = false;
        to[n++] = *from;
    }
    to[n] = 0;
}

// Without the #line of its one object, which is the same in every row.
static const char *without_lines(const char *text)
{
    static const char line[] = "\n#line 1 0\n";
    static char copy[4096];
    const char *at = strstr(text, line);
    snprintf(copy, sizeof copy, "%.*s\n%s", at ? (int)(at - text) : 0, text,
             at ? at + sizeof line - 1 : text);
    return copy;
}

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_glsl_text text = { rows[i].stage, rows[i].source };
        struct gv_upgrade_options options = { .es = true };
        const char *out = "";
        char squeezed[2048], expected[2048];
        CHECK_ROW(rows[i].name, gv_glsl_upgrade(&text, &options, &arena, &out, &err));
        squeeze(squeezed, sizeof squeezed,
                err.status ? err.message : without_lines(out));
        squeeze(expected, sizeof expected, rows[i].expected);
        if (strcmp(squeezed, expected)) {
            fprintf(stderr, "got      %s\nexpected %s\n", squeezed, expected);
            CHECK_ROW(rows[i].name, false);
        }
        gv_arena_finish(&arena);
    }
}

static char nested[2048], macros[2048], backwards[2048];

static const struct {
    const char *name, *source;
    enum gv_status status;
    const char *message;
} refused[] = {
    { "no_such_version", "#version 305 es\nvoid main() {}", GV_ERR_FORMAT,
      "glsl: no version 305 es" },
    { "initialiser",
      "#version 120\nfloat f() { return 1.0; }\n"
      "uniform float x = f();\nvoid main() {}",
      GV_ERR_UNSUPPORTED, "unsupported: glsl uniform initialiser" },
    { "character", "#version 110\nvoid main() { \x80 }", GV_ERR_FORMAT,
      "glsl: unexpected character 0x80" },
    { "uniform_twice",
      "#version 430\nlayout(location = 1) uniform vec4 u;\nuniform vec2 u;\n"
      "void main() {}",
      GV_ERR_FORMAT, "glsl: vertex line 3: 'u' is declared twice: uniform vec2 u;" },
    { "uniform_and_input", "#version 120\nattribute vec2 u;\nuniform vec4 u;\n",
      GV_ERR_FORMAT, "glsl: vertex line 3: 'u' is declared twice: uniform vec4 u;" },
    { "uniform_and_type", "#version 120\nstruct u { vec2 a; } s;\nuniform vec4 u;\n",
      GV_ERR_FORMAT, "glsl: vertex line 3: 'u' is declared twice: uniform vec4 u;" },
    { "uniform_and_member",
      "#version 150\nuniform vec4 u;\nuniform B { vec4 a, b; vec2 u; };\n",
      GV_ERR_FORMAT, "glsl: vertex line 3: 'u' is declared twice: uniform B {" },
    { "uniform_reserved", "#version 120\nuniform vec2 gl_Position;\n", GV_ERR_FORMAT,
      "glsl: vertex line 2: 'gl_Position' is reserved: uniform vec2 gl_Position;" },
    { "preprocessor", "#version 110\n#error no\n", GV_ERR_FORMAT,
      "glsl: line 2: #error no" },
    { "deep", nested, GV_ERR_LIMIT, "glsl: more than 256 levels of brackets" },
    { "macro_bomb", macros, GV_ERR_LIMIT, "glsl: line " },
    { "macro_bomb_backwards", backwards, GV_ERR_LIMIT, "glsl: line " },
};

static void test_refused(void)
{
    strcpy(nested, "void main() { int a = ");
    for (int i = 0; i < 400; i++)
        strcat(nested, "(");
    strcpy(macros, "#define a0 1\n");
    for (int i = 1; i < 40; i++)
        sprintf(macros + strlen(macros), "#define a%d a%d a%d\n", i, i - 1, i - 1);
    strcat(macros, "int a = a39;\n");
    for (int i = 40; i > 0; i--)
        sprintf(backwards + strlen(backwards), "#define a%d a%d a%d\n", i, i - 1,
                i - 1);
    strcat(backwards, "int a0 = a40;\n");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_glsl_text text = { VS, refused[i].source };
        const char *out;
        CHECK_ROW(refused[i].name, !gv_glsl_upgrade(&text, NULL, &arena, &out, &err));
        CHECK_ROW(refused[i].name, err.status == refused[i].status);
        if (strncmp(err.message, refused[i].message, strlen(refused[i].message))) {
            fprintf(stderr, "got %s\n", err.message);
            CHECK_ROW(refused[i].name, false);
        }
        gv_arena_finish(&arena);
    }
}

static const struct {
    const char *name, *vertex, *fragment;
    uint64_t attributes, varyings;
    size_t resources;
} programs[] = {
    { "es_300",
      "#version 300 es\nprecision highp float;\nlayout(location=0) in vec2 p;\n"
      "layout(location=1) in vec4 c;\nout vec4 v;\n"
      "void main() { v = c; gl_Position = vec4(p, 0.0, 1.0); }",
      "#version 300 es\nprecision highp float;\nin vec4 v;\nout vec4 o;\n"
      "void main() { o = v; }",
      0x3, 0x1, 0 },
    { "varyings_by_name",
      "#version 130\nin vec4 p; out vec4 a; out mat2 b; out vec2 c;\n"
      "void main() { gl_Position = p; a = p; b = mat2(1.0); c = p.xy; }",
      "#version 130\nin vec2 c; in vec4 a; in mat2 b; out vec4 o;\n"
      "void main() { o = a + b[0].xyxy + c.xyxy; }",
      0x1, 0xf, 0 },
    { "uniforms",
      "#version 120\nattribute vec4 p; uniform mat4 m; uniform vec4 k; varying vec4 "
      "v;\n"
      "uniform sampler2D t;\n"
      "void main() { gl_Position = m * p; v = k + texture2DLod(t, vec2(0.0), 0.0); }",
      "#version 120\nuniform vec4 k; varying vec4 v; uniform sampler2D u, t;\n"
      "void main() { gl_FragColor = k * v * texture2D(t, v.xy) * texture2D(u, v.xy); }",
      0x1, 0x1, 3 },
    { "two_varyings_of_a_struct",
      "#version 150\nstruct R { vec4 a; vec4 b; };\nin vec4 p; out R x; out R y;\n"
      "out vec4 z;\nvoid main() { gl_Position = p; x = R(p, p); y = x; z = p; }",
      "#version 150\nstruct R { vec4 a; vec4 b; };\nin vec4 z; in R y; in R x;\n"
      "out vec4 o;\nvoid main() { o = x.a + y.b + z; }",
      0x1, 0x1f, 0 },
};

static void test_programs(void)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_glsl_text texts[] = { { VS, programs[i].vertex },
                                        { FS, programs[i].fragment } };
        struct gv_glsl_program_params params = { .texts = texts, .count = 2 };
        struct gv_glsl_program p;
        bool ok = gv_glsl_program(&params, &arena, &p, &err);
        if (!ok)
            fprintf(stderr, "%s\n", err.message);
        CHECK_ROW(programs[i].name, ok);
        if (ok) {
            CHECK_ROW(programs[i].name,
                      gv_test_valid(&p.stages[0]) && gv_test_valid(&p.stages[1]));
            CHECK_ROW(programs[i].name,
                      p.stages[0].input_locations == programs[i].attributes);
            CHECK_ROW(programs[i].name,
                      p.stages[0].output_locations == programs[i].varyings);
            CHECK_ROW(programs[i].name,
                      p.stages[1].input_locations == programs[i].varyings);
            CHECK_ROW(programs[i].name, p.resource_count == programs[i].resources);
        }
        gv_arena_finish(&arena);
    }
}

static void test_named_attributes(void)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_text text = { VS,
                                 "#version 100\nattribute vec4 c, p;\nvoid main() { "
                                 "gl_Position = p + c; }" };
    struct gv_glsl_attribute names[] = { { .name = "p", .location = 5 },
                                         { .name = "c", .location = 2 },
                                         { .name = "absent" } };
    struct gv_glsl_program_params params = {
        .texts = &text, .count = 1, .attributes = names, .attribute_count = 3
    };
    struct gv_glsl_program p;
    CHECK(gv_glsl_program(&params, &arena, &p, &err));
    CHECK(p.attribute_count == 2);
    CHECK(p.attribute_count == 2 && p.attributes[0].location == 2 &&
          !strcmp(p.attributes[0].name, "c") && p.attributes[1].location == 5);
    CHECK(p.stages[0].input_locations == 0x24);
    gv_arena_finish(&arena);
}

int main(void)
{
    test_rows();
    test_refused();
    test_programs();
    test_named_attributes();
    return TEST_RESULT();
}
