#define GL_GLEXT_PROTOTYPES
#include "tests/live/live_geometry.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stddef.h>

// Rows of `each` things.
static float row(int i, int each)
{
    const int whole = i / each;
    return (float)whole;
}

// ---- quadrilaterals whose colours lie in no plane: cut along one diagonal ----

static const float corners[4][2] = { { 0, 0 }, { 34, 3 }, { 30, 36 }, { -4, 30 } };
static const unsigned char colors[4][4] = {
    { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 255, 255, 0, 255 }, { 0, 0, 255, 255 }
};

static void corner(int i)
{
    glColor4ubv(colors[i]);
    glVertex2fv(corners[i]);
}

static void quad(GLenum mode)
{
    static const int orders[2][4] = { { 0, 1, 2, 3 }, { 0, 1, 3, 2 } };
    glBegin(mode);
    for (int i = 0; i < 4; i++)
        corner(orders[mode == GL_QUAD_STRIP][i]);
    glEnd();
}

static void quad_arrays(int way)
{
    static const unsigned char order[] = { 0, 1, 2, 3 };
    static const GLint first[] = { 0 };
    static const GLsizei count[] = { 4 };
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, colors);
    if (way == 0)
        glDrawArrays(GL_QUADS, 0, 4);
    else if (way == 1)
        glDrawElements(GL_QUADS, 4, GL_UNSIGNED_BYTE, order);
    else
        glMultiDrawArrays(GL_QUADS, first, count, 1);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
}

static void one_quad(int i)
{
    static GLuint list;
    switch (i) {
    case 0:
        quad(GL_QUADS);
        break;
    case 1:
        quad(GL_QUAD_STRIP);
        break;
    case 2:
        quad(GL_POLYGON);
        break;
    case 3:
        quad_arrays(0);
        break;
    case 4:
        quad_arrays(1);
        break;
    case 5:
        quad_arrays(2);
        break;
    case 6:
    case 7:
    case 8:
        list = list ? list : glGenLists(1);
        glNewList(list, GL_COMPILE);
        quad(i == 6 ? GL_QUADS : i == 7 ? GL_QUAD_STRIP : GL_POLYGON);
        glEndList();
        glCallList(list);
        break;
    default:
        glNewList(list, GL_COMPILE_AND_EXECUTE);
        quad(GL_QUADS);
        glEndList();
        break;
    }
}

void live_quads(int frame)
{
    for (int i = 0; i < 10; i++) {
        glPushMatrix();
        glTranslatef(12.3F + 46.0F * (float)(i % 5), 20.4F + 80.0F * row(i, 5), 0);
        glRotatef(4.0F * (float)frame, 0, 0, 1);
        glShadeModel(GL_SMOOTH);
        one_quad(i);
        glTranslatef(0, 38, 0);
        glShadeModel(GL_FLAT);
        one_quad(i);
        glPopMatrix();
    }
}

// ---- materials that change between vertices ----

static void paint(int i)
{
    const float c[4] = { 0.2F + 0.8F * (float)(i % 2), 0.5F * (float)(i % 3),
                         0.3F * (float)(i % 4), 1 };
    glMaterialfv(GL_FRONT_AND_BACK, GL_DIFFUSE, c);
}

static void painted(GLenum mode, int count, int every)
{
    glBegin(mode);
    for (int i = 0; i < count; i++) {
        if (i % every == 0)
            paint(i / every);
        glNormal3f(0.1F * (float)(i % 3), 0, 1);
        glVertex2f(12.2F * row(i, 2), i % 2 ? 30.6F : 1.3F);
    }
    glEnd();
}

void live_materials(int frame)
{
    static const GLenum modes[] = { GL_TRIANGLE_STRIP, GL_TRIANGLES, GL_QUAD_STRIP,
                                    GL_LINES };
    const float sun[4] = { 0.2F, 0.1F * (float)frame, 1, 0 };
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightfv(GL_LIGHT0, GL_POSITION, sun);
    glLineWidth(3);
    for (int i = 0; i < 4; i++) {
        glPushMatrix();
        glTranslatef(10, 8 + 43.0F * (float)i, 0);
        painted(modes[i], 12, 1);
        glTranslatef(80, 0, 0);
        painted(modes[i], 12, 3);
        glNewList(40, GL_COMPILE);
        painted(modes[i], 12, 2);
        glEndList();
        glTranslatef(80, 0, 0);
        glCallList(40);
        glPopMatrix();
    }
    glDisable(GL_LIGHTING);
    glLineWidth(1);
}

