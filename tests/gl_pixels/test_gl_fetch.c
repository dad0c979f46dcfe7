// Fragments that see what their target holds: EXT and ARM_shader_framebuffer_fetch,
// KHR_blend_equation_advanced.
#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

#define ES_VERTEX                        \
    "#version 100\nattribute vec4 at;\n" \
    "void main() { gl_Position = vec4(at.xy / 16.0 - 1.0, at.z, 1.0); }"
#define VERTEX                     \
    "#version 150 compatibility\n" \
    "void main() { gl_Position = ftransform(); }"
#define FETCH                      \
    "#version 150 compatibility\n" \
    "#extension GL_EXT_shader_framebuffer_fetch : require\n"
#define BLEND                      \
    "#version 150 compatibility\n" \
    "#extension GL_KHR_blend_equation_advanced : require\n"

// Of one draw each primitive sees the one before; what Mesa lacks is there for who
// requires it.
static void last(struct scene *s)
{
    clear_to(s, RED);
    use_program(
        s, 10, ES_VERTEX,
        "#version 100\n#extension GL_ARM_shader_framebuffer_fetch : require\n"
        "#ifdef GL_ARM_shader_framebuffer_fetch\n"
        "void main() { gl_FragColor = vec4(1.0) - gl_LastFragColorARM; }\n#endif");
    call(s, "glBegin", "e", GL_TRIANGLE_STRIP);
    for (int i = 0; i < 6; i++) { // there, and from its middle on back again
        const int column = i / 2, row = i % 2;
        call(s, "glVertex2f", "ff", i < 4 ? 8.0 * column : 4.0, 8.0 * row);
    }
    call(s, "glEnd", "");
    use_program(
        s, 20, ES_VERTEX,
        "#version 100\n#ifdef GL_ARM_shader_framebuffer_fetch\nnothing\n#endif\n"
        "#extension GL_EXT_shader_framebuffer_fetch : require\n"
        "highp vec4 gl_LastFragData[gl_MaxDrawBuffers];\n"
        "void main() { gl_FragColor = gl_LastFragData[0].gbra; }");
    quad(s, 16, 0, 24, 8); // blue
    quad(s, 16, 4, 24, 8); // green
}

