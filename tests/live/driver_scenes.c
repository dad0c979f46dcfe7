#define GL_GLEXT_PROTOTYPES
#include "tests/live/driver_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/live/scene_shapes.h"

#define WIDTH 240
#define HEIGHT 180
#define PIECE 20 // pixels of a side of what stands side by side

static void textured(GLint min, GLint mag)
{
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mag);
}

// ---- levels of detail ----

// Each level in a grey of its own: level n of 64 x 64 is 32 n.
static void grey_levels(void)
{
    static uint8_t texels[64 * 64];
    for (int level = 0; level < 7; level++) {
        const int side = 64 >> level;
        for (int i = 0; i < side * side; i++)
            texels[i] = (uint8_t)(32 * level);
        glTexImage2D(GL_TEXTURE_2D, level, GL_LUMINANCE8, side, side, 0, GL_LUMINANCE,
                     GL_UNSIGNED_BYTE, texels);
    }
}

// So many texels of 64 a pixel.
static void scaled_piece(int x, int y, float texels)
{
    const float high = texels * PIECE / 64, l = (float)(x * PIECE),
                b = (float)(y * PIECE);
    glBegin(GL_QUADS);
    glTexCoord2f(0, 0);
    glVertex2f(l, b);
    glTexCoord2f(high, 0);
    glVertex2f(l + PIECE, b);
    glTexCoord2f(high, high);
    glVertex2f(l + PIECE, b + PIECE);
    glTexCoord2f(0, high);
    glVertex2f(l, b + PIECE);
    glEnd();
}

void scene_open_levels(int frame)
{
    textured(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    grey_levels();
    for (int y = 0; y < 9; y++)
        for (int x = 0; x < 12; x++)
            scaled_piece(x, y, 0.5f + 0.07f * (float)(12 * y + x + frame));
}

// ---- texels ----

static void coloured_texels(int side)
{
    static uint8_t texels[16 * 16 * 3];
    uint32_t seed = 7;
    for (int i = 0; i < side * side * 3; i++) {
        seed = seed * 1664525u + 1013904223u;
        texels[i] = (uint8_t)(seed >> 24);
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, side, side, 0, GL_RGB, GL_UNSIGNED_BYTE,
                 texels);
}

void scene_open_weights(int frame)
{
    textured(GL_LINEAR, GL_LINEAR);
    coloured_texels(4);
    draw_rectangle((float)frame, 0, WIDTH, HEIGHT);
}

// 16 texels on 240 and 180 pixels: no tie. On 40: every fifth pixel is one.
void scene_open_ties(int frame)
{
    textured(GL_NEAREST, GL_NEAREST);
    coloured_texels(16);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 6; x++)
            draw_rectangle((float)(40 * x), (float)(40 * y + frame), 40, 40);
}

// Draws with a matrix of their own, and with edges on the centres of pixels.
void scene_tied_draws(int frame)
{
    for (int i = 0; i < 24; i++) {
        glPushMatrix();
        glTranslatef((float)(10 * i), 0.5f, 0);
        glColor3f((float)(i % 3) / 2, (float)(i % 5) / 4, 1);
        glRectf(0, (float)frame, 8, (float)(frame + 40));
        glPopMatrix();
    }
}

// ---- edges and lines ----

void scene_open_slants(int frame)
{
    for (int i = 0; i < 48; i++) {
        const int column = i % 8, row = i / 8;
        const float x = (float)column * 29 + 0.37f * (float)i;
        const float y = (float)row * 29 + 0.21f * (float)(i + frame);
        glColor3f((float)(i % 3) / 2, (float)(i % 5) / 4, 1);
        glBegin(GL_TRIANGLES);
        glVertex2f(x + 1.13f, y + 2.41f);
        glVertex2f(x + 26.71f, y + 7.03f + (float)(i % 7));
        glVertex2f(x + 9.57f + (float)(i % 9), y + 27.29f);
        glEnd();
    }
}

void scene_open_lines(int frame)
{
    glBegin(GL_LINES);
    for (int i = 0; i < 60; i++) {
        const float a = 0.105f * (float)(i + frame);
        glVertex2f(120.33f + 10 * cosf(a), 90.41f + 10 * sinf(a));
        glVertex2f(120.33f + 85 * cosf(a), 90.41f + 85 * sinf(a));
    }
    glEnd();
}

// Rectangles on one slanted plane, of vertices that do not meet.
void scene_open_depths(int frame)
{
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    for (int i = 0; i < 6; i++) {
        const float l = (float)(7 * i), r = 170 + (float)(11 * i);
        const float b = (float)(5 * i + frame), t = 150 + (float)(4 * i);
        glColor3f((float)(i % 2), (float)(i % 3) / 2, 1 - (float)i / 5);
        glBegin(GL_QUADS);
        glVertex3f(l, b, l / 300 - b / 500);
        glVertex3f(r, b, r / 300 - b / 500);
        glVertex3f(r, t, r / 300 - t / 500);
        glVertex3f(l, t, l / 300 - t / 500);
        glEnd();
    }
    glDepthFunc(GL_LESS);
    glDisable(GL_DEPTH_TEST);
}

// Whole triangles of one colour each, and such whose corners are on one line.
void scene_open_outlines(int frame)
{
    glShadeModel(GL_FLAT);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 6; i++) {
        const float x = (float)(40 * i + frame);
        glColor3f(0, 0, 1);
        glVertex2f(x + 2, 20);
        glColor3f(1, 0, 0);
        glVertex2f(x + 32, 30);
        glColor3f(0, 1, 0);
        glVertex2f(x + 12, 160);
    }
    glEnd();
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glShadeModel(GL_SMOOTH);
}

