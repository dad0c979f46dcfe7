// WGSL text: what becomes valid SPIR-V, what is malformed and where, what is refused by
// name. GV_TEST_SHOW=1 prints the GLSL.
#include "compiler/shader/glsl/glsl.h"
#include "compiler/shader/wgsl/wgsl.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"

#define V GV_STAGE_VERTEX
#define F GV_STAGE_FRAGMENT
#define C GV_STAGE_COMPUTE

// ---- what is taken ----

#define VERTEX(body) \
    "@vertex fn main(@location(0) p: vec4f) -> @builtin(position) vec4f {" body "}"
#define FRAGMENT(body) "@fragment fn main() -> @location(0) vec4f {" body "}"
#define COMPUTE(body) "@compute @workgroup_size(1) fn main() {" body "}"
#define BUFFER "@group(0) @binding(0) var<storage, read_write> b: array<u32>;"
#define FLOATS "@group(0) @binding(0) var<storage, read_write> b: array<f32>;"

static const struct {
    const char *name;
    uint32_t stage;
    const char *text;
} taken[] = {
#include "tests/shader/wgsl_taken.def"
};

static void test_taken(void)
{
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_wgsl_shader shader;
        struct gv_shader_stage stage;
        const struct gv_wgsl_params params = { .text = taken[i].text,
                                               .size = strlen(taken[i].text),
                                               .stage = taken[i].stage };
        bool ok = gv_wgsl_translate(&params, &arena, &shader, &err);
        if (ok && getenv("GV_TEST_SHOW"))
            fprintf(stderr, "[%s]\n%s\n", taken[i].name, shader.glsl);
        if (ok) {
            const struct gv_glsl_text text = { taken[i].stage, shader.glsl };
            ok = gv_glsl_compile(&text, 1, 0, &arena, &stage, &err) &&
                 gv_test_valid(&stage);
            if (!ok)
                fprintf(stderr, "%s\n", shader.glsl);
        }
        if (!ok)
            fprintf(stderr, "[%s] at %lld: %s\n", taken[i].name, (long long)err.offset,
                    err.message);
        CHECK_ROW(taken[i].name, ok);
        gv_arena_finish(&arena);
    }
}

// ---- what is not ----

// `offset` is that of `where` in the text.
static const struct {
    const char *name;
    uint32_t stage;
    enum gv_status status;
    const char *text, *where, *message;
} refused[] = {
#define MALFORMED(name, stage, text, where, message) \
    { name, stage, GV_ERR_FORMAT, text, where, message },
#define UNSUPPORTED(name, stage, text, where, message) \
    { name, stage, GV_ERR_UNSUPPORTED, text, where, "unsupported: WGSL " message },
#include "tests/shader/wgsl_refused.def"
#undef MALFORMED
#undef UNSUPPORTED
};

static void test_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_wgsl_shader shader;
        const char *text = refused[i].text, *where = refused[i].where;
        const char *at = *where ? strstr(text, where) : text + strlen(text);
        const struct gv_wgsl_params params = { .text = text,
                                               .size = strlen(text),
                                               .offset = 1000,
                                               .stage = refused[i].stage };
        bool ok = gv_wgsl_translate(&params, &arena, &shader, &err);
        uint64_t offset = at ? 1000 + (uint64_t)(at - text) : 0;
        bool right = !ok && at && err.status == refused[i].status &&
                     err.offset == offset && strstr(err.message, refused[i].message);
        if (!right)
            fprintf(stderr, "[%s] status %d at %lld (not %lld): %s\n", refused[i].name,
                    err.status, (long long)err.offset, (long long)offset, err.message);
        CHECK_ROW(refused[i].name, right);
        gv_arena_finish(&arena);
    }
}

// ---- interfaces ----

static const char module[] =
    "struct Out { @builtin(position) p: vec4f, @location(2) uv: vec2f,\n"
    "             @location(3) @interpolate(flat) n: u32 }\n"
    "@group(1) @binding(2) var<uniform> m: mat4x4f;\n"
    "@group(0) @binding(1) var t: texture_2d<f32>;\n"
    "@group(0) @binding(2) var s: sampler;\n"
    "@group(2) @binding(3) var<storage> d: array<vec4f>;\n"
    "@vertex fn first(@location(1) p: vec4f) -> @builtin(position) vec4f { return p; "
    "}\n"
    "@vertex fn vs_main(@location(5) p: vec4f) -> Out { return Out(m * p, p.xy, 1u); "
    "}\n"
    "@fragment fn fs_main(i: Out) -> @location(1) vec4f {\n"
    "  return textureSample(t, s, i.uv) + d[i.n] + m[0]; }\n";

