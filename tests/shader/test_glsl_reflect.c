// What a linked program says of itself: names as OpenGL has them, types, places.
#include "compiler/shader/glsl/glsl_program.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"

#define VS GV_STAGE_VERTEX
#define FS GV_STAGE_FRAGMENT
#define BOTH (VS | FS)

static const char vertex[] =
    "#version 430\n"
    "struct Lamp { vec3 color; bool on[2]; };\n"
    "struct Room { Lamp lamps[2]; mat3 turn; };\n"
    "uniform float f;\n"
    "layout(location = 7) uniform vec4 a[3];\n"
    "uniform Room room;\n"
    "uniform mat4x2 m[2];\n"
    "uniform bvec3 flags;\n"
    "uniform ivec2 grid[2][3];\n"
    "layout(shared, row_major, binding = 2) uniform Named { mat2x3 t; int "
    "sample_count; } n;\n"
    "in vec4 position; in mat3 frame; in vec2 unused; layout(location = 9) in int id;\n"
    "out vec4 v;\n"
    "void main() {\n"
    "  gl_Position = position * f + a[1] + vec4(frame[1], 0.0) + float(id);\n"
    "  v = vec4(room.turn * room.lamps[1].color, 1.0) + vec4(m[1][0], grid[1][2]);\n"
    "  if (room.lamps[0].on[1] || flags.y) v += n.t[1].xyzz * float(n.sample_count);\n"
    "}\n";
static const char fragment[] =
    "#version 430\n"
    "uniform float f; uniform sampler2D t; uniform sampler2DArrayShadow shadows[4];\n"
    "layout(rgba8, binding = 3) uniform writeonly image2D store;\n"
    "layout(binding = 1) buffer Bare { uint words; vec4 many[]; };\n"
    "in vec4 v;\n"
    "out vec4 second; layout(location = 0) out vec4 first;\n"
    "void main() {\n"
    "  first = v * f + texture(t, v.xy); second = many[words] + "
    "vec4(texture(shadows[2], v));\n"
    "  imageStore(store, ivec2(1), v);\n"
    "}\n";

static const struct {
    const char *name;
    enum gv_glsl_scalar scalar;
    uint32_t rows, columns, array_size, offset, array_stride, matrix_stride;
    int location;
    uint32_t stages;
} uniforms[] = {
    { "f", GV_GLSL_FLOAT, 1, 1, 0, 0, 0, 0, -1, BOTH },
    { "a[0]", GV_GLSL_FLOAT, 4, 1, 3, 16, 16, 0, 7, VS },
    { "room.lamps[0].color", GV_GLSL_FLOAT, 3, 1, 0, 64, 0, 0, -1, VS },
    { "room.lamps[0].on[0]", GV_GLSL_BOOL, 1, 1, 2, 80, 16, 0, -1, VS },
    { "room.lamps[1].color", GV_GLSL_FLOAT, 3, 1, 0, 112, 0, 0, -1, VS },
    { "room.lamps[1].on[0]", GV_GLSL_BOOL, 1, 1, 2, 128, 16, 0, -1, VS },
    { "room.turn", GV_GLSL_FLOAT, 3, 3, 0, 160, 0, 16, -1, VS },
    { "m[0]", GV_GLSL_FLOAT, 2, 4, 2, 208, 64, 16, -1, VS },
    { "flags", GV_GLSL_BOOL, 3, 1, 0, 336, 0, 0, -1, VS },
    { "grid[0][0]", GV_GLSL_INT, 2, 1, 3, 352, 16, 0, -1, VS },
    { "grid[1][0]", GV_GLSL_INT, 2, 1, 3, 400, 16, 0, -1, VS },
    { "Named.t", GV_GLSL_FLOAT, 3, 2, 0, 0, 0, 8, -1, VS },
    { "Named.sample_count", GV_GLSL_INT, 1, 1, 0, 24, 0, 0, -1, VS },
    { "words", GV_GLSL_UINT, 1, 1, 0, 0, 0, 0, -1, FS },
    { "many[0]", GV_GLSL_FLOAT, 4, 1, 0, 16, 16, 0, -1, FS },
};

