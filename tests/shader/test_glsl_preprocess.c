// The preprocessor as Mesa has it: what a text becomes, token by token, and what is
// refused. Each row was given to Mesa 22.3.6, which took and refused the same.
#include "compiler/shader/glsl/text/glsl_preprocess.h"
#include "resources/base/bytes.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define V120 "#version 120\n"
#define ES3 "#version 300 es\n"

// `out`: tokens that come out, one space between two; NULL: `message` is what an error
// begins with.
static const struct {
    const char *name, *text, *out, *message;
} rows[] = {
    { "object", V120 "#define A 1 + 2\nA A1", "1 + 2 A1", NULL },
    { "function", V120 "#define F(x, y) (y - x)\nF(1, F(2, 3))", "( ( 3 - 2 ) - 1 )",
      NULL },
    { "space_makes_it_an_object", V120 "#define F (x)\nF(1)", "( x ) ( 1 )", NULL },
    { "without_parameters", V120 "#define F() 5\n#define G( ) 6\nF() G( )", "5 6",
      NULL },
    { "empty_arguments", V120 "#define F(a, b) [a|b]\nF(,) F( ,1)", "[ | ] [ | 1 ]",
      NULL },
    { "commas_in_brackets", V120 "#define F(a) {a}\nF((1, 2))", "{ ( 1 , 2 ) }", NULL },
    { "over_lines", V120 "#define F(a, b) a b\nF\n(1,\n2) 3", "1 2 3", NULL },
    { "name_alone", V120 "#define F(x) x\nF F; F\n#define G\n(1)", "F F ; F ( 1 )",
      NULL },
    { "itself", V120 "#define a a + b\n#define f(x) f(x)\na f(f(1))",
      "a + b f ( f ( 1 ) )", NULL },
    { "in_a_circle", V120 "#define a b\n#define b c\n#define c a\na b c", "a b c",
      NULL },
    { "functions_in_a_circle", V120 "#define F(x) G(x)\n#define G(x) F(x)\nF(1) G(2)",
      "F ( 1 ) G ( 2 )", NULL },
    { "called_later",
      V120 "#define f(x) <x>\n#define g f\n#define P(x) x\ng (1) P(f)(2)",
      "< 1 > < 2 >", NULL },
    { "half_a_pair", V120 "#define O (\n#define F(a) a\nvec4 O 1) F O 1)",
      "vec4 ( 1 ) F ( 1 )", NULL },
    { "pasted", V120 "#define V(t) t##2\n#define P a ## b\nV(vec) P V( i ) V()",
      "vec2 ab i2 2", NULL },
    { "pasted_more", V120 "#define P(x, y, z) x##y##z\nP(a, b, c) P(a,, c) P(1, 2, 3)",
      "abc ac 123", NULL },
    { "pasted_operator", V120 "#define P(x, y) x##y\n1 P(<, =) 2", "1 <= 2", NULL },
    { "pasted_is_a_macro", V120 "#define AB 9\n#define P(x, y) x##y\nP(A, B)", "9",
      NULL },
    { "pasted_calls", V120 "#define F(n) f##n(1)\n#define f2(x) <x>\nF(2)", "< 1 >",
      NULL },
    { "expanded_beside_a_paste", V120 "#define A B\n#define C(x, y) x##y\nC(A, 1)",
      "B1", NULL },
    { "pasted_nothing", V120 "#define P(x, y) x##y\n1 P(,) 2", "1 2", NULL },
    { "pasted_end_unused", V120 "#define P(x) x##\n1", "1", NULL },
    { "line", V120 "__LINE__\n/*\n\n*/ __LINE__ /*\n*/\n__LINE__", "2 5 7", NULL },
    { "line_in_arguments", V120 "#define F(a, b) b\nF(1,\n\n__LINE__) __LINE__", "5 5",
      NULL },
    { "line_joined", V120 "a \\\n\\\n__LINE__\n__LINE__", "a 2 5", NULL },
    { "line_set",
      V120 "#define L 40\n#line L\n__LINE__ __FILE__\n#line 7 3\n__LINE__ "
           "__FILE__",
      "40 0 7 3", NULL },
    { "versions", V120 "__VERSION__\n#ifdef GL_ES\nes\n#endif", "120", NULL },
    { "versions_es",
      ES3 "#ifdef GL_ES\n__VERSION__\n#endif\nGL_FRAGMENT_PRECISION_HIGH", "300 1",
      NULL },
    { "profile",
      "#version 150\nGL_core_profile\n#ifdef GL_compatibility_profile\n1\n"
      "#endif",
      "1", NULL },
    { "extension_macros", V120 "GL_ARB_texture_rectangle GL_NV_ray_tracing",
      "1 GL_NV_ray_tracing", NULL },
    { "version_behind_comments",
      "/* a */ // b\n\n # version /* c */ 130 // d\n"
      "__VERSION__",
      "130", NULL },
    { "conditions",
      V120 "#if (1 << 2) == 4 && (-8 >> 1) == -4 && ~0 == -1 && 7 % 4 == 3 && \\\n"
           "    (5 ^ 1) == 4 && 010 == 8 && 0X1FU == 31 && 2 - 1 - 1 == 0 && \\\n"
           "    (1 | 2 & 6) == 3 && 2 + 3 * 4 == 14 && !0 && +1 && 1 != 2 && \\\n"
           "    0x7fffffff + 1 > 0 && 6 / 2 == 3 && (0 || 1) && 1 <= 1 && 2 >= 1\n"
           "yes\n#endif",
      "yes", NULL },
    { "branches",
      V120 "#if 0\na\n#elif 0\nb\n#elif 1\nc\n#elif 1 +\nd\n#else\ne\n#endif\n"
           "#ifndef X\nf\n#if X\ng\n#endif\n#endif",
      "c f", NULL },
    { "dead",
      V120 "#if 0\n@ $ \" '\n#error no\n#foo\n#if 1 +\n#else\n#endif\n"
           "#extension GL_nobody : require\n#endif",
      "", NULL },
    { "defined_of_a_macro",
      V120 "#define A 0\n#define HAS(x) defined(x)\n#define H defined A\n"
           "#if HAS(B) || (H && !defined(B) && defined __LINE__)\n1\n#endif",
      "1", NULL },
    { "not_defined_behind_and", "#version 100\n#if defined(A) && A\n#else\n1\n#endif",
      "1", NULL },
    { "nothing_directed", V120 "#\n  #  \n  # define A 1\n/* x */ #define B 2\nA B",
      "1 2", NULL },
    { "comment_in_a_directive", V120 "#define A 1 /* x\n y */ + 1\nA", "1 + 1", NULL },
    { "defined_alike", V120 "#define A(x) x + 1\n#define A(x)  x  +  1\nA(2)", "2 + 1",
      NULL },
    { "undefined", V120 "#define A 1\n#undef A\n#define A 2\nA", "2", NULL },
    { "joined", V120 "#def\\\nine A 1\nvo\\\r\nid A // c \\\nd\n/* *\\\n/ 2",
      "void 1 2", NULL },
    { "carriage_returns", V120 "#define A \\\r\n 1\r\nA\r#define B 2\rB", "1 2", NULL },
    { "pragmas", V120 "#pragma \"x\" @\n1", "1", NULL },
    { "kept_apart", V120 "#define M -\n#define F(x) -x\nM-1 -M F(-1) 1 M-2",
      "- - 1 - - - - 1 1 - - 2", NULL },
    { "own_line_number", V120 "#define __LINE__ 7\n__LINE__", "3", NULL },

    { "pasted_bad", V120 "#define P(x) x##+\nP(1)", NULL, "glsl: line 3: ## of what" },
    { "pasted_assignment", V120 "#define P(x) x##=\nP(+)", NULL,
      "glsl: line 3: ## of" },
    { "pasted_suffix", V120 "#define P(x) x##u\nP(5)", NULL,
      "glsl: line 3: ## of what" },
    { "pasted_end", V120 "#define P(x) x##\nP(1)", NULL, "glsl: line 3: ## at an end" },
    { "pasted_begin", V120 "#define P ##x\nP", NULL, "glsl: line 3: ## at an end" },
    { "pasted_es", ES3 "#define V(t) t##2\n", NULL, "glsl: line 2: # in a macro" },
    { "string_of", V120 "#define S(x) #x\n", NULL, "glsl: line 2: # in a macro" },
    { "too_few", V120 "#define F(a, b) a\nF(1)", NULL,
      "glsl: line 3: a macro with too" },
    { "too_many", V120 "#define F(a) a\nF(1, 2)", NULL,
      "glsl: line 3: a macro with too" },
    { "without_an_end", V120 "#define F(a) a\nF(", NULL,
      "glsl: line 3: a macro's arg" },
    { "directive_in_arguments", V120 "#define F(a) a\nF(\n#if 1\n1\n#endif\n)", NULL,
      "glsl: line 4: a macro's arguments" },
    { "defined_otherwise", V120 "#define A 1+1\n#define A 1 + 1\n", NULL,
      "glsl: line 3: a macro is defined" },
    { "reserved", V120 "#define GL_foo 1\n", NULL, "glsl: line 2: a macro's name" },
    { "reserved_word", V120 "#define defined 1\n", NULL,
      "glsl: line 2: a macro's name" },
    { "undefined_extension", V120 "#undef GL_ARB_texture_rectangle\n", NULL,
      "glsl: line 2: a macro's name" },
    { "undefined_es", ES3 "#undef __FILE__\n", NULL, "glsl: line 2: #undef of a name" },
    { "twice_a_parameter", V120 "#define F(a, a) a\n", NULL,
      "glsl: line 2: two param" },
    { "without_a_comma", V120 "#define F(a b) a\n", NULL,
      "glsl: line 2: a macro's param" },
    { "a_comma_behind", V120 "#define F(a,) a\n", NULL,
      "glsl: line 2: a macro's param" },
    { "ellipsis", V120 "#define F(...) a\n", NULL, "glsl: line 2: a macro's param" },
    { "no_name", V120 "#define 1 2\n", NULL, "glsl: line 2: #define without" },
    { "behind_undef", V120 "#undef A B\n", NULL, "glsl: line 2: #undef of what" },
    { "behind_ifdef", V120 "#if 0\n#ifdef A B\n#endif\n#endif", NULL,
      "glsl: line 3: a condition of" },
    { "behind_endif", V120 "#if 1\n#endif A\n", NULL, "glsl: line 3: more behind" },
    { "behind_else", V120 "#if 1\n#else A\n#endif", NULL, "glsl: line 3: more behind" },
    { "else_twice", V120 "#if 1\n#else\n#else\n#endif", NULL,
      "glsl: line 4: a branch" },
    { "elif_behind_else", V120 "#if 1\n#else\n#elif 1\n#endif", NULL,
      "glsl: line 4: a branch" },
    { "endif_alone", V120 "#endif", NULL, "glsl: line 2: a branch without" },
    { "if_alone", V120 "#if 1\n1", NULL, "glsl: line 3: a condition without an end" },
    { "if_of_nothing", V120 "#if\n#endif", NULL, "glsl: line 2: a condition without" },
    { "if_of_a_float", V120 "#if 1.0\n#endif", NULL,
      "glsl: line 2: a condition's num" },
    { "if_of_octal", V120 "#if 089\n#endif", NULL, "glsl: line 2: a condition's num" },
    { "if_of_three", V120 "#if 1 ? 2 : 3\n#endif", NULL,
      "glsl: line 2: a condition w" },
    { "if_by_zero", V120 "#if 0 && 1 / 0\n#endif", NULL,
      "glsl: line 2: a condition d" },
    { "if_open", V120 "#if (1\n#endif", NULL, "glsl: line 2: a condition's paren" },
    { "defined_of_nothing", V120 "#if defined\n#endif", NULL, "glsl: line 2: defined" },
    { "defined_open", V120 "#if defined(A\n#endif", NULL, "glsl: line 2: defined" },
    { "not_defined_es", "#version 100\n#if A\n#endif", NULL,
      "glsl: line 2: a condition" },
    { "comment", V120 "void main() { } /* \n\n", NULL, "glsl: line 4: a comment" },
    { "unknown", V120 "#foo\n", NULL, "glsl: line 2: an unknown directive" },
    { "error", V120 "\n#error A 'b'\n", NULL, "glsl: line 3: #error A 'b'" },
    { "line_of_a_sum", V120 "#line 30 + 1\n", NULL, "glsl: line 2: #line without" },
    { "line_of_a_string", V120 "#line 30 \"a\"\n", NULL,
      "glsl: line 2: #line without" },
    { "version_late", V120 "#version 120\n", NULL,
      "glsl: line 2: an unknown directive" },
    { "version_named", "#define V 120\n#version V\n", NULL,
      "glsl: line 2: an unknown directive" },
    { "version_profile", "#version 120 core\n", NULL, "glsl: no version 120" },
    { "version_es", "#version 100 es\n", NULL, "glsl: no version 100" },
    { "version_behind", "#version 150 core x\n", NULL, "glsl: no version 150" },
    { "version_hex", "#version 0x78\n", NULL, "glsl: no version 0" },
    { "extension_missing", V120 "#extension GL_nobody : require\n", NULL,
      "glsl: line 2: no extension GL_nobody" },
    { "extension_how", V120 "#extension GL_ARB_texture_rectangle : yes\n", NULL,
      "glsl: line 2: #extension without" },
};

