#define GL_GLEXT_PROTOTYPES
#include "tests/live/condition_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>

static void box(float x, float y, float z)
{
    glBegin(GL_QUADS);
    glVertex3f(x, y, z);
    glVertex3f(x + 0.3f, y + 0.02f, z);
    glVertex3f(x + 0.3f, y + 0.4f, z);
    glVertex3f(x, y + 0.43f, z);
    glEnd();
}

static void counted(GLuint query, GLenum target, float x, float z)
{
    glBeginQuery(target, query);
    glColor3f(0.3f, 0.3f, 0.5f);
    box(x, -0.9f, z);
    glEndQuery(target);
}

static void decided(GLuint query, GLenum mode, float x, float y)
{
    glBeginConditionalRender(query, mode);
    glColor3f(0.9f, 0.6f, 0.2f);
    box(x, y, -0.5f);
    glEnable(GL_SCISSOR_TEST);
    glScissor((int)(x * 120) + 128, (int)(y * 90) + 100, 12, 9);
    glClearColor(0.2f, 0.9f, 0.3f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glEndConditionalRender();
}

void scene_conditions(int frame)
{
    static GLuint over; // counts from one frame to the next
    GLuint queries[4], result = 0;
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glEnable(GL_DEPTH_TEST);
    if (over) {
        glEndQuery(GL_SAMPLES_PASSED);
        decided(over, GL_QUERY_WAIT, -0.2f, 0.5f);
        glClear(GL_DEPTH_BUFFER_BIT);
    }
    glColor3f(0.5f, 0.2f, 0.2f);
    box(-0.6f, -0.95f, -0.2f); // in front of the second
    glGenQueries(4, queries);
    counted(queries[0], GL_SAMPLES_PASSED, -0.95f, 0);
    counted(queries[1], GL_ANY_SAMPLES_PASSED, frame == 2 ? -0.2f : -0.59f, 0.5f);
    counted(queries[2], GL_SAMPLES_PASSED, 0.2f, 0);
    glBeginQuery(GL_SAMPLES_PASSED, queries[3]); // counts nothing
    glEndQuery(GL_SAMPLES_PASSED);
    decided(queries[0], GL_QUERY_WAIT, -0.95f, -0.4f);
    decided(queries[1], GL_QUERY_WAIT, -0.6f, -0.4f);
    decided(queries[1], GL_QUERY_WAIT_INVERTED, -0.6f, 0.1f);
    decided(queries[0], GL_QUERY_BY_REGION_WAIT_INVERTED, -0.95f, 0.1f);
    glGetQueryObjectuiv(queries[2], GL_QUERY_RESULT, &result);
    decided(queries[2], GL_QUERY_WAIT, 0.2f, -0.4f);
    decided(queries[2], GL_QUERY_WAIT_INVERTED, 0.2f, 0.1f);
    decided(queries[3], GL_QUERY_WAIT, 0.6f, -0.4f);
    decided(queries[3], GL_QUERY_WAIT_INVERTED, 0.6f, 0.1f);
    counted(queries[0], GL_SAMPLES_PASSED, 5, 0); // again, out of sight
    decided(queries[0], GL_QUERY_WAIT, 0.6f, 0.55f);
    glDeleteQueries(4, queries);
    if (frame > 0) { // the window has its size then
        glGenQueries(1, &over);
        glBeginQuery(GL_SAMPLES_PASSED, over);
        box(0.2f, 0.5f, 0);
    }
    glDisable(GL_DEPTH_TEST);
}

static GLuint link_bars(void)
{
    static const char *const text =
        "#version 140\n"
        "uniform usamplerBuffer counts;\n"
        "out vec4 color;\n"
        "void main() {\n"
        "    uint v = texelFetch(counts, int(gl_FragCoord.x) / 20).r;\n"
        "    color = vec4(float(v & 15u) / 15.0, float(v >> 4 & 63u) / 63.0,\n"
        "                 float(v >> 10) / 31.0, 1);\n"
        "}\n";
    const GLuint shader = glCreateShader(GL_FRAGMENT_SHADER), p = glCreateProgram();
    glShaderSource(shader, 1, (const char *const[]){ text }, NULL);
    glCompileShader(shader);
    glAttachShader(p, shader);
    glLinkProgram(p);
    return p;
}

// All kinds of results, numbers of both sizes, whether by name or by what is bound.
static void put_counts(const GLuint queries[4], GLuint buffer)
{
    const char *start = NULL;
    glGetQueryObjectuiv(queries[0], GL_QUERY_RESULT, (GLuint *)start);
    glGetQueryObjectuiv(queries[1], GL_QUERY_RESULT, (GLuint *)(start + 4));
    glGetQueryObjectui64v(queries[2], GL_QUERY_RESULT, (GLuint64 *)(start + 8));
    glGetQueryObjectiv(queries[3], GL_QUERY_RESULT, (GLint *)(start + 16));
    glGetQueryObjectiv(queries[0], GL_QUERY_RESULT_AVAILABLE, (GLint *)(start + 20));
    glGetQueryObjecti64v(queries[1], GL_QUERY_RESULT, (GLint64 *)(start + 28));
    glBindBuffer(GL_QUERY_BUFFER, 0);
    glGetQueryBufferObjectuiv(queries[2], buffer, GL_QUERY_RESULT_NO_WAIT, 36);
    glGetQueryBufferObjectuiv(queries[2], buffer, GL_QUERY_TARGET, 40);
}

void scene_counts(int frame)
{
    static const GLenum targets[] = { GL_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED,
                                      GL_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED };
    static const GLuint first[12] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 };
    static GLuint queries[4], buffer, texture, program;
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    if (!program) {
        program = link_bars();
        glGenQueries(4, queries);
        glGenBuffers(1, &buffer);
        glGenTextures(1, &texture);
    }
    glBindBuffer(GL_QUERY_BUFFER, buffer);
    glBufferData(GL_QUERY_BUFFER, sizeof first, first, GL_STREAM_COPY);
    for (int i = 0; i < 4; i++) { // the last one counts nothing
        glBeginQuery(targets[i], queries[i]);
        glColor3f(0.5f, 0.5f, 0.1f * (float)i);
        if (i < 3)
            glRectf(-0.9f + 0.4f * (float)i, -0.9f, -0.7f + 0.43f * (float)i, -0.2f);
        if (frame == 2)
            glRectf(0.5f, -0.9f, 0.8f, -0.6f);
        glEndQuery(targets[i]);
    }
    put_counts(queries, buffer);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
    glUseProgram(program);
    glRectf(-1, 0, 1, 1);
    glUseProgram(0);
}