static void check_uniforms(const struct gv_glsl_reflection *r)
{
    for (size_t i = 0; i < sizeof uniforms / sizeof *uniforms; i++) {
        uint32_t element;
        const char *name = uniforms[i].name;
        const struct gv_glsl_uniform *u = gv_glsl_find_uniform(r, name, &element);
        CHECK_ROW(name, u != NULL);
        if (!u)
            continue;
        if (u->offset != uniforms[i].offset)
            fprintf(stderr, "offset %u\n", u->offset);
        CHECK_ROW(name, u->type.scalar == uniforms[i].scalar);
        CHECK_ROW(name, u->type.rows == uniforms[i].rows);
        CHECK_ROW(name, u->type.columns == uniforms[i].columns);
        CHECK_ROW(name, u->array_size == uniforms[i].array_size);
        CHECK_ROW(name, u->offset == uniforms[i].offset);
        CHECK_ROW(name, u->array_stride == uniforms[i].array_stride);
        CHECK_ROW(name, u->matrix_stride == uniforms[i].matrix_stride);
        CHECK_ROW(name, u->location == uniforms[i].location);
        CHECK_ROW(name, u->stages == uniforms[i].stages);
        CHECK_ROW(name, !u->state && u->row_major == !strcmp(name, "Named.t"));
        CHECK_ROW(name, u->runtime_array == !strcmp(name, "many[0]"));
    }
    CHECK(r->uniform_count == sizeof uniforms / sizeof *uniforms);
    uint32_t element = 9;
    CHECK(gv_glsl_find_uniform(r, "a", &element) && element == 0);
    CHECK(gv_glsl_find_uniform(r, "a[2]", &element) && element == 2);
    CHECK(!gv_glsl_find_uniform(r, "a[3]", &element));
    CHECK(!gv_glsl_find_uniform(r, "room", &element));
    CHECK(!gv_glsl_find_uniform(r, "f[0]", &element));
}

static void check_blocks(const struct gv_glsl_program *p)
{
    const struct gv_glsl_reflection *r = &p->reflection;
    CHECK(r->block_count == 3);
    if (r->block_count != 3)
        return;
    CHECK(!*r->blocks[0].name && r->blocks[0].count == 11 && r->blocks[0].size == 448);
    CHECK(r->blocks[0].stages == BOTH);
    CHECK(!strcmp(r->blocks[1].name, "Named") && r->blocks[1].binding == 2);
    CHECK(r->blocks[1].size == 32 && r->blocks[1].stages == VS);
    CHECK(!strcmp(r->blocks[2].name, "Bare") && r->blocks[2].storage);
    CHECK(r->blocks[2].binding == 1 && r->blocks[2].size == 16);
    for (size_t i = 0; i < 3; i++)
        CHECK(r->blocks[i].resource < p->resource_count);
}

static void check_samplers(const struct gv_glsl_program *p)
{
    const struct gv_glsl_reflection *r = &p->reflection;
    uint32_t element;
    const struct gv_glsl_sampler *t = gv_glsl_find_sampler(r, "t", &element);
    const struct gv_glsl_sampler *s = gv_glsl_find_sampler(r, "shadows[3]", &element);
    const struct gv_glsl_sampler *i = gv_glsl_find_sampler(r, "store", &element);
    CHECK(r->sampler_count == 3 && t && s && i);
    if (!t || !s || !i)
        return;
    CHECK(t->dimension == GV_GLSL_2D && !t->shadow && !t->array_size && !t->image);
    CHECK(s->shadow && s->arrayed && s->array_size == 4 && s->stages == FS);
    CHECK(p->resources[s->resource].count == 4);
    CHECK(i->image && i->binding == 3 && t->binding == -1);
}