// Tokens of `text`, one space between two.
static void join_tokens(const char *text, struct gv_bytes *out)
{
    for (struct glsl_token t; *text; text += t.size) {
        t = glsl_token_at(text);
        t.size = t.size ? t.size : 1;
        if (t.kind != GLSL_SPACE)
            gv_bytes_printf(out, "%s%.*s", out->size ? " " : "", (int)t.size, text);
    }
    gv_bytes_u8(out, 0);
}

static bool preprocess(const char *text, struct gv_arena *arena,
                       struct glsl_source *out, struct gv_error *err)
{
    struct gv_glsl_dialect dialect;
    return gv_glsl_dialect(text, false, &dialect, err) &&
           glsl_preprocess(text, &dialect, arena, out, err);
}

static void check_row(size_t i)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct glsl_source source;
    struct gv_bytes out = { 0 };
    const char *message = rows[i].message;
    const bool ok = preprocess(rows[i].text, &arena, &source, &err);
    CHECK_ROW(rows[i].name, ok == !message);
    if (ok)
        join_tokens(source.text, &out);
    const bool same = ok ? !message && !strcmp((const char *)out.data, rows[i].out)
                         : message && !strncmp(err.message, message, strlen(message));
    CHECK_ROW(rows[i].name, same);
    if (!same)
        fprintf(stderr, "[%s] %s\n", rows[i].name,
                ok ? (const char *)out.data : err.message);
    gv_bytes_finish(&out);
    gv_arena_finish(&arena);
}

