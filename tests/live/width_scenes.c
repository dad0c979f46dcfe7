#define GL_GLEXT_PROTOTYPES
#include "tests/live/width_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static GLuint linked(const char *vertex, const char *fragment)
{
    const char *const texts[] = { vertex, fragment };
    GLuint program = glCreateProgram();
    GLint ok = 0;
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    glUseProgram(program);
    return program;
}

#define FRAGMENT "#version 410\nin vec4 color; out vec4 o; void main() { o = color; }\n"

// A vertex's doubles: where, its colour, what moves it.
struct vertex {
    double at[2];
    double color[4];
    double moves[2][3];
};

static const void *place_of(size_t offset)
{
    return (const void *)(uintptr_t)offset;
}

// Out of the bound buffer: apitrace tells of the program's memory as of floats.
static void point_attributes(GLuint program)
{
    const GLint at = glGetAttribLocation(program, "at");
    const GLint color = glGetAttribLocation(program, "color_in");
    const GLint moves = glGetAttribLocation(program, "moves");
    const GLsizei stride = sizeof(struct vertex);
    glVertexAttribLPointer((GLuint)at, 2, GL_DOUBLE, stride,
                           place_of(offsetof(struct vertex, at)));
    glVertexAttribLPointer((GLuint)color, 4, GL_DOUBLE, stride,
                           place_of(offsetof(struct vertex, color)));
    for (GLuint i = 0; i < 2; i++) {
        glVertexAttribLPointer(
            (GLuint)moves + i, 3, GL_DOUBLE, stride,
            place_of(offsetof(struct vertex, moves) + i * sizeof(double[3])));
        glEnableVertexAttribArray((GLuint)moves + i);
    }
    glEnableVertexAttribArray((GLuint)at);
    glEnableVertexAttribArray((GLuint)color);
}

// What is beyond a float's precision decides: 1e9 + 0.5, 1 + 1e-12.
static void attributes(int frame)
{
    static struct vertex corners[4];
    static const double moves[2][3] = { { 0.1, 0.21, 1e9 + 0.5 }, { 1 + 1e-12, 0, 7 } };
    for (int i = 0; i < 4; i++) {
        const double right = i % 2, top = i > 1;
        corners[i] = (struct vertex){ { right - 0.9, top - 0.9 },
                                      { right, 0.25 * (frame % 4), top, 1 + 1e-10 },
                                      { { 0 } } };
        for (int k = 0; k < 6; k++)
            corners[i].moves[k / 3][k % 3] = moves[k / 3][k % 3];
    }
    GLuint program = linked("#version 410\n"
                            "in dvec2 at; in dvec4 color_in; in dmat2x3 moves;\n"
                            "in double dim; out vec4 color;\n"
                            "void main() {\n"
                            "  double beyond = moves[0].z - 1.0e9lf;\n"
                            "  bool whole = moves[1].x > 1.0lf && color_in.w > 1.0lf;\n"
                            "  gl_Position = vec4(at * beyond + moves[0].xy, 0, 1);\n"
                            "  color = whole ? vec4(color_in) * float(dim)\n"
                            "                : vec4(1, 0, 0, 1);\n"
                            "}\n",
                            FRAGMENT);
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    point_attributes(program);
    glVertexAttribL1d((GLuint)glGetAttribLocation(program, "dim"), 0.75);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    for (GLuint i = 0; i < 8; i++)
        glDisableVertexAttribArray(i);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

// Both halves of four doubles, current for all vertices.
static void current_ones(void)
{
    GLuint program = linked("#version 410\n"
                            "in dvec4 far; in vec2 corner; out vec4 color;\n"
                            "void main() {\n"
                            "  color = vec4(far - 1.0e12lf);\n"
                            "  gl_Position = vec4(corner, 0, 1);\n"
                            "}\n",
                            FRAGMENT);
    static const float corners[] = { -0.9F, 0.2F, -0.2F, 0.2F, -0.5F, 0.9F };
    GLuint corner = (GLuint)glGetAttribLocation(program, "corner");
    glVertexAttribL4d((GLuint)glGetAttribLocation(program, "far"), 1e12 + 0.25,
                      1e12 + 0.5, 1e12 + 0.75, 1e12 + 1);
    glVertexAttribPointer(corner, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(corner);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableVertexAttribArray(corner);
}

static void uniforms(int frame)
{
    GLuint program =
        linked("#version 410\nin vec2 corner; void main() {\n"
               "  gl_Position = vec4(corner, 0, 1); }\n",
               "#version 410\n#extension GL_ARB_gpu_shader_int64 : require\n"
               "uniform i64vec2 whole; uniform uint64_t bits[2]; uniform double d;\n"
               "out vec4 o; void main() {\n"
               "  o = vec4(float(whole.y + (1l << 40)) * 0.25, float(bits[1] >> 62) "
               "* 0.3,\n"
               "    float((d - 1.0lf) * 1.0e12lf), 1.0); }\n");
    static const float corners[] = { 0.2F, 0.2F, 0.9F, 0.2F, 0.5F, 0.9F };
    GLuint corner = (GLuint)glGetAttribLocation(program, "corner");
    glUniform2i64ARB(glGetUniformLocation(program, "whole"), 3,
                     frame % 4 - (INT64_C(1) << 40));
    glUniform1ui64ARB(glGetUniformLocation(program, "bits[1]"), UINT64_C(3) << 62);
    glUniform1d(glGetUniformLocation(program, "d"), 1 + 0.5e-12);
    glVertexAttribPointer(corner, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(corner);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableVertexAttribArray(corner);
}

void scene_widths(int frame)
{
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    attributes(frame);
    current_ones();
    uniforms(frame);
    glUseProgram(0);
}