static void check_places(const struct gv_glsl_program *p)
{
    // The largest first, at the lowest free place: Mesa's order.
    static const struct {
        const char *name;
        uint32_t location, rows, columns;
    } attributes[] = { { "frame", 0, 3, 3 },
                       { "position", 3, 4, 1 },
                       { "id", 9, 1, 1 } };
    CHECK(p->attribute_count == 3);
    for (size_t i = 0; i < 3 && p->attribute_count == 3; i++) {
        CHECK_ROW(attributes[i].name,
                  !strcmp(p->attributes[i].name, attributes[i].name));
        CHECK_ROW(attributes[i].name,
                  p->attributes[i].location == attributes[i].location);
        CHECK_ROW(attributes[i].name, p->attributes[i].type.rows == attributes[i].rows);
        CHECK_ROW(attributes[i].name,
                  p->attributes[i].type.columns == attributes[i].columns);
    }
    const struct gv_glsl_reflection *r = &p->reflection;
    CHECK(r->output_count == 2);
    for (size_t i = 0; i < r->output_count; i++)
        CHECK(r->outputs[i].location == (strcmp(r->outputs[i].name, "first") ? 1 : 0));
}

static void test_program(void)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_glsl_text texts[] = { { VS, vertex }, { FS, fragment } };
    struct gv_glsl_program_params params = { .texts = texts,
                                             .count = 2,
                                             .gl_rules = true };
    struct gv_glsl_program p;
    bool ok = gv_glsl_program(&params, &arena, &p, &err);
    CHECK_ROW(err.message, ok);
    if (ok) {
        check_uniforms(&p.reflection);
        check_blocks(&p);
        check_samplers(&p);
        check_places(&p);
    }
    gv_arena_finish(&arena);
}

// Built-ins have their own names; gl_Vertex takes attribute 0 from the others.
static void test_legacy(void)
{
    static const char text[] =
        "attribute vec4 other; uniform float sample; varying vec4 v;\n"
        "void main() { gl_Position = gl_Vertex + other * sample + "
        "gl_LightSource[2].position\n"
        "* gl_NormalMatrix[0].x; gl_FrontColor = gl_Color; }";
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_glsl_text texts[] = {
        { VS, text }, { FS, "void main() { gl_FragColor = gl_Color; }" }
    };
    struct gv_glsl_program_params params = { .texts = texts,
                                             .count = 2,
                                             .gl_rules = true };
    struct gv_glsl_program p;
    bool ok = gv_glsl_program(&params, &arena, &p, &err);
    CHECK_ROW(err.message, ok);
    uint32_t element;
    const struct gv_glsl_uniform *u = NULL;
    if (ok) {
        u = gv_glsl_find_uniform(&p.reflection, "gl_LightSource[2].position", &element);
        CHECK(u && u->state && u->offset % 16 == 0);
        u = gv_glsl_find_uniform(&p.reflection, "gl_NormalMatrix", &element);
        CHECK(u && u->state && u->matrix_stride == 16);
        u = gv_glsl_find_uniform(&p.reflection, "sample", &element);
        CHECK(u && !u->state);
        CHECK(p.attribute_count == 3);
        for (size_t i = 0; i < p.attribute_count; i++)
            if (!strcmp(p.attributes[i].name, "other"))
                CHECK(p.attributes[i].location == 1);
        CHECK(p.reflection.output_count == 1 &&
              !strcmp(p.reflection.outputs[0].name, "gl_FragColor"));
    }
    gv_arena_finish(&arena);
}