// Outputs that are read: of fewer components, discarded, in several colour buffers.
static void outputs(struct scene *s)
{
    clear_to(s, RED);
    use_program(s, 10, VERTEX,
                FETCH "layout(noncoherent) inout vec2 shown;\n"
                      "void main() { shown = shown.yx; }");
    call(s, "glColorMask", "iiii", 1, 1, 0, 1);
    quad(s, 0, 0, 8, 8);
    call(s, "glColorMask", "iiii", 1, 1, 1, 1);
    use_program(s, 20, VERTEX,
                FETCH
                "inout vec4 sample;\n"
                "void main() { if (sample.g < 0.5) discard; sample = sample.brga; }");
    quad(s, 0, 0, 16, 8);
    use_program(s, 30, VERTEX,
                FETCH
                "#extension GL_ARM_shader_framebuffer_fetch_depth_stencil : require\n"
                "out vec4 o; void main() { o = vec4(gl_LastFragDepthARM == 1.0,\n"
                "gl_LastFragStencilARM == 3, 0.0, 1.0); }");
    call(s, "glClearStencil", "i", 3);
    call(s, "glClear", "e", GL_STENCIL_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    quad(s, 24, 0, 32, 8); // yellow
}

// Of slice 2 of a 3D texture, by one draw of two primitives.
static void slices(struct scene *s)
{
    call(s, "glBindTexture", "ei", GL_TEXTURE_3D, 1);
    call(s, "glTexStorage3D", "eieiii", GL_TEXTURE_3D, 1, GL_RGBA8, SIDE, SIDE, 4);
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 1);
    for (int z = 0; z < 4; z++) {
        call(s, "glFramebufferTextureLayer", "eeeii", GL_FRAMEBUFFER,
             GL_COLOR_ATTACHMENT0, 1, 0, z % 2 ? z - 1 : z + 1); // 2 comes last
        clear_to(s, z == 3 ? RED : WHITE);
    }
    use_program(s, 10, VERTEX,
                FETCH "inout vec4 shown;\n"
                      "void main() { shown = shown.brga; }");
    call(s, "glBegin", "e", GL_QUADS);
    for (int i = 0; i < 8; i++) { // green, and where both are, blue
        const int corner = i % 4, left = i < 4 ? 0 : 8;
        const int x = corner == 1 || corner == 2 ? 16 : 0, y = corner < 2 ? 0 : 16;
        call(s, "glVertex2f", "ff", (double)(left + x), (double)y);
    }
    call(s, "glEnd", "");
    call(s, "glUseProgram", "i", 0);
    call(s, "glBindFramebuffer", "ee", GL_DRAW_FRAMEBUFFER, 0);
    call(s, "glBlitFramebuffer", "iiiiiiiiee", 0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE,
         GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void blends(struct scene *s)
{
    clear_to(s, 0xFF00FF);
    use_program(
        s, 10, VERTEX,
        BLEND
        "layout(blend_support_multiply) out; layout(blend_support_difference) out;"
        "out vec4 o; void main() { o = vec4(0.0, 1.0, 1.0, 1.0); }");
    call(s, "glEnable", "e", GL_BLEND);
    call(s, "glBlendEquation", "e", GL_MULTIPLY_KHR);
    quad(s, 0, 0, 8, 8); // blue
    call(s, "glBlendEquationSeparate", "ee", GL_DIFFERENCE_KHR, GL_DIFFERENCE_KHR);
    call(s, "glBlendEquation", "e", GL_DIFFERENCE_KHR);
    quad(s, 8, 0, 16, 8); // yellow
    call(s, "glBlendEquation", "e", GL_SCREEN_KHR);
    quad(s, 16, 0, 24, 8); // the text says nothing of it
    call(s, "glUseProgram", "i", 0);
    quad(s, 16, 0, 24, 8); // nor the fixed function
    call(s, "glBlendEquation", "e", GL_FUNC_ADD);
    color(s, GREEN);
    quad(s, 24, 0, 32, 8);
}

// The test takes an output that is declared.
static void tests(struct scene *s)
{
    clear_to(s, RED);
    use_program(
        s, 10, VERTEX,
        "#version 150 compatibility\nout vec4 o;\n"
        "void main() { o = vec4(0.0, 1.0, 0.0, gl_FragCoord.x < 8.0 ? 0.2 : 0.8); }");
    call(s, "glEnable", "e", GL_ALPHA_TEST);
    call(s, "glAlphaFunc", "ef", GL_GREATER, 0.5);
    quad(s, 0, 0, 16, 8);
    call(s, "glDisable", "e", GL_ALPHA_TEST);
    use_program(s, 20, VERTEX,
                "#version 150 compatibility\nout vec3 o;\n"
                "void main() { o = vec3(0.0); }");
    call(s, "glEnable", "e", GL_ALPHA_TEST);
    quad(s, 16, 0, 32, 8);
}

// Of two outputs the one whose target is of integers goes nowhere.
static void mixed_kinds(struct scene *s)
{
    static const uint32_t formats[] = { GL_RGBA8, GL_RGBA8UI };
    call(s, "glBindFramebuffer", "ei", GL_FRAMEBUFFER, 5);
    for (int i = 0; i < 2; i++) {
        call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 2 - i);
        call(s, "glTexStorage2D", "eieii", GL_TEXTURE_2D, 1, formats[i], SIDE, SIDE);
        call(s, "glFramebufferTexture2D", "eeeii", GL_FRAMEBUFFER,
             GL_COLOR_ATTACHMENT0 + (uint32_t)i, GL_TEXTURE_2D, 2 - i, 0);
    }
    call(s, "glDrawBuffers", "iI", 2,
         INTEGERS(GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1));
    use_program(s, 10, "void main() { gl_Position = ftransform(); }",
                "void main() { gl_FragData[0] = vec4(0.0, 1.0, 0.0, 1.0);\n"
                "gl_FragData[1] = vec4(1.0); }");
    quad(s, 0, 0, 16, 16);
    call(s, "glBindFramebuffer", "ei", GL_READ_FRAMEBUFFER, 5);
    call(s, "glBindFramebuffer", "ei", GL_DRAW_FRAMEBUFFER, 0);
    call(s, "glBlitFramebuffer", "iiiiiiiiie", 0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE,
         GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

// Texts that include named strings: from the root, from where they are, from folders.
static void includes(struct scene *s)
{
    static const char *const folders[] = { "/a" };
    static const char red[] = "vec4 it() { return vec4(1.0, 0.0, 0.0, 1.0); }";
    static const char fragment[] = "#include \"here.glsl\"\n"
                                   "void main() { gl_FragColor = it(); }";
    call(s, "glNamedStringARB", "eiBiB", GL_SHADER_INCLUDE_ARB, -1,
         TEXT("/a/here.glsl"), -1, TEXT("#include \"../b/./red.glsl\""));
    call(s, "glNamedStringARB", "eiBiB", GL_SHADER_INCLUDE_ARB, -1, TEXT("/b/red.glsl"),
         (int)sizeof red - 1, TEXT(red));
    call(s, "glNamedStringARB", "eiBiB", GL_SHADER_INCLUDE_ARB, -1, TEXT("no path"), -1,
         TEXT("x"));
    attach_program(s, 10, "void main() { gl_Position = ftransform(); }", fragment);
    call(s, "glCompileShaderIncludeARB", "iiSn", 12, 1, (size_t)1, folders);
    call(s, "glDeleteNamedStringARB", "iB", -1, TEXT("/b/red.glsl")); // it was compiled
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    quad(s, 0, 0, 16, 8);
    call(s, "glNamedStringARB", "eiBiB", GL_SHADER_INCLUDE_ARB, -1, TEXT("/loop"), -1,
         TEXT("#include </loop>\n#include </loop>"));
    use_program(s, 20, "#include </loop>", fragment);
    s->unsupported = 2; // and so the program does not compile
}

#define FOUR(a, b, c, d)                         \
    {                                            \
        { 4, 4, a }, { 12, 4, b }, { 20, 4, c }, \
        {                                        \
            28, 4, d                             \
        }                                        \
    }
enum { YELLOW = 0xFFFF00, MAGENTA = 0xFF00FF };

#define CYAN 0x00FFFF
#define LAST                                            \
    {                                                   \
        { 1, 2, CYAN }, { 7, 2, RED }, { 20, 2, BLUE }, \
        {                                               \
            20, 6, GREEN                                \
        }                                               \
    }

static const struct draw_row rows[] = {
    { "last", last, SIDE, LAST, 9, 8 },
    { "outputs", outputs, SIDE, FOUR(BLUE, RED, RED, YELLOW), 7, 6 },
    { "slices",
      slices,
      SIDE,
      { { 4, 4, GREEN }, { 12, 4, BLUE }, { 20, 4, GREEN }, { 4, 20, RED } },
      9,
      4 },
    { "blends", blends, SIDE, FOUR(BLUE, YELLOW, MAGENTA, GREEN), 5, 5 },
    { "mixed_kinds", mixed_kinds, SIDE, { { 4, 4, GREEN }, { 20, 20, BLACK } }, 2, 1 },
    { "includes", includes, SIDE, FOUR(RED, RED, BLACK, BLACK), 1, 1 },
    { "tests", tests, SIDE, FOUR(RED, GREEN, RED, RED), 1, 2 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
