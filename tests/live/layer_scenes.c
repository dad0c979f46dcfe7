#define GL_GLEXT_PROTOTYPES
#include "tests/live/layer_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdio.h>

#define SIDE 32

static GLuint linked(const char *const texts[3])
{
    static const GLenum types[3] = { GL_VERTEX_SHADER, GL_GEOMETRY_SHADER,
                                     GL_FRAGMENT_SHADER };
    GLint ok = 0;
    GLuint program = glCreateProgram();
    for (int i = 0; i < 3; i++) {
        if (!texts[i])
            continue;
        GLuint shader = glCreateShader(types[i]);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glBindAttribLocation(program, 0, "at");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    glUseProgram(program);
    return program;
}

static void triangle(void)
{
    static const float at[][2] = { { -0.9f, -0.83f },
                                   { 0.87f, -0.8f },
                                   { 0.1f, 0.9f } };
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 3; i++)
        glVertexAttrib2fv(0, at[i]);
    glEnd();
}

#define PLACED                                  \
    "#version 150 compatibility\nin vec2 at;\n" \
    "void main() { gl_Position = vec4(at, 0.0, 1.0); }\n"

// A triangle of each layer, smaller from one to the next.
static GLuint to_layers(void)
{
    static const char *const texts[3] = {
        PLACED,
        "#version 150 compatibility\n"
        "layout(triangles) in; layout(triangle_strip, max_vertices = 18) out;\n"
        "uniform int count; uniform float turn; out vec3 tint; void main() {\n"
        "  for (int l = 0; l < count; l++) { for (int i = 0; i < 3; i++) {\n"
        "    gl_Layer = l; tint = vec3(turn, float(l) / 6.0, float(i) / 2.0);\n"
        "    gl_Position = vec4(gl_in[i].gl_Position.xy * (1.0 - 0.12 * float(l)),\n"
        "      0.3 - 0.1 * float(l), 1.0); EmitVertex(); }\n"
        "  EndPrimitive(); } }\n",
        ("#version 150 compatibility\nin vec3 tint; out vec4 color;\n"
         "void main() { color = vec4(tint, 1.0); }\n")
    };
    return linked(texts);
}

static void show(const char *sampler, const char *lookup, int count, float y)
{
    char text[512];
    const char *texts[3] = {
        "#version 150 compatibility\nin vec2 at; uniform vec4 place; out vec2 where;\n"
        "void main() { where = at * 0.5 + 0.5;\n"
        "  gl_Position = vec4(at * place.zw + place.xy, 0.0, 1.0); }\n",
        NULL, text
    };
    snprintf(text, sizeof text,
             "#version 150 compatibility\n"
             "in vec2 where; uniform %s t; uniform float layer; out vec4 color;\n"
             "void main() { color = texture(t, %s); }\n",
             sampler, lookup);
    GLuint program = linked(texts);
    static const float at[][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
    for (int i = 0; i < count; i++) {
        glUniform1f(glGetUniformLocation(program, "layer"), (float)i);
        glUniform4f(glGetUniformLocation(program, "place"), -0.8f + 0.3f * (float)i, y,
                    0.13f, 0.2f);
        glBegin(GL_TRIANGLE_STRIP);
        for (int k = 0; k < 4; k++)
            glVertexAttrib2fv(0, at[k]);
        glEnd();
    }
}

// Draws to all layers of a texture, with depth of as many if there is one.
static void fill(GLuint program, GLuint color, GLuint depth, int count)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0);
    if (depth)
        glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0);
    glViewport(0, 0, SIDE, SIDE);
    glClearColor(0.2f, 0.1f, 0.4f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "count"), count);
    glUniform1f(glGetUniformLocation(program, "turn"), 0.9f);
    glEnable(GL_DEPTH_TEST);
    triangle();
    glUniform1f(glGetUniformLocation(program, "turn"), 0.1f);
    glDepthFunc(GL_LESS);
    triangle(); // of the same depth: seen where there is none
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SCISSOR_TEST);
    glScissor(2, 3, 6, 5);
    glClearColor(0.9f, 0.9f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, 240, 180);
}

static GLuint volume(GLenum target, GLenum format, GLenum pixels, int layers)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (unsigned face = 0; target == GL_TEXTURE_CUBE_MAP && face < 6; face++)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, (GLint)format, SIDE,
                     SIDE, 0, pixels, GL_UNSIGNED_BYTE, NULL);
    if (target != GL_TEXTURE_CUBE_MAP)
        glTexImage3D(target, 0, (GLint)format, SIDE, SIDE, layers, 0, pixels,
                     GL_UNSIGNED_BYTE, NULL);
    return texture;
}