// Programs of one stage each meet where their variables have the same names.
static void test_separable(void)
{
    static const char *const sources[] = {
        "#version 410\nin vec4 p; layout(location = 1) out vec4 c; out vec2 a; out "
        "mat2 b;\n"
        "void main() { gl_Position = p; c = p; a = p.xy; b = mat2(p.x); }",
        "#version 410\nin mat2 b; layout(location = 1) in vec4 other; in vec2 a;\n"
        "out vec4 o; void main() { o = other + b[0].xyxy + a.xyxy; }",
    };
    struct gv_arena arena = { 0 };
    struct gv_glsl_program p[2];
    for (size_t i = 0; i < 2; i++) {
        struct gv_error err = GV_ERROR_INIT;
        const struct gv_glsl_text text = { i ? FS : VS, sources[i] };
        struct gv_glsl_program_params params = {
            .texts = &text, .count = 1, .gl_rules = true, .separable = true
        };
        bool ok = gv_glsl_program(&params, &arena, &p[i], &err);
        CHECK_ROW(err.message, ok);
        if (!ok)
            return;
    }
    CHECK(p[0].stages[0].output_locations == 0xf);
    CHECK(p[1].stages[0].input_locations == 0xf);
    gv_arena_finish(&arena);
}

static const struct {
    const char *name, *vertex, *fragment;
    uint64_t varyings; // of the fragment stage
    const char *message;
} links[] = {
    { "unused_input",
      "#version 130\nin vec4 p; out vec4 a; void main() { gl_Position = a = p; }",
      "#version 130\nin vec4 a; in vec4 nobody; out vec4 o; void main() { o = a; }",
      0x1, NULL },
    { "not_written", "#version 120\nattribute vec4 p; void main() { gl_Position = p; }",
      "#version 120\nvarying vec4 nobody; void main() { gl_FragColor = nobody; }", 0,
      "glsl linking: 'nobody' is read" },
    { "not_written_es", "#version 300 es\nin vec4 p; void main() { gl_Position = p; }",
      "#version 300 es\nprecision highp float; in vec4 nobody; out vec4 o;\n"
      "void main() { o = nobody; }",
      0, "glsl linking: 'nobody' is read" },
    { "not_written_late", "#version 130\nin vec4 p; void main() { gl_Position = p; }",
      "#version 130\nin vec4 nobody; out vec4 o; void main() { o = nobody; }", 0,
      NULL },
    { "by_location",
      "#version 430\nin vec4 p; layout(location = 4) out vec4 a; out vec4 b;\n"
      "void main() { gl_Position = a = b = p; }",
      "#version 430\nlayout(location = 4) in vec4 other; out vec4 o;\n"
      "void main() { o = other; }",
      0x1, NULL },
    { "components",
      "#version 440\nin vec4 p; layout(location = 0) out vec2 a;\n"
      "layout(location = 0, component = 2) out vec2 b; out vec4 c;\n"
      "void main() { gl_Position = c = p; a = b = p.xy; }",
      "#version 440\nlayout(location = 0) in vec2 a; in vec4 c;\n"
      "layout(location = 0, component = 2) in vec2 b; out vec4 o;\n"
      "void main() { o = vec4(a, b) + c; }",
      0x3, NULL },
    { "one_name",
      "#version 430\nin vec4 p; layout(std140) uniform B { vec4 a; } b[2];\n"
      "uniform vec4 a[2]; void main() { gl_Position = p + b[1].a + a[0]; }",
      "#version 430\nlayout(std140) uniform B { vec4 a; } b[2]; uniform vec4 a[2];\n"
      "layout(std140) uniform C { vec4 a; } c; uniform sampler2D t; out vec4 o;\n"
      "void main() { o = b[0].a + a[1] + c.a + texture(t, vec2(0)); }",
      0, NULL },
    { "uniform_and_sampler",
      "#version 430\nuniform vec4 x[2]; void main() { gl_Position = x[1]; }",
      "#version 430\nuniform sampler2D x[2]; out vec4 o;\n"
      "void main() { o = texture(x[1], vec2(0)); }",
      0, "glsl linking: stages differ in what 'x" },
    { "array_and_one",
      "#version 430\nuniform vec4 x[2]; void main() { gl_Position = x[1]; }",
      "#version 430\nuniform sampler2D x; out vec4 o;\n"
      "void main() { o = texture(x, vec2(0)); }",
      0, "glsl linking: stages differ in what 'x" },
    { "member_and_uniform",
      "#version 430\nlayout(std140) uniform B { vec4 x; };\n"
      "void main() { gl_Position = x; }",
      "#version 430\nuniform vec4 x; out vec4 o; void main() { o = x; }", 0,
      "glsl linking: stages differ in what 'x" },
    { "member_and_sampler",
      "#version 430\nlayout(std140) uniform B { vec4 x; };\n"
      "void main() { gl_Position = x; }",
      "#version 430\nuniform sampler2D x; out vec4 o;\n"
      "void main() { o = texture(x, vec2(0)); }",
      0, "glsl linking: stages differ in what 'x" },
};

