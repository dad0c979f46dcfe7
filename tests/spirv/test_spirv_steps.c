// The order of steps in high precision, a letter for each arithmetic instruction; which
// inputs of fragments are the constants that vertices always store.
#include "compiler/shader/glsl/glsl.h"
#include "compiler/shader/spirv/spirv_constant_inputs.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"
#include "vm/spirv/spirv_words.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <stdio.h>
#include <string.h>

// !: nobody may change the order of the one behind it. s: vector times scalar, M: a
// product of matrices that is left as it is, F: another function.
static const struct {
    const char *name, *code, *steps;
} cases[] = {
    { "nothing", "color = v * v + v;", "*+" },
    { "matrix and vector", "color.xyz = m * v.xyz;", "ss+s+" },
    { "vector and matrix", "color.xyz = v.xyz * m;", "**+*+**+*+**+*+" },
    { "two matrices", "color.xyz = (m * n)[1];", "ss+s+ss+s+ss+s+" },
    { "matrices of two shapes", "color.xy = (w * m)[2];", "ss+s+ss+s+ss+s+" },
    { "normalize", "color = normalize(v);", "**+*+*+Fs" },
    { "dot", "color.x = dot(v.xyz, v.yzw);", "**+*+" },
    { "length", "color.x = length(v.xy);", "**+F" },
    { "distance", "color.x = distance(v.xy, v.zw);", "-**+F" },
    { "reflect", "color.xy = reflect(v.xy, v.zw);", "**++s-" },
    { "refract", "color.xy = refract(v.xy, v.zw, a);", "**+*-**-FF*+ss-Fs" },
    { "two matrices and a vector", "color.xyz = m * n * v.xyz;", "Mss+s+ss+s+" },
    { "three", "color.xyz = m * n * m * v.xyz;", "MMss+s+ss+s+ss+s+" },
    { "in a variable", "mat3 p = m * n; color.xyz = p * v.xyz;", "Mss+s+ss+s+" },
    { "used twice", "mat3 p = m * n; color.xyz = p * v.xyz + p[0];",
      "ss+s+ss+s+ss+s+ss+s++" },
    { "sign", "color.x = normalize(a);", "F" },
    { "mix", "color.x = mix(a, b, c);", "-*+" },
    { "of two", "color.xy = mix(v.xy, v.zw, a);", "-*+-*+" },
    { "by a constant", "color.x = mix(a, b, 0.3);", "-**+" },
    { "from 0", "color.x = mix(0.0, b, c);", "*" },
    { "to 0", "color.x = mix(a, 0.0, c);", "*-" },
    { "from 1", "color.x = mix(1.0, b, c);", "*-+" },
    { "from -1", "color.x = mix(-1.0, b, c);", "*++" },
    { "to 1", "color.x = mix(a, 1.0, c);", "-**+" },
    { "of constants", "color.x = mix(0.5, 1.0, c);", "-*+" },
    { "of some constants", "color.xy = mix(vec2(1.0, a), vec2(b, 0.0), c);", "*-+*-" },
    { "precise", "precise vec3 r = m * v.xyz; color.xyz = r;", "!s!s!+!s!+" },
    { "chosen", "color.x = mix(a, b, c > 0.5);", "" },
    { "asin", "color.x = asin(a);", "F*+*+*+-F*-F*" },
    { "another function", "color.x = acos(a);", "F" },
    { "of doubles", "dvec3 d = dmat3(m) * dvec3(v.xyz); color.xyz = vec3(d);", "M" },
};

static char letter(const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpFAdd:
        return '+';
    case SpvOpFSub:
        return '-';
    case SpvOpFMul:
        return '*';
    case SpvOpVectorTimesScalar:
        return 's';
    case SpvOpMatrixTimesVector:
    case SpvOpMatrixTimesMatrix:
        return 'M';
    case SpvOpExtInst:
        return 'F';
    default:
        return 0;
    }
}

static bool is_precise(const struct gv_shader_stage *s, uint32_t id)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < s->word_count;
         at += gv_spirv_length(s->words + at)) {
        const uint32_t *w = s->words + at;
        if (gv_spirv_op(w) == SpvOpDecorate && w[1] == id &&
            w[2] == SpvDecorationNoContraction)
            return true;
    }
    return false;
}

static void tell(const struct gv_shader_stage *s, char *out, size_t size)
{
    size_t n = 0;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < s->word_count && n + 2 < size;
         at += gv_spirv_length(s->words + at)) {
        const char step = letter(s->words + at);
        if (step && is_precise(s, s->words[at + 2]))
            out[n++] = '!';
        out[n] = step;
        n += step != 0;
    }
    out[n] = 0;
}

static void test_case(size_t i, unsigned flags, const char *steps)
{
    char text[1024], told[64];
    snprintf(text, sizeof text,
             "#version 460\n"
             "layout(location = 0) in vec4 v;\n"
             "layout(location = 1) in float a;\n"
             "layout(location = 2) in float b;\n"
             "layout(location = 3) in float c;\n"
             "layout(set = 0, binding = 0) uniform Block { mat3 m, n; mat3x2 w; };\n"
             "layout(location = 0) out vec4 color;\n"
             "void main() { %s }\n",
             cases[i].code);
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_shader_stage stage;
    const struct gv_glsl_text texts[] = { { GV_STAGE_FRAGMENT, text } };
    bool ok = gv_glsl_compile(texts, 1, flags, &arena, &stage, &err);
    CHECK_ROW(ok ? cases[i].name : err.message, ok);
    if (ok) {
        tell(&stage, told, sizeof told);
        if (steps && strcmp(told, steps) != 0)
            printf("%s: %s\n", cases[i].name, told);
        CHECK_ROW(cases[i].name, !steps || !strcmp(told, steps));
        CHECK_ROW(cases[i].name, gv_test_valid(&stage));
    }
    gv_arena_finish(&arena);
}

