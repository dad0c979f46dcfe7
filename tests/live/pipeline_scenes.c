#define GL_GLEXT_PROTOTYPES
#include "tests/live/pipeline_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdio.h>

#define PER_VERTEX "out gl_PerVertex { vec4 gl_Position; };\n"

static GLuint stage(GLenum type, const char *text)
{
    GLint ok = 0;
    GLuint program = glCreateShaderProgramv(type, 1, &text);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a stage does not link\n");
    return program;
}

static void strip(float x, float y)
{
    const float at[][2] = {
        { x, y }, { x + 0.4f, y + 0.03f }, { x, y + 0.5f }, { x + 0.4f, y + 0.57f }
    };
    glBegin(GL_TRIANGLE_STRIP);
    for (int i = 0; i < 4; i++)
        glVertexAttrib2fv(0, at[i]);
    glEnd();
}

// Fragments of two programs behind one vertex stage; each has a `tint` of its own.
static void mixed(GLuint pipeline, GLuint vertex, int frame)
{
    GLuint plain = stage(GL_FRAGMENT_SHADER, "#version 410 compatibility\n"
                                             "in vec4 shade; out vec4 color;\n"
                                             "uniform vec4 tint = vec4(0.7);\n"
                                             "void main() { color = shade * tint; }\n");
    GLuint striped =
        stage(GL_FRAGMENT_SHADER,
              "#version 410 compatibility\n"
              "in vec4 shade; out vec4 color; uniform vec4 tint;\n"
              "layout(std140) uniform Stripes { float width; vec4 other; };\n"
              "void main() { color = mod(gl_FragCoord.y, width) < width * 0.5 ? other\n"
              "  : shade + tint; }\n");
    const float stripes[] = { 6, 0, 0, 0, 0.9f, 0.2f, 0.1f * (float)frame, 1 };
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof stripes, stripes, GL_STATIC_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 3, buffer);
    glUniformBlockBinding(striped, glGetUniformBlockIndex(striped, "Stripes"), 3);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, plain);
    glBindProgramPipeline(pipeline);
    glProgramUniform4f(vertex, glGetUniformLocation(vertex, "tint"), 0.9f, 0.6f, 0.3f,
                       1);
    strip(-0.9f, -0.9f);
    glActiveShaderProgram(pipeline, plain);
    glUniform4f(glGetUniformLocation(plain, "tint"), 0.2f, 1, 0.1f * (float)frame, 1);
    strip(-0.45f, -0.9f);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, striped);
    glProgramUniform4f(striped, glGetUniformLocation(striped, "tint"), 0.1f, 0.1f, 0.5f,
                       0);
    strip(0.0f, -0.9f);
    glProgramUniform4f(vertex, glGetUniformLocation(vertex, "tint"), 0.2f, 0.6f, 0.3f,
                       1);
    strip(0.45f, -0.9f);
}

// A geometry stage comes between, and goes.
static void reshaped(GLuint pipeline, int frame)
{
    GLuint geometry =
        stage(GL_GEOMETRY_SHADER,
              "#version 410 compatibility\n"
              "layout(triangles) in; layout(line_strip, max_vertices = 4) out;\n"
              "in gl_PerVertex { vec4 gl_Position; } gl_in[];\n" PER_VERTEX
              "in vec4 shade[]; layout(location = 3) out vec4 edge;\n"
              "uniform float shift; void main() {\n"
              "  for (int i = 0; i < 4; i++) { edge = shade[i % 3] + vec4(0.2);\n"
              "    gl_Position = gl_in[i % 3].gl_Position;\n"
              "    gl_Position.y += shift; EmitVertex(); } }\n");
    GLuint fragment =
        stage(GL_FRAGMENT_SHADER, "#version 410 compatibility\n"
                                  "layout(location = 3) in vec4 line; out vec4 color;\n"
                                  "void main() { color = line; }\n");
    glUseProgramStages(pipeline, GL_GEOMETRY_SHADER_BIT, geometry);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
    glProgramUniform1f(geometry, glGetUniformLocation(geometry, "shift"),
                       0.03f * (float)frame);
    strip(-0.9f, 0.0f);
    glUseProgramStages(pipeline, GL_GEOMETRY_SHADER_BIT, 0);
}

// A program of two stages as a whole, beside what is bound.
static void whole(GLuint pipeline)
{
    static const char *const texts[] = {
        "#version 410 compatibility\nin vec2 at;\n" PER_VERTEX
        "void main() { gl_Position = vec4(at, 0.0, 1.0); }\n",
        "#version 410 compatibility\nout vec4 color; uniform vec4 tint;\n"
        "void main() { color = tint; }\n"
    };
    GLuint program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glBindAttribLocation(program, 0, "at");
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    glLinkProgram(program);
    glUseProgram(program); // goes before the pipeline
    glUniform4f(glGetUniformLocation(program, "tint"), 0.8f, 0.8f, 0.2f, 1);
    strip(-0.45f, 0.0f);
    glUseProgram(0);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT | GL_FRAGMENT_SHADER_BIT,
                       program);
    glProgramUniform4f(program, glGetUniformLocation(program, "tint"), 0.2f, 0.8f, 0.8f,
                       1);
    strip(0.0f, 0.0f);
}

void scene_pipelines(int frame)
{
    GLuint pipeline, vertex;
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    vertex = stage(GL_VERTEX_SHADER,
                   "#version 410 compatibility\n" PER_VERTEX
                   "layout(location = 0) in vec2 at; uniform vec4 tint;\n"
                   "out vec4 shade; void main() { gl_Position = vec4(at, 0.0, 1.0);\n"
                   "  shade = tint * vec4(at.x * 0.5 + 0.5, 1.0, 0.7, 1.0); }\n");
    glGenProgramPipelines(1, &pipeline);
    mixed(pipeline, vertex, frame);
    reshaped(pipeline, frame);
    whole(pipeline);
    glBindProgramPipeline(0);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glColor3f(0.5f, 0.5f, 0.5f);
    glRectf(0.45f, 0.03f, 0.85f, 0.47f); // the fixed function again
    glDeleteProgramPipelines(1, &pipeline);
}
