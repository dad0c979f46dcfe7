// The glslang wrapper: several stages in one program, interfaces, errors.
#include "compiler/shader/glsl/glsl.h"
#include "compiler/shader/spirv/spirv_scan.h"
#include "resources/base/bytes.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"

static const char vertex[] =
    "#version 460\n"
    "layout(location = 0) in vec4 position;\n"
    "layout(location = 3) in mat2 frame;\n"
    "layout(location = 1) out vec4 color[2];\n"
    "layout(set = 0, binding = 5) uniform Block { vec4 c[4]; };\n"
    "void main() {\n"
    "  gl_Position = position;\n"
    "  color[0] = c[1] + frame[0].xyxy;\n"
    "  color[1] = c[2];\n"
    "}\n";
static const char fragment[] =
    "#version 460\n"
    "layout(location = 1) in vec4 color[2];\n"
    "layout(location = 0) out vec4 target;\n"
    "layout(set = 2, binding = 7) uniform texture2D t;\n"
    "layout(set = 2, binding = 3) uniform sampler s;\n"
    "layout(set = 2, binding = 4) uniform sampler2D both[3];\n"
    "layout(set = 3, binding = 1, std430) buffer Data { uint words[]; };\n"
    "layout(set = 3, binding = 0, r32ui) uniform uimage2D image;\n"
    "layout(set = 2, binding = 9) uniform usamplerBuffer texels;\n"
    "void main() {\n"
    "  target = color[0] + texture(sampler2D(t, s), color[1].xy);\n"
    "  target += texture(both[1], color[1].xy);\n"
    "  words[0] = imageLoad(image, ivec2(0)).x + texelFetch(texels, 0).x;\n"
    "}\n";

static void test_program(void)
{
    static const struct gv_binding_desc expected[] = {
        { 2, 3, GV_BINDING_SAMPLER, 1, GV_STAGE_FRAGMENT },
        { 2, 4, GV_BINDING_COMBINED_IMAGE_SAMPLER, 3, GV_STAGE_FRAGMENT },
        { 2, 7, GV_BINDING_SAMPLED_IMAGE, 1, GV_STAGE_FRAGMENT },
        { 2, 9, GV_BINDING_UNIFORM_TEXEL_BUFFER, 1, GV_STAGE_FRAGMENT },
        { 3, 0, GV_BINDING_STORAGE_IMAGE, 1, GV_STAGE_FRAGMENT },
        { 3, 1, GV_BINDING_STORAGE_BUFFER, 1, GV_STAGE_FRAGMENT },
    };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_text texts[] = { { GV_STAGE_VERTEX, vertex },
                                    { GV_STAGE_FRAGMENT, fragment } };
    struct gv_shader_stage stages[2];
    bool ok = gv_glsl_compile(texts, 2, 0, &arena, stages, &err);
    CHECK_ROW(err.message, ok);
    if (ok) {
        CHECK(gv_test_valid(&stages[0]) && gv_test_valid(&stages[1]));
        CHECK(stages[0].input_locations == 0x19);
        CHECK(stages[0].output_locations == 0x6);
        CHECK(stages[1].input_locations == 0x6);
        CHECK(stages[1].output_locations == 0x1);
        CHECK(stages[0].binding_count == 1 && stages[0].bindings[0].binding == 5);
        CHECK(stages[0].bindings[0].type == GV_BINDING_UNIFORM_BUFFER);
        CHECK(stages[1].binding_count == 6);
        for (size_t i = 0; i < 6 && stages[1].binding_count == 6; i++)
            CHECK(!memcmp(&stages[1].bindings[i], &expected[i], sizeof *expected));
    }
    gv_arena_finish(&arena);
}

static const struct {
    const char *name, *text, *message;
} bad[] = {
    { "undeclared", "#version 460\nvoid main() { nothing; }", "glsl: 0:2: 'nothing'" },
    { "no_main", "#version 460\n", "glsl linking" },
    { "old_version", "#version 110\nvoid main() {}", "glsl" },
    { "unbalanced", "#version 460\nvoid main() {", "glsl" },
    { "directive", "#version 460\n#error stop\nvoid main() {}", "glsl" },
    { "unbound",
      "#version 460\nuniform texture2D t; uniform sampler s;\n"
      "void main() { gl_Position = texture(sampler2D(t, s), vec2(0)); }",
      "glsl" },
};

