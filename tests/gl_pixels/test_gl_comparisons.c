// Programs of GLSL that compare with depths.
#include <stdio.h>

#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

#define PLAIN "void main() { gl_Position = ftransform(); gl_FrontColor = gl_Color; }"

// Comparisons are filtered, whether the device filters depth or not.
static void comparisons(struct scene *s)
{
    static const uint16_t depths[] = { 0, 0xFFFF, 0, 0xFFFF };
    use_program(s, 10, PLAIN,
                "uniform sampler2DShadow t; uniform float at; void main() {\n"
                "  float v = shadow2D(t, vec3(at, 0.5, 0.5)).r;\n"
                "  gl_FragColor = vec4(v < 0.3, v > 0.3 && v < 0.7, v > 0.7, 1.0); }");
    call(s, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT16, 2, 2,
         0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, sizeof depths,
         (const uint8_t *)depths);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE,
         GL_COMPARE_REF_TO_TEXTURE);
    locate(s, 10, "at", 1);
    for (int i = 0; i < 3; i++) {
        call(s, "glUniform1f", "if", 1, 0.25 + 0.25 * i);
        quad(s, 8 * i, 0, 8 * i + 8, 8);
    }
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC,
         GL_GREATER); // to one draw, not to those before
    quad(s, 24, 0, 32, 8);
}

static void far_depth(struct scene *s, uint32_t target, uint32_t face, uint32_t format)
{
    static const float depth = 1;
    call(s, "glTexImage2D", "eieiiieeB", face, 0, format, 1, 1, 0, GL_DEPTH_COMPONENT,
         GL_FLOAT, sizeof depth, (const uint8_t *)&depth);
    call(s, "glTexParameteri", "eee", target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    call(s, "glTexParameteri", "eee", target, GL_TEXTURE_COMPARE_MODE,
         GL_COMPARE_REF_TO_TEXTURE);
}

// What is compared is clamped to 0..1 but with depths that GL has as floats.
static void references(struct scene *s)
{
    static const uint32_t formats[] = { GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT,
                                        GL_DEPTH_COMPONENT32F };
    use_program(s, 10, PLAIN,
                "uniform sampler2DShadow t; void main() {\n"
                "  float v = shadow2DProj(t, vec4(0.5, 0.5, 1.5, 1.0)).r;\n"
                "  v *= shadow2D(t, vec3(0.5, 0.5, 1.5)).r;\n"
                "  gl_FragColor = vec4(1.0 - v, v, 0.0, 1.0); }");
    for (int i = 0; i < 3; i++) {
        far_depth(s, GL_TEXTURE_2D, GL_TEXTURE_2D, formats[i]);
        quad(s, 8 * i, 0, 8 * i + 8, 8);
    }
    use_program(s, 20, PLAIN,
                "#version 130\nuniform samplerCubeShadow t; void main() {\n"
                "  float v = texture(t, vec4(1.0, 0.5, 0.5, 1.5));\n"
                "  gl_FragColor = vec4(1.0 - v, v, 0.0, 1.0); }");
    for (uint32_t i = 0; i < 6; i++)
        far_depth(s, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_CUBE_MAP_POSITIVE_X + i,
                  GL_DEPTH_COMPONENT);
    quad(s, 24, 0, 32, 8);
}

// Of what compares and gives a vector, GL_DEPTH_TEXTURE_MODE says where the result is.
static void depth_modes(struct scene *s)
{
    static const uint16_t depth = 0xFFFF;
    static const uint32_t modes[] = { GL_RED, GL_LUMINANCE, GL_ALPHA, GL_INTENSITY };
    use_program(s, 10, PLAIN,
                "uniform sampler2DShadow t; void main() {\n"
                "  vec4 v = shadow2D(t, vec3(0.5));\n"
                "  gl_FragColor = vec4(v.r, 1.0 - v.g, v.a, 1.0); }");
    call(s, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT16, 1, 1,
         0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, sizeof depth,
         (const uint8_t *)&depth);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE,
         GL_COMPARE_REF_TO_TEXTURE);
    for (int i = 0; i < 4; i++) {
        call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE,
             modes[i]);
        call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC,
             i % 2 ? GL_GREATER : GL_LEQUAL); // 0, 1
        quad(s, 8 * i, 0, 8 * i + 8, 8);
    }
}

// Depths of 0 and 1 side by side, as they are filtered: by the program, since not every
// device does it.
static void filtered(struct scene *s)
{
    static const uint16_t columns[] = { 0, 0xFFFF, 0, 0xFFFF };
    static const char *const lookups[] = { "texture2D(t, vec2(0.5))",
                                           "texture2DLod(t, vec2(0.5), 0.0)",
                                           "texture2DProj(t, vec3(1.0, 1.0, 2.0))",
                                           "texture2DOffset(t, vec2(0.0), ivec2(1))" };
    call(s, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT16, 2, 2,
         0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, sizeof columns,
         (const uint8_t *)columns);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    for (int i = 0; i < 4; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "#version 120\n#extension GL_ARB_shader_texture_lod : enable\n"
                 "#extension GL_EXT_gpu_shader4 : enable\nuniform sampler2D t;\n"
                 "void main() { float v = %s.r;\n"
                 "  gl_FragColor = abs(v - 0.5) < 0.01 ? vec4(0.0, 1.0, 0.0, 1.0)\n"
                 "                                     : vec4(1.0, v, 0.0, 1.0); }",
                 lookups[i]);
        use_program(s, 10 * (i + 1), PLAIN, text);
        quad(s, 8 * i, 0, 8 * i + 8, 8);
    }
}

// ---- what is expected ----

#define FOUR(a, b, c, d)                         \
    {                                            \
        { 4, 4, a }, { 12, 4, b }, { 20, 4, c }, \
        {                                        \
            28, 4, d                             \
        }                                        \
    }
enum { CYAN = 0x00FFFF };

static const struct draw_row rows[] = {
    { "comparisons", comparisons, SIDE, FOUR(RED, GREEN, BLUE, RED), 1, 4 },
    { "depth_modes", depth_modes, SIDE, FOUR(WHITE, CYAN, CYAN, GREEN), 1, 4 },
    { "filtered", filtered, SIDE, FOUR(GREEN, GREEN, GREEN, GREEN), 1, 4 },
    { "references", references, SIDE, FOUR(GREEN, GREEN, RED, GREEN), 2, 4 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
