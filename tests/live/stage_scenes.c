#define GL_GLEXT_PROTOTYPES
#include "tests/live/stage_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct stage {
    GLenum type;
    const char *text;
};

static GLuint attached(const struct stage *stages, int count)
{
    GLuint program = glCreateProgram();
    for (int i = 0; i < count; i++) {
        GLint ok = 0;
        GLuint shader = glCreateShader(stages[i].type);
        glShaderSource(shader, 1, &stages[i].text, NULL);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
        if (!ok)
            fprintf(stderr, "live_scenes: a shader does not compile\n");
        glAttachShader(program, shader);
    }
    return program;
}

static void link_and_use(GLuint program)
{
    GLint ok = 0;
    glBindAttribLocation(program, 0, "at");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    glUseProgram(program);
}

static void begin_scene(void)
{
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static void draw(GLenum mode, const float (*at)[2], int count)
{
    glBegin(mode);
    for (int i = 0; i < count; i++)
        glVertexAttrib2fv(0, at[i]);
    glEnd();
}

#define PLACED                                   \
    "#version 150 compatibility\n"               \
    "in vec2 at; out vec4 tint; void main() {\n" \
    "  gl_Position = vec4(at, 0.0, 1.0);\n"      \
    "  tint = vec4(at * 0.5 + 0.5, 0.6, 1.0); }\n"
#define PAINTED                    \
    "#version 150 compatibility\n" \
    "in vec4 paint; out vec4 color; void main() { color = paint; }\n"

// ---- geometry shaders ----

// Each triangle shrinks about its middle; a strip is cut as GL cuts it.
static void shrink(int frame)
{
    static const float strip[][2] = { { -0.9f, -0.9f }, { -0.8f, -0.4f },
                                      { -0.6f, -0.9f }, { -0.5f, -0.4f },
                                      { -0.3f, -0.9f }, { -0.2f, -0.4f } };
    static const float fan[][2] = { { 0.3f, -0.607f }, { 0.6f, -0.607f },
                                    { 0.5f, -0.35f },  { 0.25f, -0.3f },
                                    { 0.0f, -0.5f },   { 0.1f, -0.9f } };
    const struct stage stages[] = {
        { GL_VERTEX_SHADER, PLACED },
        { GL_GEOMETRY_SHADER,
          "#version 150 compatibility\n"
          "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
          "in vec4 tint[]; out vec4 paint; uniform float much; void main() {\n"
          "  vec4 middle = (gl_in[0].gl_Position + gl_in[1].gl_Position +\n"
          "                 gl_in[2].gl_Position) / 3.0;\n"
          "  for (int i = 0; i < 3; i++) {\n"
          "    gl_Position = mix(gl_in[i].gl_Position, middle, much);\n"
          "    paint = tint[i] * (gl_PrimitiveIDIn % 2 == 0 ? 1.0 : 0.6); "
          "EmitVertex();\n"
          "  } }\n" },
        { GL_FRAGMENT_SHADER, PAINTED }
    };
    GLuint program = attached(stages, 3);
    link_and_use(program);
    glUniform1f(glGetUniformLocation(program, "much"), 0.1f + 0.1f * (float)frame);
    draw(GL_TRIANGLE_STRIP, strip, 6);
    glEnable(GL_CULL_FACE);
    draw(GL_TRIANGLE_FAN, fan, 6);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glUniform1f(glGetUniformLocation(program, "much"), -0.05f);
    draw(GL_TRIANGLE_FAN, fan, 6);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_CULL_FACE);
}