// ---- constants that vertices store ----

// i: a constant put over a component, c: one in place of a load.
static const struct {
    const char *name, *vertex, *fragment, *told;
} inputs[] = {
    { "all of it", "o = vec4(0.3, 0.4, 0.5, 1.0);", "color = v;", "iiiic" },
    { "parts", "o = vec4(a.xy, 0.5, 1.0);", "color = v;", "iic" },
    { "none", "o = a;", "color = v;", "" },
    { "twice", "o = vec4(0.3); if (a.x > 0.0) o = vec4(0.4);", "color = v;", "" },
    { "in part", "o = vec4(0.3); o.x = a.x;", "color = v;", "" },
    { "in a branch", "if (a.x > 0.0) o = vec4(0.4);", "color = v;", "iiiic" },
    { "read by the writer", "o = vec4(0.3); gl_Position = o;", "color = v;", "iiiic" },
    { "one component", "o = vec4(a.xy, 0.5, 1.0);", "color.x = v.z;", "c" },
    { "another", "o = vec4(a.xy, 0.5, 1.0);", "color.x = v.y;", "" },
    { "by an index", "o = vec4(0.5);", "color.x = v[int(color.y)];", "" },
    { "a scalar", "p = 0.3; o = a;", "color = vec4(f);", "c" },
    { "whole numbers", "q = 3; o = a;", "color = vec4(float(n));", "" },
    { "of another shape", "r = vec2(0.5); o = a;", "color.xyz = w;", "" },
    { "an array", "s[0] = 0.5; s[1] = 0.5; o = a;", "color.xy = vec2(t[0], t[1]);",
      "" },
    { "stored by others", "set(o);", "color = v;", "" },
};

static void tell_constants(const uint32_t *words, size_t count, char *out, size_t size)
{
    size_t n = 0;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < count && n + 1 < size;
         at += gv_spirv_length(words + at)) {
        const uint32_t op = gv_spirv_op(words + at);
        if (op == SpvOpCompositeInsert || op == SpvOpCopyObject)
            out[n++] = op == SpvOpCopyObject ? 'c' : 'i';
    }
    out[n] = 0;
}

static void test_inputs(size_t i)
{
    char vertex[1024], fragment[1024], told[32];
    snprintf(vertex, sizeof vertex,
             "#version 460\n"
             "layout(location = 0) in vec4 a;\n"
             "layout(location = 0) out vec4 o;\n"
             "layout(location = 1) out float p;\n"
             "layout(location = 2) flat out int q;\n"
             "layout(location = 3) out vec2 r;\n"
             "layout(location = 4) out float s[2];\n"
             "void set(out vec4 x) { x = vec4(0.5); }\n"
             "void main() { %s }\n",
             inputs[i].vertex);
    snprintf(fragment, sizeof fragment,
             "#version 460\n"
             "layout(location = 0) in vec4 v;\n"
             "layout(location = 1) in float f;\n"
             "layout(location = 2) flat in int n;\n"
             "layout(location = 3) in vec3 w;\n"
             "layout(location = 4) in float t[2];\n"
             "layout(location = 0) out vec4 color;\n"
             "void main() { %s }\n",
             inputs[i].fragment);
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_shader_stage from, to;
    const struct gv_glsl_text one = { GV_STAGE_VERTEX, vertex };
    const struct gv_glsl_text two = { GV_STAGE_FRAGMENT, fragment };
    bool ok = gv_glsl_compile(&one, 1, 0, &arena, &from, &err) &&
              gv_glsl_compile(&two, 1, 0, &arena, &to, &err);
    uint32_t *words = ok ? gv_arena_copy(&arena, to.words, to.word_count * 4) : NULL;
    ok = words && gv_spirv_constant_inputs(from.words, from.word_count, &arena, &words,
                                           &to.word_count, &err);
    CHECK_ROW(ok ? inputs[i].name : err.message, ok);
    if (ok) {
        to.words = words;
        tell_constants(words, to.word_count, told, sizeof told);
        if (strcmp(told, inputs[i].told) != 0)
            printf("%s: %s\n", inputs[i].name, told);
        CHECK_ROW(inputs[i].name, !strcmp(told, inputs[i].told));
        CHECK_ROW(inputs[i].name, gv_test_valid(&to));
    }
    gv_arena_finish(&arena);
}

// Words that are no module stay as they are.
static void test_foreign(void)
{
    static const uint32_t cut[] = { 0x07230203, 0x10000, 0, 9, 0, 4u << 16 | 71, 3 };
    const size_t size = sizeof cut / sizeof *cut;
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    uint32_t copy[sizeof cut / sizeof *cut], *words = copy;
    size_t count = size;
    memcpy(copy, cut, sizeof cut);
    CHECK(gv_spirv_constant_inputs(cut, size, &arena, &words, &count, &err));
    CHECK(words == copy && count == size);
    gv_arena_finish(&arena);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_case(i, GV_GLSL_STEPS, cases[i].steps);
        test_case(i, 0, NULL);
    }
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        test_inputs(i);
    test_foreign();
    test_case(1, 0, "M"); // who does not ask gets what glslang makes
    return TEST_RESULT();
}