// Every line of a text is where it was.
static void test_lines(void)
{
    static const char text[] = V120 "#define F(a, \\\n b) a\n/*\n*/ F(1,\n2) one\n"
                                    "#if 0\n/*\n*/\n#endif\ntwo";
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct glsl_source source = { 0 };
    unsigned lines[2] = { 1, 1 };
    CHECK(preprocess(text, &arena, &source, &err));
    for (const char *p = text; *p; p++)
        lines[0] += *p == '\n';
    const char *two = source.text ? strstr(source.text, "two") : NULL;
    for (const char *p = source.text; two && p < two; p++)
        lines[1] += *p == '\n';
    CHECK(two && lines[0] == lines[1]);
    gv_arena_finish(&arena);
}

static void expect_limit(const char *name, struct gv_bytes *text)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct glsl_source source;
    gv_bytes_u8(text, 0);
    CHECK_ROW(name, !preprocess((const char *)text->data, &arena, &source, &err));
    CHECK_ROW(name, err.status == GV_ERR_LIMIT);
    CHECK_ROW(name, arena.total < (256u << 20));
    gv_arena_finish(&arena);
    gv_bytes_finish(text);
}

// Forty lines for 2^40 tokens: with and without arguments, nested in the text, through
// conditions, and words that grow.
static void test_bombs(void)
{
    static const struct {
        const char *name, *first, *each, *last;
    } bombs[] = {
        { "objects", "#define A0 x + x\n", "#define A%u A%u + A%u\n", "x = A40;" },
        { "functions", "#define A0(x) x + x\n", "#define A%u(x) A%u(x) + A%u(x)\n",
          "x = A40(1);" },
        { "arguments", "#define A0(x) (x)\n", "#define A%u(x) A%u(x + x) //%u\n",
          "x = A40(1);" },
        { "condition", "#define A0 1\n", "#define A%u A%u + A%u\n",
          "\n#if A40\n#endif\n" },
        { "words", "#define A0(x) x##x\n", "#define A%u(x) A%u(x##x) //%u\n",
          "x = A40(aaaaaaaa);" },
    };
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        struct gv_bytes text = { 0 };
        gv_bytes_printf(&text, "%s", bombs[i].first);
        for (unsigned k = 1; k <= 40; k++)
            gv_bytes_printf(&text, bombs[i].each, k, k - 1, k - 1);
        gv_bytes_printf(&text, "%s", bombs[i].last);
        expect_limit(bombs[i].name, &text);
    }
    struct gv_bytes text = { 0 };
    gv_bytes_printf(&text, "#define F(x) (x + x)\n");
    for (unsigned k = 0; k < 40; k++)
        gv_bytes_printf(&text, "F(");
    gv_bytes_printf(&text, "1%.40s", "))))))))))))))))))))))))))))))))))))))))");
    expect_limit("nested", &text);
    static const struct {
        const char *name, *before, *each;
        unsigned count;
    } deep[] = {
        { "arguments_in_arguments", "#define F(x) x\n", "F(", 1000 },
        { "conditions_in_conditions", "", "#if 1\n", 2000 },
        { "parentheses", "#if ", "(", 1000 },
        { "signs", "#if ", "- ", 1000 },
    };
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        gv_bytes_printf(&text, "%s", deep[i].before);
        for (unsigned k = 0; k < deep[i].count; k++)
            gv_bytes_printf(&text, "%s", deep[i].each);
        gv_bytes_printf(&text, "1");
        for (unsigned k = 0; k < deep[i].count; k++)
            gv_bytes_printf(&text, ")");
        expect_limit(deep[i].name, &text);
    }
}

// The work is bounded too: names, definitions and parameters without end.
static void test_work(void)
{
    static const char *const each[][2] = {
        { "#define a%u x\n", "" },          { "x%u ", "" },
        { "#define a%u(x, y) a(x)\n", "" }, { "((%u", "" },
        { "F(%u) ", "#define F(x) x x\n" }, { "F(x%u) ", "#define F(x) x##x\n" },
    };
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        struct gv_arena arena = { 0 };
        struct gv_bytes text = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct glsl_source source;
        gv_bytes_printf(&text, "%s", each[i][1]);
        for (unsigned k = 0; k < 100000; k++)
            gv_bytes_printf(&text, each[i][0], k);
        gv_bytes_u8(&text, 0);
        CHECK(preprocess((const char *)text.data, &arena, &source, &err));
        CHECK(arena.total < (256u << 20));
        gv_bytes_finish(&text);
        gv_arena_finish(&arena);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(i);
    test_lines();
    test_bombs();
    test_work();
    return TEST_RESULT();
}