static bool compile(uint32_t stage, struct gv_arena *arena,
                    struct gv_wgsl_shader *shader, struct gv_shader_stage *out)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_wgsl_params params = { .text = module,
                                           .size = sizeof module - 1,
                                           .stage = stage,
                                           .entry =
                                               stage == V ? "vs_main" : "fs_main" };
    if (!gv_wgsl_translate(&params, arena, shader, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    const struct gv_glsl_text text = { stage, shader->glsl };
    return gv_glsl_compile(&text, 1, 0, arena, out, &err);
}

static void test_interface(void)
{
    static const struct gv_binding_desc expected[] = {
        { 1, 258, GV_BINDING_UNIFORM_BUFFER, 1, F },
        { 2, 1, GV_BINDING_SAMPLED_IMAGE, 1, F },
        { 2, 2, GV_BINDING_SAMPLER, 1, F },
        { 3, 515, GV_BINDING_STORAGE_BUFFER, 1, F },
    };
    struct gv_arena arena = { 0 };
    struct gv_wgsl_shader shader;
    struct gv_shader_stage stage = { 0 };
    CHECK(compile(V, &arena, &shader, &stage));
    CHECK(stage.input_locations == 1 << 5 && stage.output_locations == 3 << 2);
    CHECK(shader.inputs[5].scalar == GV_WGSL_F32 && shader.inputs[5].components == 4);
    CHECK(shader.outputs[3].scalar == GV_WGSL_U32 && shader.outputs[3].components == 1);
    CHECK(stage.binding_count == 1 && stage.bindings[0].set == 0 &&
          stage.bindings[0].binding == GV_WGSL_BINDING(1, 2));
    CHECK(compile(F, &arena, &shader, &stage));
    CHECK(stage.input_locations == 3 << 2 && stage.output_locations == 1 << 1);
    CHECK(stage.binding_count == 4);
    for (size_t i = 0; i < 4 && stage.binding_count == 4; i++)
        CHECK(!memcmp(&stage.bindings[i], &expected[i], sizeof *expected));
    gv_arena_finish(&arena);
}

// ---- limits: refused, and in time ----

static enum gv_status translated(char *text, size_t size)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_wgsl_shader shader;
    const struct gv_wgsl_params params = { .text = text, .size = size, .stage = F };
    bool ok = gv_wgsl_translate(&params, &arena, &shader, &err);
    if (ok || err.status != GV_ERR_LIMIT || err.offset < size)
        ok = true;
    else
        fprintf(stderr, "limit at %lld of %zu\n", (long long)err.offset, size);
    gv_arena_finish(&arena);
    free(text);
    CHECK(ok);
    return err.status;
}

static enum gv_status repeated(const char *head, const char *piece, size_t count,
                               const char *tail)
{
    size_t n = strlen(piece), h = strlen(head), t = strlen(tail);
    char *text = malloc(h + n * count + t + 1);
    if (!text)
        return GV_ERR_SYSTEM;
    memcpy(text, head, h);
    for (size_t i = 0; i < count; i++)
        memcpy(text + h + i * n, piece, n);
    memcpy(text + h + n * count, tail, t + 1);
    return translated(text, h + n * count + t);
}

// `piece` with one or two numbers: that of the piece, and the next.
static enum gv_status numbered(const char *head, const char *piece, unsigned count,
                               const char *tail)
{
    size_t size = strlen(head) + count * (strlen(piece) + 20) + strlen(tail) + 1;
    char *text = malloc(size);
    if (!text)
        return GV_ERR_SYSTEM;
    size_t n = (size_t)snprintf(text, size, "%s", head);
    for (unsigned i = 0; i < count; i++)
        for (const char *p = piece; *p; p++)
            if (*p == '#' || *p == '^')
                n += (size_t)snprintf(text + n, size - n, "%u", *p == '#' ? i : i + 1);
            else
                text[n++] = *p;
    n += (size_t)snprintf(text + n, size - n, "%s", tail);
    return translated(text, n);
}

