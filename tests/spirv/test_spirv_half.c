// What is rounded to half floats, by how often; what comes of it: test_half_values.c.
#include "compiler/shader/glsl/glsl.h"
#include "compiler/shader/spirv/spirv_half.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"
#include "vm/spirv/spirv_words.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <stdio.h>

static const struct {
    const char *name, *code;
    size_t rounded;
} cases[] = {
    { "high", "color = vec4(a * b + c);", 0 },
    { "one step", "color = vec4(m + n);", 0 },
    { "a function", "color = vec4(sqrt(m));", 0 },
    { "one step to a place", "color = texture(s, v * m);", 0 },
    { "of a constant", "color = vec4(m * 0.1);", 2 },
    { "of medium and high", "color = vec4(m + a);", 0 },
    { "nothing computed", "color = vec4(m, n, m, 1.0);", 0 },
    { "two steps", "color = vec4((m + n) * (m + n));", 7 },
    { "a variable", "mediump float f = a; color = vec4(f);", 0 },
    { "two values of one", "mediump float f = a; f = b; color = vec4(f);", 2 },
    { "read before", "mediump float f; color = vec4(f * m * n); f = m * n * m;", 10 },
    { "in a branch", "mediump float f; if (a > b) f = m; color = vec4(f);", 1 },
    { "compared", "color = vec4(m + n > 0.3 ? 1.0 : 0.0);", 3 },
    { "moved", "mediump vec2 f = -(v * v); color = (f.yx + f).xyxy;", 4 },
    { "a matrix", "color = (w * v).xyxy;", 6 },
    { "of a matrix, high", "color = (x * v).xyxy;", 0 },
    { "steps to a place", "color = texture(s, w * v);", 6 },
    { "what is sampled", "color = texture(low, v) * m;", 3 },
    { "a deep one",
      "mediump vec4 f = vec4(v, v); f = f.wzyx; f = f.wzyx; color = f + f;", 3 },
};

// Each asks for one absolute value, and no case does.
static size_t count_roundings(const struct gv_shader_stage *s)
{
    size_t n = 0;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < s->word_count;
         at += gv_spirv_length(s->words + at))
        n += gv_spirv_op(s->words + at) == SpvOpExtInst &&
             s->words[at + 4] == GLSLstd450FAbs;
    return n;
}

static void test_case(size_t i)
{
    char text[1024];
    snprintf(text, sizeof text,
             "#version 460\n"
             "layout(location = 0) in float a;\n"
             "layout(location = 1) in float b;\n"
             "layout(location = 2) in float c;\n"
             "layout(location = 3) in mediump float m;\n"
             "layout(location = 4) in lowp float n;\n"
             "layout(location = 5) in mediump vec2 v;\n"
             "layout(set = 0, binding = 0) uniform Block { mediump mat2 w; mat2 x; };\n"
             "layout(set = 0, binding = 1) uniform sampler2D s;\n"
             "layout(set = 0, binding = 2) uniform lowp sampler2D low;\n"
             "layout(location = 0) out vec4 color;\n"
             "void main() { %s }\n",
             cases[i].code);
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_shader_stage stage;
    const struct gv_glsl_text texts[] = { { GV_STAGE_FRAGMENT, text } };
    bool ok = gv_glsl_compile(texts, 1, 0, &arena, &stage, &err);
    CHECK_ROW(ok ? cases[i].name : err.message, ok);
    if (ok) {
        size_t n = count_roundings(&stage);
        if (n != cases[i].rounded)
            printf("%s: %zu\n", cases[i].name, n);
        CHECK_ROW(cases[i].name, n == cases[i].rounded);
        CHECK_ROW(cases[i].name, gv_test_valid(&stage));
    }
    gv_arena_finish(&arena);
}

// Words that are no module stay as they are.
static void test_foreign(void)
{
    static const uint32_t cut[] = { 0x07230203, 0x10000, 0, 9, 0, 4u << 16 | 71, 3 };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_shader_stage out = { 0 };
    CHECK(gv_spirv_halve(cut, sizeof cut / sizeof *cut, true, &arena, &out, &err));
    CHECK(out.word_count == sizeof cut / sizeof *cut &&
          !memcmp(out.words, cut, sizeof cut));
    CHECK(gv_spirv_halve(cut, 2, true, &arena, &out, &err) && out.word_count == 2);
    gv_arena_finish(&arena);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        test_case(i);
    test_foreign();
    return TEST_RESULT();
}
