#define GL_GLEXT_PROTOTYPES
#include "tests/live/condition_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>

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