// Lines become bars that lean to what stands beside them.
static void lean(void)
{
    static const float strip[][2] = {
        { -0.9f, 0.2f }, { -0.8f, 0.0f }, { -0.6f, 0.1f },
        { -0.4f, 0.0f }, { -0.2f, 0.2f }, { -0.1f, 0.0f }
    };
    const struct stage stages[] = {
        { GL_VERTEX_SHADER, PLACED },
        { GL_GEOMETRY_SHADER,
          "#version 150 compatibility\n"
          "layout(lines_adjacency) in; layout(triangle_strip, max_vertices = 4) out;\n"
          "in vec4 tint[]; out vec4 paint; void main() {\n"
          "  for (int i = 0; i < 4; i++) { paint = tint[i / 2 * 3];\n"
          "    gl_Position = mix(gl_in[1 + i % 2].gl_Position,\n"
          "      gl_in[i % 2 * 3].gl_Position + vec4(0.0, 0.2, 0.0, 0.0),\n"
          "      float(i / 2) * 0.4); EmitVertex(); } }\n" },
        { GL_FRAGMENT_SHADER, PAINTED }
    };
    link_and_use(attached(stages, 3));
    draw(GL_LINE_STRIP_ADJACENCY, strip, 6);
}

// ---- tessellation ----

static const float patch[][2] = {
    { 0.1f, 0.1f }, { 0.9f, 0.2f }, { 0.2f, 0.9f }, { 0.8f, 0.8f }
};

#define OUTER                                                                 \
    "#version 400 compatibility\nlayout(vertices = 4) out; in vec4 tint[];\n" \
    "out vec4 tints[]; uniform float level; void main() {\n"                  \
    "  if (gl_InvocationID == 0) {\n"                                         \
    "    gl_TessLevelOuter[0] = level; gl_TessLevelOuter[1] = level + 1.0;\n" \
    "    gl_TessLevelOuter[2] = 2.0; gl_TessLevelOuter[3] = 3.0;\n"           \
    "    gl_TessLevelInner[0] = level; gl_TessLevelInner[1] = 2.0; }\n"       \
    "  tints[gl_InvocationID] = tint[gl_InvocationID];\n"                     \
    "  gl_out[gl_InvocationID].gl_Position =\n"                               \
    "    gl_in[gl_InvocationID].gl_Position; }"
#define INNER(layout_of)                                                          \
    "#version 400 compatibility\n" layout_of " in; in vec4 tints[];\n"            \
    "out vec4 paint; void main() { vec2 t = gl_TessCoord.xy;\n"                   \
    "  gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x),\n" \
    "    mix(gl_in[2].gl_Position, gl_in[3].gl_Position, t.x), t.y);\n"           \
    "  gl_Position.x += 0.1 * sin(t.y * 6.0);\n"                                  \
    "  paint = mix(tints[0], tints[3], t.y) + vec4(t.x * 0.4, 0.0, 0.0, 0.0); }"

static void tessellate(int frame, const char *evaluation)
{
    const struct stage stages[] = { { GL_VERTEX_SHADER, PLACED },
                                    { GL_TESS_CONTROL_SHADER, OUTER },
                                    { GL_TESS_EVALUATION_SHADER, evaluation },
                                    { GL_FRAGMENT_SHADER, PAINTED } };
    GLuint program = attached(stages, 4);
    link_and_use(program);
    glUniform1f(glGetUniformLocation(program, "level"), 2.0f + (float)frame);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    draw(GL_PATCHES, patch, 4);
}