// An entry point with `count` functions beside each other.
static enum gv_status wide(unsigned count)
{
    static char text[32768];
    size_t n = (size_t)snprintf(text, sizeof text, "@fragment fn main() { ");
    for (unsigned i = 0; i < count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "f%u(); ", i);
    snprintf(text + n, sizeof text - n, "} ");
    return numbered(text, "fn f#() {} ", count, "");
}

// Each function calls all behind it.
static enum gv_status all_pairs(unsigned count)
{
    static char text[1 << 20];
    size_t n = (size_t)snprintf(text, sizeof text, "@fragment fn main() { f0(); } ");
    for (unsigned i = 0; i < count; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "fn f%u() { ", i);
        for (unsigned k = i + 1; k < count; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "f%u(); f%u(); ", k, k);
        n += (size_t)snprintf(text + n, sizeof text - n, "} ");
    }
    return repeated(text, "", 0, "");
}

static void test_limits(void)
{
    static const char head[] = "@fragment fn main() { var x = 1.0; x = ";
    CHECK(repeated(head, "(", 100000, "") == GV_ERR_LIMIT);
    CHECK(repeated(head, "- ", 100000, "x; }") == GV_ERR_LIMIT);
    CHECK(repeated(head, "x + ", 100000, "x; }") == GV_ERR_LIMIT);
    CHECK(repeated(head, "x + ", 300, "x; }") == GV_OK);
    CHECK(repeated("@fragment fn main() { ", "{", 100000, "") == GV_ERR_LIMIT);
    CHECK(repeated("@fragment fn main() { ", "if true {} else ", 10000, "{} }") ==
          GV_ERR_LIMIT);
    CHECK(repeated("var<private> x: ", "array<", 100000, "") == GV_ERR_LIMIT);
    CHECK(repeated("@fragment fn main() { ", "_ = 1;", 200000, "}") == GV_ERR_LIMIT);
    CHECK(repeated("", " ", 3u << 20, "") == GV_ERR_LIMIT);
    CHECK(repeated("@fragment fn main() { let a = array(", "1,", 4096, "); }") ==
          GV_OK);
    CHECK(repeated("@fragment fn main() { let a = array(", "1,", 4097, "); }") ==
          GV_ERR_LIMIT);
    CHECK(repeated("const a = array(", "1,", 4096,
                   "); fn f() -> i32 { return a[1]; } @fragment fn main() { f(); }") ==
          GV_OK);
    static const char cases[] = "@fragment fn main() { switch 1 { default: {} ";
    CHECK(numbered(cases, "case #: {} ", 4096, "} }") == GV_OK);
    CHECK(numbered(cases, "case #: {} ", 4097, "} }") == GV_ERR_LIMIT);
    CHECK(numbered(cases, "case #, ^: {} ", 10, "} }") == GV_ERR_FORMAT);
    // Functions side by side, and in a chain.
    CHECK(wide(GV_WGSL_MAX_FUNCTIONS - 1) == GV_OK);
    CHECK(wide(GV_WGSL_MAX_FUNCTIONS) == GV_ERR_LIMIT);
    CHECK(all_pairs(63) == GV_OK); // 1953 pairs and main's
    CHECK(all_pairs(66) == GV_ERR_LIMIT);
    static const char chain[] = "fn f#() { f^(); } ";
    CHECK(numbered("@fragment fn main() { f0(); } ", chain, 62, "fn f62() {}") ==
          GV_OK);
    CHECK(numbered("@fragment fn main() { f0(); } ", chain, 63, "fn f63() {}") ==
          GV_ERR_LIMIT);
    CHECK(numbered("@fragment fn main() { f0(); } ", "fn f#() { f^(); f^(); f^(); } ",
                   60, "fn f60() {}") == GV_OK);
    // Names take their time, not its square.
    CHECK(numbered("@fragment fn main() {} ", "alias a# = i32; ", 60000, "") == GV_OK);
}

int main(void)
{
    test_taken();
    test_refused();
    test_interface();
    test_limits();
    printf("%zu shaders taken, %zu refused\n", sizeof taken / sizeof *taken,
           sizeof refused / sizeof *refused);
    return TEST_RESULT();
}