static void test_links(void)
{
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        const struct gv_glsl_text texts[] = { { VS, links[i].vertex },
                                              { FS, links[i].fragment } };
        struct gv_glsl_program_params params = { .texts = texts,
                                                 .count = 2,
                                                 .gl_rules = true };
        struct gv_glsl_program p;
        bool ok = gv_glsl_program(&params, &arena, &p, &err);
        if (ok == (links[i].message != NULL))
            fprintf(stderr, "%s\n", err.message);
        CHECK_ROW(links[i].name, ok == !links[i].message);
        if (ok)
            CHECK_ROW(links[i].name, p.stages[1].input_locations == links[i].varyings);
        else if (links[i].message)
            CHECK_ROW(links[i].name, !strncmp(err.message, links[i].message,
                                              strlen(links[i].message)));
        gv_arena_finish(&arena);
    }
}

// Initialisers are values: constants of the text, constructors, arithmetic.
static const struct {
    const char *name;
    size_t count; // of words, 0: no default
    float values[8];
} defaults[] = {
    { "x", 1, { 2.5f } },          { "none", 0, { 0 } },
    { "c", 3, { 6, 6, 6 } },       { "m", 4, { 1, 0, 0, 1 } },
    { "a[0]", 4, { 1, 2, 3, 4 } }, { "s.w", 1, { -1 } },
    { "s.v", 2, { 0.25f, 4 } },    { "b[0]", 6, { 1, 2, 3, 4, 5, 6 } },
};

static void test_defaults(void)
{
    static const char text[] =
        "#version 130\nconst float two = 2.0, three = two + 1.0;\n"
        "struct S { float w; vec2 v; };\nuniform float x = two + 0.5, none;\n"
        "uniform vec3 c = vec3(three) * two; uniform mat2 m = mat2(1.0);\n"
        "uniform vec2 a[2] = vec2[2](vec2(1.0, two), vec2(three, 4));\n"
        "uniform S s = S(-1.0, vec2(0.25, sqrt(16.0))); uniform int i = 7;\n"
        "uniform bool yes = true; uniform vec2 b[] = vec2[](vec2(1.0, two),\n"
        "vec2(three, 4), vec2(5.0, (two + 1.0) * two));\n"
        "void main() { gl_Position = vec4(x + none + c.x + m[0].x + a[1].y + s.w + "
        "s.v.x\n+ b[i].x)"
        "* float(i) * float(yes); }";
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_glsl_text source = { VS, text };
    struct gv_glsl_program_params params = { .texts = &source, .count = 1 };
    struct gv_glsl_program p;
    uint32_t element;
    bool ok = gv_glsl_program(&params, &arena, &p, &err);
    CHECK_ROW(err.message, ok);
    for (size_t i = 0; ok && i < sizeof defaults / sizeof *defaults; i++) {
        const struct gv_glsl_uniform *u =
            gv_glsl_find_uniform(&p.reflection, defaults[i].name, &element);
        CHECK_ROW(defaults[i].name, u && !u->value == !defaults[i].count);
        if (u && u->value)
            CHECK_ROW(defaults[i].name,
                      !memcmp(u->value, defaults[i].values, 4 * defaults[i].count));
    }
    const struct gv_glsl_uniform *u =
        ok ? gv_glsl_find_uniform(&p.reflection, "i", &element) : NULL;
    CHECK(u && u->value && *u->value == 7);
    u = ok ? gv_glsl_find_uniform(&p.reflection, "yes", &element) : NULL;
    CHECK(u && u->value && *u->value == 1 && u->type.scalar == GV_GLSL_BOOL);
    gv_arena_finish(&arena);
}