static void defaults(void)
{
    static const float corners[][2] = { { -0.9f, 0.407f },
                                        { -0.1f, 0.407f },
                                        { -0.5f, 0.95f } };
    static const float levels[] = { 3, 5, 2, 1 }, inner[] = { 3, 1 };
    const struct stage stages[] = {
        { GL_VERTEX_SHADER, PLACED },
        { GL_TESS_EVALUATION_SHADER,
          "#version 400 compatibility\nlayout(triangles, fractional_odd_spacing) in;\n"
          "in vec4 tint[]; out vec4 paint; void main() { vec3 t = gl_TessCoord;\n"
          "  gl_Position = t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position +\n"
          "    t.z * gl_in[2].gl_Position;\n"
          "  paint = t.x * tint[0] + t.y * tint[1] + vec4(t.z * t.z); }" },
        { GL_FRAGMENT_SHADER, PAINTED }
    };
    link_and_use(attached(stages, 3));
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
    glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    draw(GL_PATCHES, corners, 3);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void scene_stages(int frame)
{
    begin_scene();
    shrink(frame);
    lean();
    glEnable(GL_CULL_FACE);
    tessellate(frame, INNER("layout(quads, equal_spacing, ccw)"));
    glDisable(GL_CULL_FACE);
    tessellate(frame, INNER("layout(isolines, equal_spacing)"));
    defaults();
    glUseProgram(0);
}

// ---- transform feedback ----

#define FED                                                                   \
    "#version 150 compatibility\nin vec4 at; out vec4 paint; void main() {\n" \
    "  gl_Position = vec4(at.xy, 0.0, 1.0); paint = vec4(at.zw, 0.5, 1.0); }\n"
#define FEEDING                                                          \
    "#version 150 compatibility\nin vec2 at; uniform float by;\n"        \
    "out vec2 moved; out float list[3]; out vec4 paint; void main() {\n" \
    "  moved = at + vec2(by, 0.0); list[0] = 9.0; list[1] = at.y;\n"     \
    "  list[2] = 0.3; paint = vec4(0.3, 0.8, 0.2, 1.0);\n"               \
    "  gl_Position = vec4(at, 0.0, 1.0); }\n"

static void read_from(GLuint buffer, int stride, uintptr_t offset)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, (const void *)offset);
    glEnableVertexAttribArray(0);
}

void scene_captures(int frame)
{
    static const float strip[][2] = { { -0.9f, -0.9f },
                                      { -0.8f, -0.4f },
                                      { -0.6f, -0.9f },
                                      { -0.5f, -0.4f },
                                      { -0.3f, -0.9f } };
    static const float fan[][2] = {
        { -0.6f, 0.5f }, { -0.3f, 0.4f }, { -0.4f, 0.8f }, { -0.8f, 0.7f }
    };
    static const char *const names[] = { "moved", "list[1]", "gl_SkipComponents1",
                                         "gl_NextBuffer", "gl_Position" };
    const struct stage feeding[] = { { GL_VERTEX_SHADER, FEEDING },
                                     { GL_FRAGMENT_SHADER, PAINTED } };
    const struct stage fed[] = { { GL_VERTEX_SHADER, FED },
                                 { GL_FRAGMENT_SHADER, PAINTED } };
    GLuint from = attached(feeding, 2), to = attached(fed, 2), buffers[2], object;
    begin_scene();
    glTransformFeedbackVaryings(from, 5, names, GL_INTERLEAVED_ATTRIBS);
    link_and_use(to);
    link_and_use(from);
    glUniform1f(glGetUniformLocation(from, "by"), 0.9f + 0.05f * (float)frame);
    glGenBuffers(2, buffers);
    glGenTransformFeedbacks(1, &object);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    for (GLuint i = 0; i < 2; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
        glBufferData(GL_ARRAY_BUFFER, 2048, NULL, GL_DYNAMIC_COPY);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffers[i]);
    }
    glBeginTransformFeedback(GL_TRIANGLES);
    draw(GL_TRIANGLE_STRIP, strip, 5);
    glPauseTransformFeedback();
    draw(GL_TRIANGLES, fan, 3);
    glResumeTransformFeedback();
    glEnable(GL_RASTERIZER_DISCARD);
    draw(GL_TRIANGLE_FAN, fan, 4);
    glDisable(GL_RASTERIZER_DISCARD);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    draw(GL_TRIANGLES, fan + 1, 3);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glEndTransformFeedback();
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glUseProgram(to);
    read_from(buffers[0], 16, 0);
    glDrawTransformFeedback(GL_TRIANGLES, object);
    read_from(buffers[1], 32, 16); // every other position
    glPointSize(5);
    glDrawArrays(GL_POINTS, 0, 6);
    glDisableVertexAttribArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glUseProgram(0);
}

