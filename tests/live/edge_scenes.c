#define GL_GLEXT_PROTOTYPES
#include "tests/live/edge_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 240
#define HEIGHT 180

static GLuint shader_of(GLenum type, const char *text)
{
    GLint ok = 0;
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a shader does not compile\n");
    return shader;
}

struct texts {
    const char *vertex, *control, *evaluation, *geometry, *fragment;
};

static GLuint linked(const struct texts *t, const char *captured)
{
    const struct {
        GLenum type;
        const char *text;
    } stages[] = {
        { GL_VERTEX_SHADER, t->vertex },
        { GL_TESS_CONTROL_SHADER, t->control },
        { GL_TESS_EVALUATION_SHADER, t->evaluation },
        { GL_GEOMETRY_SHADER, t->geometry },
        { GL_FRAGMENT_SHADER, t->fragment },
    };
    GLint ok = 0;
    GLuint program = glCreateProgram();
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (stages[i].text)
            glAttachShader(program, shader_of(stages[i].type, stages[i].text));
    glBindAttribLocation(program, 0, "at");
    if (captured)
        glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    glUseProgram(program);
    return program;
}

static void set(const char *name, float a, float b, float c, float d)
{
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform4f(glGetUniformLocation((GLuint)program, name), a, b, c, d);
}

// Vertices of the array 0 in pixels of the window.
static void draw_floats(GLenum mode, const float *at, int count)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof *at * 2 * (size_t)count), at,
                 GL_STREAM_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    glDrawArrays(mode, 0, count);
    glDisableVertexAttribArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
}

// Rectangles whose upper edges lie on centres, on borders, near to either.
static void rectangles(float x, float y)
{
    static const float rows[] = { 0.5f, 0, 0.4985f, 0.5015f, 0.503f, 0.25f };
    for (int i = 0; i < 6; i++) {
        const float l = x + 9 * (float)i, b = y + rows[i], t = b + (i == 1 ? 6.5f : 6);
        const float strip[] = { l, b, l + 7.5f, b, l, t, l + 7.5f, t };
        draw_floats(
            i % 2 ? GL_TRIANGLE_STRIP : GL_TRIANGLE_FAN,
            i % 2 ? strip : (const float[]){ l, b, l + 7.5f, b, l + 7.5f, t, l, t }, 4);
    }
}

// Triangles with level edges and steep ones, that pass through centres too.
static void slopes(float x, float y)
{
    static const float across[] = { 0, 4, 8, 2, 6 };
    for (int i = 0; i < 5; i++) {
        const float l = x + 20 * (float)i, b = y + 0.5f;
        draw_floats(
            GL_TRIANGLES,
            (const float[]){ l + 0.5f, b, l + 16.5f, b, l + 0.5f + across[i], b + 8 },
            3);
        draw_floats(GL_TRIANGLES,
                    (const float[]){ l + 0.5f, b + 18, l + 0.5f + across[i], b + 10,
                                     l + 16.5f, b + 18 },
                    3);
    }
}

static void dots(float x, float y)
{
    for (int i = 0; i < 24; i++) {
        const int row = i / 8;
        const float at[] = { x + 9 * (float)(i % 8) + (i % 3 == 1 ? 0.5f : 0),
                             y + 9 * (float)row +
                                 (i % 5 == 2   ? 0.5f
                                  : i % 5 == 4 ? 0.25f
                                               : 0) };
        set("size", (float)(i % 7 + 1) + (i % 4 == 3 ? 0.5f : 0), 0, 0, 0);
        draw_floats(GL_POINTS, at, 1);
    }
}

#define PLACED(version, input)                                                      \
    version "\n" input " vec2 at; uniform vec4 size, window, tint; void main() {\n" \
            "  gl_Position = vec4((at - window.xy) / window.zw * 2.0 - 1.0, 0.0, "  \
            "1.0) * max(size.y, 1.0);\n"                                            \
            "  gl_PointSize = size.x; }\n"

static const struct texts plain = {
    .vertex = PLACED("#version 120", "attribute"),
    .fragment = "#version 120\nuniform vec4 tint;\n"
                "void main() { gl_FragColor = tint; }\n",
};