static void test_errors(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_shader_stage stage;
        struct gv_glsl_text text = { GV_STAGE_VERTEX, bad[i].text };
        CHECK_ROW(bad[i].name, !gv_glsl_compile(&text, 1, 0, &arena, &stage, &err));
        CHECK_ROW(bad[i].name, err.status == GV_ERR_FORMAT);
        if (strncmp(err.message, bad[i].message, strlen(bad[i].message))) {
            fprintf(stderr, "[%s] %s\n", bad[i].name, err.message);
            CHECK_ROW(bad[i].name, false);
        }
        gv_arena_finish(&arena);
    }
    struct gv_error err = GV_ERROR_INIT;
    struct gv_arena arena = { 0 };
    struct gv_shader_stage stages[2];
    struct gv_glsl_text twice[] = { { GV_STAGE_VERTEX, vertex },
                                    { GV_STAGE_VERTEX, vertex } };
    CHECK(!gv_glsl_compile(twice, 2, 0, &arena, stages, &err));
    CHECK(err.status == GV_ERR_USAGE);
    gv_error_clear(&err);
    CHECK(!gv_glsl_compile(twice, 0, 0, &arena, stages, &err));
    gv_arena_finish(&arena);
}

// Instructions of over 65535 words, which glslang writes with a length that wrapped.
static const struct {
    const char *name, *before, *each, *after;
    unsigned count;
} large[] = {
    { "switch_of_33000_cases",
      "#version 460\nvoid main() {\nswitch (gl_VertexIndex) {\n", "case %u:\n",
      "gl_Position = vec4(1); } }\n", 33000 },
};

static void test_large(void)
{
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes text = { 0 };
        struct gv_shader_stage stage;
        gv_bytes_printf(&text, "%s", large[i].before);
        for (unsigned k = 0; k < large[i].count; k++)
            gv_bytes_printf(&text, large[i].each, k);
        gv_bytes_printf(&text, "%s", large[i].after);
        gv_bytes_u8(&text, 0);
        struct gv_glsl_text source = { GV_STAGE_VERTEX, (const char *)text.data };
        CHECK_ROW(large[i].name, !gv_glsl_compile(&source, 1, 0, &arena, &stage, &err));
        CHECK_ROW(large[i].name, err.status == GV_ERR_LIMIT);
        if (err.status != GV_ERR_LIMIT)
            fprintf(stderr, "[%s] %s\n", large[i].name, err.message);
        gv_bytes_finish(&text);
        gv_arena_finish(&arena);
    }
}

static void test_scan_errors(void)
{
    struct gv_arena arena = { 0 };
    static const uint32_t past_end[] = { 0x07230203, 0x10500, 0, 4, 0, 0x0009003b };
    static const uint32_t zero[] = { 0x07230203, 0x10500, 0, 4, 0, 0x0000003b };
    static const uint32_t bound[] = { 0x07230203, 0x10500, 0,          4, 0,
                                      0x00020013, 4,       0x0003003b, 9, 9 };
    struct gv_spirv_variables module;
    struct gv_error err = GV_ERROR_INIT;
    CHECK(!gv_spirv_scan(past_end, 6, GV_STAGE_VERTEX, &arena, &module, &err));
    CHECK(err.status == GV_ERR_FORMAT && err.offset == 20);
    gv_error_clear(&err);
    CHECK(!gv_spirv_scan(zero, 6, GV_STAGE_VERTEX, &arena, &module, &err));
    gv_error_clear(&err);
    CHECK(!gv_spirv_scan(bound, 10, GV_STAGE_VERTEX, &arena, &module, &err));
    CHECK(err.offset == 28);
    gv_error_clear(&err);
    CHECK(!gv_spirv_scan(bound, 3, GV_STAGE_VERTEX, &arena, &module, &err));
    gv_arena_finish(&arena);
}

int main(void)
{
    test_program();
    test_errors();
    test_large();
    test_scan_errors();
    return TEST_RESULT();
}