// Rows of the window to layers of rows, from the bottom upwards.
static void copy_to_rows(void)
{
    GLuint rows;
    glGenTextures(1, &rows);
    glBindTexture(GL_TEXTURE_1D_ARRAY, rows);
    glTexParameteri(GL_TEXTURE_1D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_1D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glCopyTexImage2D(GL_TEXTURE_1D_ARRAY, 0, GL_RGBA8, 20, 14, 32, 5, 0);
    glCopyTexSubImage2D(GL_TEXTURE_1D_ARRAY, 0, 3, 1, 60, 40, 20, 2);
    show("sampler1DArray", "vec2(where.x, layer)", 5, -0.9f);
}

void scene_layers(int frame)
{
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    GLuint program = to_layers();
    GLuint array = volume(GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_RGBA, 3 + frame % 2);
    GLuint depth =
        volume(GL_TEXTURE_2D_ARRAY, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, 4);
    fill(program, array, depth, 3);
    glBindTexture(GL_TEXTURE_2D_ARRAY, array);
    show("sampler2DArray", "vec3(where, layer)", 3, -0.7f);
    fill(program, volume(GL_TEXTURE_3D, GL_RGBA8, GL_RGBA, 4), 0, 4);
    show("sampler3D", "vec3(where, (layer + 0.5) / 4.0)", 4, -0.2f);
    fill(program, volume(GL_TEXTURE_CUBE_MAP, GL_RGBA8, GL_RGBA, 6), 0, 6);
    show(
        "samplerCube",
        "layer < 1.0 ? vec3(1.0, where * 1.8 - 0.9) : layer < 2.0 ?\n"
        "  vec3(-1.0, where * 1.8 - 0.9) : layer < 3.0 ? vec3(where * 1.8 - 0.9, 1.0)\n"
        "  .xzy : layer < 4.0 ? vec3(where * 1.8 - 0.9, -1.0).xzy : vec3(where * 1.8\n"
        "  - 0.9, layer < 5.0 ? 1.0 : -1.0)",
        6, 0.3f);
    glUseProgram(program); // the window has one layer
    glUniform1i(glGetUniformLocation(program, "count"), 2);
    glViewport(150, 10, 80, 60);
    triangle();
    glViewport(0, 0, 240, 180);
    copy_to_rows();
    glUseProgram(0);
}

void scene_viewports(int frame)
{
    static const char *const texts[3] = {
        PLACED,
        "#version 150 compatibility\n"
        "#extension GL_ARB_viewport_array : require\n"
        "layout(triangles) in; layout(triangle_strip, max_vertices = 12) out;\n"
        "out vec3 tint; void main() {\n"
        "  for (int v = 0; v < 4; v++) { for (int i = 0; i < 3; i++) {\n"
        "    gl_ViewportIndex = v; tint = vec3(0.2 + 0.2 * float(v), 0.5, float(i));\n"
        "    gl_Position = gl_in[i].gl_Position; EmitVertex(); }\n"
        "  EndPrimitive(); } }\n",
        ("#version 150 compatibility\nin vec3 tint; out vec4 color;\n"
         "void main() { color = vec4(tint, gl_FragCoord.z); }\n")
    };
    const float views[] = { 5, 5, 70, 60, 100.5f, 10, 60, 50, 10, 100, 80, 70 };
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glViewportArrayv(0, 3, views);
    glViewportIndexedf(3, 120, 90, 90.0f + (float)frame, 80);
    glDepthRangeIndexed(1, 0.2, 0.4);
    glScissorIndexed(2, 20, 110, 40, 40);
    glEnablei(GL_SCISSOR_TEST, 2);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    linked(texts);
    triangle();
    glScissor(130, 100, 100, 20); // of all, where it is on
    glEnablei(GL_SCISSOR_TEST, 3);
    glDisablei(GL_SCISSOR_TEST, 2);
    triangle();
    glDisable(GL_BLEND);
    glUseProgram(0);
    glDisable(GL_SCISSOR_TEST);
    glDepthRange(0, 1);
    glViewport(0, 0, 240, 180);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glColor3f(0.5f, 0.5f, 0.5f);
    glRectf(0.9f, 0.903f, 0.95f, 0.957f);
}