static void begin(GLuint program)
{
    glUseProgram(program);
    set("window", 0, 0, WIDTH, HEIGHT);
    set("tint", 0.9f, 0.8f, 0.3f, 1);
    set("size", 1, 0, 0, 0);
}

// What is drawn to an object, whose rows run as GL's.
static void draw_object(bool upper)
{
    GLuint object, color;
    glGenFramebuffers(1, &object);
    glGenRenderbuffers(1, &color);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 100, 30);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              color);
    glViewport(0, 0, 100, 30);
    glClear(GL_COLOR_BUFFER_BIT);
    glClipControl(upper ? GL_UPPER_LEFT : GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    set("window", 0, 0, 100, 30);
    rectangles(2, 2);
    dots(60, 3);
    slopes(1, 11);
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 100, 30, 130, upper ? 145 : 110, 230, upper ? 175 : 140,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &object);
    glDeleteRenderbuffers(1, &color);
    glViewport(0, 0, WIDTH, HEIGHT);
    set("window", 0, 0, WIDTH, HEIGHT);
}

static void assembled(void)
{
    static const char text[] =
        "!!ARBvp1.0\n"
        "PARAM m = { 0.00833333333, 0.0111111111, 0, 1 };\n"
        "MAD result.position, vertex.position, m, { -1, -1, 0, 0 };\n"
        "MOV result.color, { 0.3, 0.9, 0.8, 1 };\nEND\n";
    glUseProgram(0);
    glEnable(GL_VERTEX_PROGRAM_ARB);
    glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB,
                       sizeof text - 1, text);
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        const float x = 4 + 20 * (float)i, y = 70 + 0.5f * (float)(i % 3);
        glVertex2f(x, y);
        glVertex2f(x + 15.5f, y);
        glVertex2f(x + 15.5f, y + 10);
        glVertex2f(x, y + 10);
    }
    glEnd();
    glDisable(GL_VERTEX_PROGRAM_ARB);
}