// ---- sides ----

// Front and back in turns, without an overlap; every vertex its colour.
static void folded(GLint shift, GLenum mode, float x, float y)
{
    static const float strip[][2] = { { 0, 0 },         { 0.12f, 0.02f },
                                      { 0.03f, 0.1f },  { 0.2f, 0.17f },
                                      { 0.05f, 0.24f }, { 0.21f, 0.3f } };
    static const float fan[][2] = { { 0.1f, 0.1f }, { 0.25f, 0.12f }, { 0.2f, 0.3f },
                                    { 0, 0.28f },   { 0.02f, 0 },     { 0.02f, 0.09f },
                                    { -0.1f, 0.1f } };
    static const float list[][2] = { { 0, 0 },       { 0.2f, 0.03f }, { 0.08f, 0.12f },
                                     { 0, 0.15f },   { 0.1f, 0.3f },  { 0.18f, 0.14f },
                                     { 0.2f, 0.17f } };
    const float(*at)[2] = mode == GL_TRIANGLE_STRIP ? strip
                          : mode == GL_TRIANGLE_FAN ? fan
                                                    : list;
    glBegin(mode);
    for (int i = 0; i < (mode == GL_TRIANGLE_STRIP ? 6
                         : mode == GL_TRIANGLE_FAN ? 5
                                                   : 6);
         i++) {
        glVertexAttrib3f(1, 0.2f + 0.13f * (float)i, (float)(i % 2), 0.4f);
        glVertexAttrib2f(0, x + at[i][0], y + (shift ? -at[i][1] : at[i][1]));
    }
    glEnd();
}

// Polygon modes of one side each where a program places the vertices.
void scene_sides(int frame)
{
    static const GLenum modes[][3] = {
        // of fronts, of backs, what is culled
        { GL_LINE, GL_FILL, 0 },          { GL_FILL, GL_POINT, 0 },
        { GL_POINT, GL_LINE, 0 },         { GL_LINE, GL_LINE, GL_BACK },
        { GL_POINT, GL_POINT, GL_FRONT }, { GL_LINE, GL_LINE, 0 },
    };
    static const GLenum shapes[] = { GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, GL_TRIANGLES };
    const struct stage stages[] = {
        { GL_VERTEX_SHADER, "#version 150 compatibility\n"
                            "in vec2 at; in vec3 tint; flat out vec3 paint;\n"
                            "void main() { gl_Position = vec4(at, 0.0, 1.0);\n"
                            "  paint = tint; }\n" },
        { GL_FRAGMENT_SHADER,
          "#version 150 compatibility\n"
          "flat in vec3 paint; out vec4 color; void main() {\n"
          "  color = vec4(gl_FrontFacing ? paint : paint.bgr, 1.0); }\n" }
    };
    GLuint program = attached(stages, 2);
    begin_scene();
    glBindAttribLocation(program, 1, "tint");
    link_and_use(program);
    glLineWidth(frame == 1 ? 3 : 1);
    glPointSize(frame == 2 ? 4 : 3);
    glFrontFace(frame == 2 ? GL_CW : GL_CCW);
    for (int i = 0; i < 6; i++) {
        glPolygonMode(GL_FRONT, modes[i][0]);
        glPolygonMode(GL_BACK, modes[i][1]);
        if (modes[i][2]) {
            glEnable(GL_CULL_FACE);
            glCullFace(modes[i][2]);
        }
        for (int k = 0; k < 6; k++)
            folded(k / 3, shapes[k % 3], -0.9f + 0.33f * (float)k,
                   -0.95f + 0.32f * (float)i + (k / 3 ? 0.3f : 0));
        glDisable(GL_CULL_FACE);
    }
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glFrontFace(GL_CCW);
    glLineWidth(1);
    glPointSize(1);
    glUseProgram(0);
}