// ---- evaluators ----

void live_surfaces(int frame)
{
    static const float sun[4] = { 0.3F, 0.4F, 1, 0 };
    static const float tints[2][2][4] = { { { 1, 0, 0, 1 }, { 0, 1, 0, 1 } },
                                          { { 0, 0, 1, 1 }, { 1, 1, 0, 1 } } };
    float points[4][4][3];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            points[i][k][0] = 33.0F * (float)k;
            points[i][k][1] = 25.0F * (float)i + (k == 1 ? 12.0F : 0);
            points[i][k][2] = (float)((i * 7 + k * 5 + frame) % 4) * 0.2F - 0.3F;
        }
    glMap2f(GL_MAP2_VERTEX_3, 0, 1, 3, 4, 0, 1, 12, 4, &points[0][0][0]);
    glMap2f(GL_MAP2_COLOR_4, 0, 1, 4, 2, 0, 1, 8, 2, &tints[0][0][0]);
    glMap1f(GL_MAP1_VERTEX_3, 0, 1, 3, 4, &points[1][0][0]);
    glMapGrid2f(9, 0, 1, 7, 0, 1);
    glMapGrid1f(20, 0, 1);
    glEnable(GL_MAP1_VERTEX_3);
    glEnable(GL_MAP2_VERTEX_3);
    glEnable(GL_AUTO_NORMAL);
    glEnable(GL_NORMALIZE);
    glLightfv(GL_LIGHT0, GL_POSITION, sun);
    glEnable(GL_LIGHT0);
    glEnable(GL_LIGHTING);
    glTranslatef(8.3F, 4.6F, 0);
    glEvalMesh2(GL_FILL, 0, 9, 0, 7);
    glDisable(GL_LIGHTING);
    glEnable(GL_MAP2_COLOR_4);
    glTranslatef(120, 0, 0);
    glEvalMesh2(GL_FILL, 1, 9, 0, 6);
    glTranslatef(-120, 90, 0);
    glEvalMesh2(GL_LINE, 0, 9, 0, 7);
    glTranslatef(120, 0, 0);
    glPointSize(2);
    glEvalMesh2(GL_POINT, 0, 9, 0, 7);
    glColor3f(1, 1, 1);
    glEvalMesh1(GL_LINE, 0, 20);
    glBegin(GL_LINE_STRIP);
    for (int i = 0; i < 9; i++)
        glEvalCoord2f((float)i / 8, 0.7F);
    glEnd();
    glDisable(GL_MAP2_COLOR_4);
    glDisable(GL_AUTO_NORMAL);
}

// ---- arrays of all types ----

static void strip_of(GLenum type, int size, int stride, const void *values)
{
    static const short line[8][2] = { { 0, 0 },  { 0, 16 },  { 11, 0 }, { 11, 16 },
                                      { 23, 0 }, { 23, 16 }, { 35, 0 }, { 35, 16 } };
    glVertexPointer(2, GL_SHORT, 0, line);
    glColorPointer(size, type, stride, values);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 8);
}

static void one_type(int i)
{
    static unsigned char bytes[8 * 12];
    static float floats[8 * 4];
    static double doubles[8 * 3];
    static unsigned packed[8];
    for (int k = 0; k < 96; k++)
        bytes[k] = (unsigned char)((k * 83) % 128);
    for (int k = 0; k < 32; k++)
        floats[k] = (float)((k * 5) % 7) / 6;
    for (int k = 0; k < 24; k++)
        doubles[k] = (double)((k * 3) % 5) / 4;
    for (int k = 0; k < 8; k++)
        packed[k] = ((unsigned)k * 2654435761u & 0x3FFFFFFFu) | 3u << 30;
    switch (i) {
    case 0:
        strip_of(GL_UNSIGNED_BYTE, 4, 12, bytes);
        break;
    case 1:
        strip_of(GL_BYTE, 3, 5, bytes);
        break;
    case 2:
        strip_of(GL_SHORT, 3, 11, bytes + 1);
        break;
    case 3:
        strip_of(GL_UNSIGNED_SHORT, 4, 8, bytes);
        break;
    case 4:
        strip_of(GL_INT, 3, 0, bytes);
        break;
    case 5:
        strip_of(GL_UNSIGNED_INT, 3, 12, bytes);
        break;
    case 6:
        strip_of(GL_FLOAT, 4, 0, floats);
        break;
    case 7:
        strip_of(GL_DOUBLE, 3, 0, doubles);
        break;
    case 8:
        strip_of(GL_UNSIGNED_BYTE, GL_BGRA, 12, bytes);
        break;
    default:
        strip_of(GL_UNSIGNED_INT_2_10_10_10_REV, 4, 0, packed);
        break;
    }
}