void scene_edges(int frame)
{
    GLuint program = linked(&plain, NULL);
    glEnable(GL_VERTEX_PROGRAM_POINT_SIZE);
    begin(program);
    rectangles(5 + (float)frame, 5);
    slopes(5, 20);
    set("size", 1, 1.7f, 0, 0); // of w
    slopes(5, 90);
    dots(80, 3); // squares of whole pixels
    glEnable(GL_POINT_SPRITE);
    dots(160, 3);
    glDisable(GL_POINT_SPRITE);
    glViewport(20, 45, 101, 21); // rows of its own, one of them cut
    set("window", 0, 0, 101, 21);
    rectangles(3, 3.5f);
    glViewport(0, 0, WIDTH, HEIGHT);
    set("window", 0, 0, WIDTH, HEIGHT);
    glClipControl(GL_UPPER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    rectangles(5, 70);
    slopes(5, 40);
    dots(150, 60);
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    set("size", 3, 0, 0, 0);
    rectangles(130, 50);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    draw_object(frame % 2);
    draw_object(true);
    assembled();
    glDisable(GL_VERTEX_PROGRAM_POINT_SIZE);
    glUseProgram(0);
}

// ---- stages ----

#define VERTICES                                                              \
    "#version 410 compatibility\nin vec2 at; out vec2 place; void main() {\n" \
    "  place = at; gl_Position = vec4(at, 0.0, 1.0); }\n"
#define PAINTED                                                        \
    "#version 410 compatibility\nuniform vec4 tint; out vec4 color;\n" \
    "void main() { color = tint; }\n"

// Each point becomes a rectangle, in one viewport or in all of them.
static const struct texts grown = {
    .vertex = VERTICES,
    .geometry =
        "#version 410 compatibility\n"
        "layout(points) in; layout(triangle_strip, max_vertices = 12) out;\n"
        "uniform vec4 window, size; void main() {\n"
        "  for (int v = 0; v < int(size.y); v++) {\n"
        "    for (int i = 0; i < 4; i++) {\n"
        "      vec2 at = gl_in[0].gl_Position.xy + vec2(i & 1, i >> 1) * size.x;\n"
        "      gl_Position = vec4((at - window.xy) / window.zw * 2.0 - 1.0, 0.0, "
        "1.0);\n"
        "      gl_ViewportIndex = v; EmitVertex(); }\n"
        "    EndPrimitive(); } }\n",
    .fragment = PAINTED,
};

static const struct texts evaluated = {
    .vertex = VERTICES,
    .evaluation =
        "#version 410 compatibility\nlayout(quads) in;\n"
        "uniform vec4 window; void main() {\n"
        "  vec2 at = mix(gl_in[0].gl_Position.xy, gl_in[1].gl_Position.xy,\n"
        "                gl_TessCoord.xy);\n"
        "  gl_Position = vec4((at - window.xy) / window.zw * 2.0 - 1.0, 0.0, 1.0); }\n",
    .fragment = PAINTED,
};

static const struct texts captured = {
    .vertex =
        "#version 410 compatibility\nin vec2 at; uniform vec4 window, size;\n"
        "out vec2 moved; void main() { moved = at + size.xy;\n"
        "  gl_Position = vec4((at - window.xy) / window.zw * 2.0 - 1.0, 0.0, 1.0);"
        " }\n",
    .fragment = PAINTED,
};

static void capture(GLuint again)
{
    GLuint buffer, object;
    begin(linked(&captured, "moved"));
    set("size", 30, 11, 0, 0);
    glGenTransformFeedbacks(1, &object);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 256, NULL, GL_DYNAMIC_COPY);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBeginTransformFeedback(GL_TRIANGLES);
    draw_floats(GL_TRIANGLES, (const float[]){ 10, 100.5f, 26, 100.5f, 18.5f, 108.5f },
                3);
    draw_floats(GL_TRIANGLES, (const float[]){ 10, 120.5f, 18.5f, 112.5f, 26, 120.5f },
                3);
    glEndTransformFeedback();
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    begin(again);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    glDrawTransformFeedback(GL_TRIANGLES, object);
    glDisableVertexAttribArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void scene_edge_stages(int frame)
{
    static const float at[][2] = { { 10, 10.5f }, { 30.5f, 10 }, { 50, 10.25f } };
    begin(linked(&grown, NULL));
    set("size", 9 + (float)frame, 1, 0, 0);
    draw_floats(GL_POINTS, at[0], 3);
    set("size", 8, 3, 0, 0);
    set("window", 0, 0, 61, 31);
    for (unsigned i = 0; i < 3; i++)
        glViewportIndexedf(i, 80 + 5.0f * (float)i, 10 + 40.5f * (float)i, 61, 31);
    draw_floats(GL_POINTS, at[0], 3);
    glViewport(0, 0, WIDTH, HEIGHT);
    begin(linked(&evaluated, NULL));
    glPatchParameteri(GL_PATCH_VERTICES, 2);
    draw_floats(GL_PATCHES, (const float[]){ 10, 40.5f, 31.5f, 60.5f, 40, 40, 60, 60 },
                4);
    capture(linked(&plain, NULL));
    glUseProgram(0);
}

// ---- contexts without other points ----

void scene_edge_core(int frame)
{
    static const struct texts core = {
        .vertex = PLACED("#version 150", "in"),
        .fragment = "#version 150\nuniform vec4 tint; out vec4 color;\n"
                    "void main() { color = tint; }\n",
    };
    static const struct texts es = {
        .vertex = PLACED("#version 300 es\nprecision highp float;", "in"),
        .fragment = "#version 300 es\nprecision highp float; uniform vec4 tint;\n"
                    "out vec4 color; void main() { color = tint; }\n",
    };
    const bool desktop = !strstr((const char *)glGetString(GL_VERSION), "OpenGL ES");
    GLuint array;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    begin(linked(desktop ? &core : &es, NULL));
    if (desktop)
        glEnable(GL_PROGRAM_POINT_SIZE);
    rectangles(5 + (float)frame, 5);
    slopes(5, 20);
    dots(120, 3);
    glViewport(20, 45, 101, 21);
    set("window", 0, 0, 101, 21);
    rectangles(3, 3.5f);
    glViewport(0, 0, WIDTH, HEIGHT);
    set("window", 0, 0, WIDTH, HEIGHT);
    dots(20, 80);
}
