#include "tests/live/primitive_scenes.h"

#include <GL/gl.h>
#include <math.h>

#define PI 3.14159265358979f

// ---- sizes ----

// Points of every quarter of a size, at places between pixels.
void scene_sizes(int frame)
{
    glTranslatef(0.13f * (float)frame, 0.21f * (float)frame, 0);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < 80; i++) {
        const float size = 0.25f * (float)(i % 40 + 1);
        const int row = i / 15;
        const float x = 10 + 15 * (float)(i % 15), y = 10 + 25 * (float)row;
        glPointSize(size);
        glColor3f(1, 0.1f * (float)(i % 8), 0.2f);
        if (i >= 40)
            glEnable(GL_POINT_SMOOTH);
        if (i % 3 == 1)
            glEnable(GL_BLEND);
        else
            glDisable(GL_BLEND);
        glBegin(GL_POINTS);
        for (int k = 0; k < 2; k++)
            glVertex2f(x + 0.17f * (float)k, y + 11.31f * (float)k);
        glEnd();
    }
    glDisable(GL_POINT_SMOOTH);
    glDisable(GL_BLEND);
    for (int i = 0; i < 24; i++) {
        glLineWidth(0.25f * (float)(i + 1));
        glBegin(GL_LINES);
        glColor3f(0.3f, 0.9f, 0.1f * (float)(i % 10));
        glVertex2f(8 + 9.3f * (float)i, 165);
        glVertex2f(11 + 9.1f * (float)i, 178);
        glEnd();
    }
    glLineWidth(1);
    glPointSize(1);
}

// ---- wires ----

// A twisted band of lit quads, seen from both sides.
static void band(float x, float y, GLenum shape)
{
    static const float colors[3][4] = { { 0.2f, 0.2f, 0.2f, 1 },
                                        { 0.7f, 0.7f, 0.7f, 1 },
                                        { 0.7f, 0, 0, 1 } };
    for (int i = 0; i < 12; i++) {
        glBegin(shape);
        for (int k = 0; k <= 3; k++)
            for (int j = 0; j < 2; j++) {
                const float a = 2 * PI * (float)(i + j) / 12, b = a / 2;
                const float w = 10 * ((float)k - 1.5f);
                const float r = 25 + w * cosf(b);
                glMaterialfv(GL_FRONT_AND_BACK, GL_DIFFUSE, colors[(i + k + j) % 3]);
                glNormal3f(cosf(a) * sinf(b), sinf(a) * sinf(b), cosf(b));
                glVertex3f(x + r * cosf(a), y + r * sinf(a), 0.01f * w * sinf(b));
            }
        glEnd();
    }
}

void scene_wires(int frame)
{
    static const GLenum modes[] = { GL_LINE, GL_FILL, GL_LINE };
    static const GLenum culled[] = { 0, 0, 0, 0, GL_FRONT, GL_BACK };
    glLightfv(GL_LIGHT0, GL_POSITION, (const float[]){ 1, 1, 1, 0 });
    glLightfv(GL_LIGHT1, GL_POSITION, (const float[]){ -1, -1, 1, 0 });
    glLightfv(GL_LIGHT1, GL_DIFFUSE, (const float[]){ 1, 1, 0.5f, 1 });
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_LIGHT1);
    glEnable(GL_NORMALIZE);
    for (int i = 0; i < 6; i++) {
        if (i >= 3)
            glEnable(GL_DEPTH_TEST);
        if (culled[(frame + i) % 6]) {
            glEnable(GL_CULL_FACE);
            glCullFace(culled[(frame + i) % 6]);
        } else {
            glDisable(GL_CULL_FACE);
        }
        glShadeModel(i == 1 ? GL_FLAT : GL_SMOOTH);
        glPolygonMode(GL_FRONT_AND_BACK, modes[i % 3]);
        const int row = i / 3;
        band(45 + 75 * (float)(i % 3), 45 + 85 * (float)row,
             frame == 2 ? GL_TRIANGLE_STRIP : GL_QUAD_STRIP);
    }
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_LIGHTING);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glShadeModel(GL_SMOOTH);
}

// ---- smooth lines ----

// Flowers of thin leaves: their inside in one colour, their edges as smooth lines.
static void leaf(float length, GLenum edge)
{
    const float wide = 0.03f * length;
    glColor4ub(0, 0, 0, 96);
    glBegin(GL_TRIANGLE_STRIP);
    glVertex2f(0.1f * length, 0);
    glVertex2f(0.7f * length, wide);
    glVertex2f(0.7f * length, -wide);
    glVertex2f(length, 0);
    glEnd();
    glColor3f(0.4f, 0.8f, 0.45f);
    glBegin(edge);
    glVertex2f(0.1f * length, 0);
    glVertex2f(0.7f * length, wide);
    glVertex2f(length, 0);
    glVertex2f(0.7f * length, -wide);
    glEnd();
}

void scene_smooths(int frame)
{
    static const GLenum edges[] = { GL_LINE_LOOP, GL_LINE_STRIP, GL_LINES };
    glShadeModel(GL_FLAT);
    glEnable(GL_LINE_SMOOTH);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < 12; i++) {
        const int row = i / 4;
        const float x = 30 + 60 * (float)(i % 4), y = 30 + 60 * (float)row;
        if (i == 8)
            glDisable(GL_LINE_SMOOTH);
        glLineWidth(i % 4 == 3 ? 2.5f : 1);
        for (int k = 0; k < 11; k++) {
            glLoadIdentity();
            glTranslatef(x + 0.3f * (float)frame, y, 0);
            glRotatef(32.7f * (float)k, 0, 0, 1);
            leaf(12 + 4 * (float)(i % 4), edges[i % 3]);
        }
    }
    glLoadIdentity();
    glDisable(GL_BLEND);
    glDisable(GL_LINE_SMOOTH);
    glLineWidth(1);
    glShadeModel(GL_SMOOTH);
}