// ---- numbers ----

static GLuint program_of(const char *fragment)
{
    GLint ok = 0;
    const GLuint program = glCreateProgram(),
                 shader = glCreateShader(GL_FRAGMENT_SHADER);
    glShaderSource(shader, 1, &fragment, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    return program;
}

void scene_open_digits(int frame)
{
    static GLuint program;
    if (!program)
        program = program_of(
            "uniform float frame;\n"
            "void main() {\n"
            "  vec2 at = gl_FragCoord.xy / vec2(240.0, 180.0);\n"
            "  float x = 0.1 + at.x * 3.0 + frame * 0.01;\n"
            "  float v = at.y < 0.25 ? sin(x * 40.0) : at.y < 0.5 ? exp2(x)\n"
            "    : at.y < 0.75 ? log2(x) : inversesqrt(x);\n"
            "  gl_FragColor = vec4(fract(v * 4096.0), fract(v), fract(v * 16.0), "
            "1.0);\n"
            "}\n");
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "frame"), (float)frame);
    glRectf(0, 0, WIDTH, HEIGHT);
    glUseProgram(0);
}

// Integers that the components of a target do not hold.
void scene_clear_values(int frame)
{
    static const struct {
        GLenum format, clear;
    } cells[] = { { GL_RGBA8UI, GL_UNSIGNED_INT },
                  { GL_RGBA16UI, GL_UNSIGNED_INT },
                  { GL_RGB10_A2UI, GL_UNSIGNED_INT },
                  { GL_RGBA8I, GL_INT },
                  { GL_RGBA16I, GL_INT },
                  { GL_RG32UI, GL_UNSIGNED_INT } };
    static const GLuint bare[4] = { 70000, 300, 900, 4000000000u };
    static const GLint turned[4] = { -70000, 50000, 129, -129 };
    static GLuint programs[2];
    for (int i = 0; i < 2 && !programs[i]; i++)
        programs[i] = program_of(
            i ? "#version 130\nuniform isampler2D s; void main() { gl_FragColor =\n"
                "vec4(texelFetch(s, ivec2(0), 0) & 255) / 255.0; }\n"
              : "#version 130\nuniform usampler2D s; void main() { gl_FragColor =\n"
                "vec4(texelFetch(s, ivec2(0), 0) & 255u) / 255.0; }\n");
    for (int i = 0; i < 12; i++) {
        const int cell = i % 6;
        GLuint texture, object;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexStorage2D(GL_TEXTURE_2D, 1, cells[cell].format, 4, 4);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glGenFramebuffers(1, &object);
        glBindFramebuffer(GL_FRAMEBUFFER, object);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               texture, 0);
        glColorMask(1, i < 6 || frame % 2, i < 6, i < 6);
        if (cells[cell].clear == GL_INT)
            glClearBufferiv(GL_COLOR, 0, turned);
        else
            glClearBufferuiv(GL_COLOR, 0, bare);
        glColorMask(1, 1, 1, 1);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glUseProgram(programs[cells[cell].clear == GL_INT]);
        glRecti(40 * cell, 90 * (i / 6), 40 * cell + 38, 90 * (i / 6) + 80);
        glUseProgram(0);
        glDeleteFramebuffers(1, &object);
        glDeleteTextures(1, &texture);
    }
}

// A ramp in few bits, read as the texels that it has become.
void scene_open_bits(int frame)
{
    static const GLenum formats[] = { GL_RGB565, GL_RGBA4, GL_RGB5_A1, GL_RGB10_A2 };
    for (int i = 0; i < 4; i++) {
        GLuint texture, object;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        textured(GL_NEAREST, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)formats[i], WIDTH, 40, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
        glDisable(GL_TEXTURE_2D);
        glGenFramebuffers(1, &object);
        glBindFramebuffer(GL_FRAMEBUFFER, object);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               texture, 0);
        glBegin(GL_QUADS);
        glColor3f(0, 0.1f * (float)frame, 1);
        glVertex2f(0, 0);
        glVertex2f(0, 180);
        glColor3f(1, 1, 0);
        glVertex2f(240, 180);
        glVertex2f(240, 0);
        glEnd();
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
        glBlitFramebuffer(0, 0, WIDTH, 40, 0, 45 * i, WIDTH, 45 * i + 40,
                          GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &object);
        glDeleteTextures(1, &texture);
    }
}

void scene_open_seams(int frame)
{
    static uint8_t texels[8 * 8 * 3];
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 8 * 8 * 3; k++)
            texels[k] = (uint8_t)(k % 3 == i % 3 ? 250 : i * 40);
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)i, 0, GL_RGB8, 8, 8, 0,
                     GL_RGB, GL_UNSIGNED_BYTE, texels);
    }
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glEnable(GL_TEXTURE_CUBE_MAP);
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        static const float corners[4][2] = {
            { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 }
        };
        glTexCoord3f(1.5f * corners[i][0] + 0.05f * (float)frame, 1.5f * corners[i][1],
                     1);
        glVertex2f(120 + 110 * corners[i][0], 90 + 80 * corners[i][1]);
    }
    glEnd();
    glDisable(GL_TEXTURE_CUBE_MAP);
}

// Of several samples: how many are covered for an alpha.
void scene_open_coverage(int frame)
{
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glBegin(GL_QUADS);
    glColor4f(1, 0.8f, 0.2f, 0);
    glVertex2f(0, 0);
    glVertex2f(0, HEIGHT);
    glColor4f(1, 0.8f, 0.2f, 1 - 0.1f * (float)frame);
    glVertex2f(WIDTH, HEIGHT);
    glVertex2f(WIDTH, 0);
    glEnd();
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}