// Samplers of structures are uniforms of their own; their names stay GL's.
static void test_structures(void)
{
    static const struct {
        const char *name;
        uint32_t resource_count, element;
    } rows[] = {
        { "one.map", 1, 0 },
        { "s[0].map", 2, 0 },
        { "s[1].map", 2, 1 },
        { "s[0].inner.maps[0]", 6, 0 },
        { "s[1].inner.maps[2]", 6, 3 },
    };
    static const char text[] =
        "#version 130\nstruct Inner { sampler2D maps[3]; };\n"
        "struct S { vec4 color; sampler2D map; Inner inner; };\n"
        "struct One { sampler2D map; };\nuniform S s[2]; uniform One one; uniform int "
        "i;\n"
        "out vec4 o;\nvoid main() { o = texture(s[1].map, s[0].color.xy);\n"
        "o += texture(one.map, o.xy) + texture(s[0].inner.maps[1 + 1], o.xy)\n"
        "+ texture(s[1].inner.maps[0], s[1].color.xy); }";
    static const char passed[] =
        "#version 130\nstruct S { sampler2D map; }; uniform S s; out vec4 o;\n"
        "vec4 f(S p) { return texture(p.map, vec2(0.0)); }\nvoid main() { o = f(s); }";
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_text source = { FS, text };
    struct gv_glsl_program_params params = { .texts = &source,
                                             .count = 1,
                                             .gl_rules = true };
    struct gv_glsl_program p;
    bool ok = gv_glsl_program(&params, &arena, &p, &err);
    CHECK_ROW(err.message, ok);
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++) {
        uint32_t element;
        const struct gv_glsl_sampler *s =
            gv_glsl_find_sampler(&p.reflection, rows[i].name, &element);
        CHECK_ROW(rows[i].name, s && s->element == rows[i].element);
        CHECK_ROW(rows[i].name,
                  s && p.resources[s->resource].count == rows[i].resource_count);
    }
    uint32_t element;
    CHECK(ok && gv_glsl_find_uniform(&p.reflection, "s[1].color", &element));
    CHECK(ok && !gv_glsl_find_uniform(&p.reflection, "s[1].map", &element));
    source.text = passed;
    CHECK(!gv_glsl_program(&params, &arena, &p, &err));
    CHECK_ROW(err.message, err.status == GV_ERR_UNSUPPORTED);
    gv_arena_finish(&arena);
}

// A location of the text's own is that of the first part; the others follow, textures
// among them, used or not.
static const char located[] =
    "#version 430\n"
    "struct Map { sampler2D base; float weight; sampler2D more[2]; };\n"
    "struct Deep { ivec2 n; Map maps[2][3]; mat2 m[2]; };\n"
    "struct Plain { vec4 whole; float each[2]; mat3 turn; };\n"
    "layout(location = 2) uniform Plain plain[2];\n"
    "layout(location = 20) uniform Deep deep;\n"
    "layout(location = 60) uniform vec3 rows[2][4];\n"
    "layout(location = 70, binding = 3) uniform sampler2D grid[2][2];\n"
    "out vec4 o;\n"
    "void main() {\n"
    "  o = plain[1].whole * plain[0].each[1] + plain[1].turn[0].xxxx;\n"
    "  o += texture(deep.maps[1][2].more[1], o.xy) * deep.maps[1][2].weight;\n"
    "  o += texture(deep.maps[0][1].base, o.xy) * float(deep.n.x);\n"
    "  o.xy += deep.m[1] * rows[1][3].xy + texture(grid[1][0], o.xy).xy;\n"
    "}\n";