static void single_numbers(int frame)
{
    glBegin(GL_TRIANGLE_STRIP);
    for (int i = 0; i < 10; i++) {
        switch (i) {
        case 0:
            glColor3b(127, -20, 64);
            break;
        case 2:
            glColor3us(20000, 65535, 7);
            break;
        case 4:
            glColor4i(1 << 30, 1 << 29, 1 << 28, 1 << 27);
            break;
        case 6:
            glColor3ui(1u << 31, 5, 1u << 30);
            break;
        default:
            glColor3d(0.1 * i, 0.9, 0.2 * frame);
            break;
        }
        glVertex2s((short)(20 * i), (short)(i % 2 * 25));
    }
    glEnd();
}

void live_types(int frame)
{
    GLuint buffer;
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    for (int i = 0; i < 10; i++) {
        glPushMatrix();
        glTranslatef(8.3F + 44.0F * (float)(i % 5), 10 + 25.0F * row(i, 5), 0);
        one_type(i);
        glPopMatrix();
    }
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 8 * 24, NULL, GL_STATIC_DRAW);
    float *to = glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY);
    for (int i = 0; i < 48; i++)
        to[i] = i % 6 < 3    ? (float)(i % 5) / 4
                : i % 6 == 3 ? 11.0F * row(i, 6)
                : i % 6 == 4 ? 19.0F * (float)((i / 6) % 2)
                             : 0;
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glTranslatef(8.4F, 70, 0);
    glInterleavedArrays(GL_C3F_V3F, 0, NULL);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 8);
    glTranslatef(110, 0, 0);
    glBegin(GL_POLYGON);
    for (int i = 0; i < 5; i++)
        glArrayElement((i * 2 + frame) % 8);
    glEnd();
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
    glTranslatef(-110, 40, 0);
    single_numbers(frame);
}

// ---- lists in lists, parts of primitives, values of the call ----

static void make_lists(GLuint first)
{
    glNewList(first, GL_COMPILE); // the colour of the call, then its own
    glBegin(GL_TRIANGLES);
    glVertex2f(0, 0);
    glVertex2f(30, 4);
    glColor3f(1, 1, 0);
    glVertex2f(14, 28);
    glEnd();
    glTranslatef(36.5F, 0, 0);
    glEndList();
    glNewList(first + 1, GL_COMPILE); // a part of a primitive
    glColor3f(0, 1, 1);
    glVertex2f(30, 0);
    glVertex2f(22, 31);
    glEndList();
    glNewList(first + 2, GL_COMPILE);
    glPushAttrib(GL_CURRENT_BIT);
    glCallList(first);
    glCallList(first);
    glPopAttrib();
    glRectf(2, 2, 20, 26);
    glBegin(GL_QUADS);
    for (int i = 0; i < 8; i++) {
        glColor3f(0.2F * (float)(i % 4), 0.3F, 0.1F * (float)i);
        glVertex2f(24 + 16.0F * row(i, 4) + (i % 4 == 1 || i % 4 == 2 ? 13.0F : 0),
                   i % 4 / 2 ? 27.0F : 2);
    }
    glEnd();
    glEndList();
}

void live_calls(int frame)
{
    static const unsigned char names[] = { 0, 0, 2, 0 };
    static GLuint first;
    if (!first) {
        first = glGenLists(3);
        make_lists(first);
    }
    glTranslatef(6.3F, 8.2F, 0);
    for (int i = 0; i < 4; i++) {
        glPushMatrix();
        glColor3f(0.3F * (float)i, 0.2F * (float)frame, 1);
        glCallList(first + 2);
        glPopMatrix();
        glTranslatef(0, 34, 0);
        glBegin(GL_TRIANGLE_FAN);
        glVertex2f(180, 1);
        glCallList(first + 1);
        glVertex2f(160, 20);
        glEnd();
        glBegin(GL_LINES); // still the list's colour
        glVertex2f(215, 0);
        glVertex2f(225, 30);
        glEnd();
    }
    glListBase(first);
    glCallLists(4, GL_UNSIGNED_BYTE, names);
    glListBase(0);
}