static const struct {
    const char *name;
    bool sampler;
    int location;
} located_rows[] = {
    { "plain[0].whole", false, 2 },
    { "plain[0].each[0]", false, 3 },
    { "plain[0].turn", false, 5 },
    { "plain[1].whole", false, 6 },
    { "plain[1].turn", false, 9 },
    { "deep.n", false, 20 },
    { "deep.maps[0][1].base", true, 25 },
    { "deep.maps[1][2].base", true, 41 },
    { "deep.maps[1][2].weight", false, 42 },
    { "deep.maps[1][2].more[0]", true, 43 },
    { "deep.m[0]", false, 45 },
    { "rows[0][0]", false, 60 },
    { "rows[1][0]", false, 64 },
    { "grid[0][0]", true, 70 },
    { "grid[1][0]", true, 72 },
};

static void test_locations(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_arena arena = { 0 };
    struct gv_glsl_program p;
    const struct gv_glsl_text one = { FS, located };
    const struct gv_glsl_program_params params = {
        .texts = &one, .count = 1, .gl_rules = true, .separable = true
    };
    const bool ok = gv_glsl_program(&params, &arena, &p, &err);
    CHECK(ok);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    for (size_t i = 0; ok && i < sizeof located_rows / sizeof *located_rows; i++) {
        uint32_t element;
        const struct gv_glsl_sampler *s =
            gv_glsl_find_sampler(&p.reflection, located_rows[i].name, &element);
        const struct gv_glsl_uniform *u =
            gv_glsl_find_uniform(&p.reflection, located_rows[i].name, &element);
        CHECK_ROW(located_rows[i].name,
                  located_rows[i].sampler ? s != NULL : u != NULL);
        if (s)
            CHECK_ROW(located_rows[i].name, s->location == located_rows[i].location);
        if (u)
            CHECK_ROW(located_rows[i].name, u->location == located_rows[i].location);
        if (s && !strncmp(located_rows[i].name, "grid[1]", 7))
            CHECK(s->binding == 5);
    }
    gv_arena_finish(&arena);
}

// GL's locations of doubles, a column each; Vulkan's behind all others.
static void test_doubles(void)
{
    static const char wide[] =
        "#version 410\nin dmat2x3 m[2]; layout(location = 1) in double d; in vec4 f;\n"
        "in dvec4 unused;\n"
        "void main() { int i = int(f.x); gl_Position = f * float(m[i][1].y + d); }";
    static const struct {
        const char *name;
        uint32_t number, location, size, in_column;
    } rows[] = { { "f", 0, 0, 0, 0 }, { "m", 2, 1, 8, 2 }, { "d", 1, 9, 1, 1 } };
    const struct gv_glsl_text text = { GV_STAGE_VERTEX, wide };
    const struct gv_glsl_attribute bound = { .name = "f", .location = 0 };
    const struct gv_glsl_program_params params = { .texts = &text,
                                                   .count = 1,
                                                   .attributes = &bound,
                                                   .attribute_count = 1,
                                                   .gl_rules = true };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_program p;
    const bool ok = gv_glsl_program(&params, &arena, &p, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    CHECK(ok && p.attribute_count == 3);
    for (size_t i = 0; ok && i < 3 && p.attribute_count == 3; i++) {
        const struct gv_glsl_attribute *a = &p.attributes[i];
        CHECK_ROW(rows[i].name, !strcmp(a->name, rows[i].name));
        CHECK_ROW(rows[i].name, a->number == rows[i].number);
        CHECK_ROW(rows[i].name, a->location == rows[i].location);
        CHECK_ROW(rows[i].name, a->array_size == rows[i].size);
        CHECK_ROW(rows[i].name, a->in_column == rows[i].in_column);
    }
    gv_arena_finish(&arena);
}

int main(void)
{
    test_structures();
    test_locations();
    test_defaults();
    test_program();
    test_legacy();
    test_separable();
    test_links();
    test_doubles();
    return TEST_RESULT();
}
