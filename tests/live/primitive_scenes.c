#include "tests/live/primitive_scenes.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

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

// ---- flat outlines ----

#define FLAT_VERTICES 7

// A row of vertices of one primitive each, in two lines or round a middle.
static void flat_primitive(GLenum mode, float x, float y, bool flags)
{
    const bool round = mode == GL_POLYGON || mode == GL_TRIANGLE_FAN;
    glBegin(mode);
    for (int i = 0; i < FLAT_VERTICES + (mode == GL_QUADS); i++) {
        static const int ring[] = { 0, 1, 3, 2 };
        const int k = mode == GL_QUADS ? i / 4 * 4 + ring[i % 4] : i, column = k / 2;
        const float a = 0.9f * (float)i;
        glEdgeFlag(!flags || i % 3 != 1);
        glColor3f(0.2f + 0.1f * (float)i, i % 2 ? 1 : 0.3f, i % 3 ? 0.9f : 0);
        if (round)
            glVertex2f(x + 14 + 13 * cosf(a), y + 14 + 13 * sinf(a));
        else
            glVertex2f(x + 9 * (float)column + (float)i, y + (k % 2 ? 20.0f : 0));
    }
    glEnd();
    glEdgeFlag(GL_TRUE);
}

static void flat_row(float y, bool flags)
{
    static const GLenum modes[] = { GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN,
                                    GL_QUADS,     GL_QUAD_STRIP,     GL_POLYGON };
    for (int i = 0; i < 6; i++)
        flat_primitive(modes[i], 4.3f + 39 * (float)i, y, flags);
}

static void flat_elements(float y)
{
    static const float at[9][2] = { { 0, 0 },  { 20, 0 }, { 24, 20 }, { 3, 20 },
                                    { 40, 4 }, { 60, 0 }, { 64, 20 }, { 43, 20 } };
    static const float colors[9][3] = { { 1, 0, 0 }, { 0, 1, 0 },      { 0, 0, 1 },
                                        { 1, 1, 0 }, { 0, 1, 1 },      { 1, 0, 1 },
                                        { 1, 1, 1 }, { 0.5f, 0.5f, 0 } };
    static const unsigned short order[] = { 1, 2, 3, 0, 8, 4, 5, 6, 7 };
    glPushMatrix();
    glTranslatef(5, y, 0);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, at);
    glColorPointer(3, GL_FLOAT, 0, colors);
    glDrawElements(GL_QUADS, 4, GL_UNSIGNED_SHORT, order);
    glTranslatef(70, 0, 0);
    glEnable(GL_PRIMITIVE_RESTART);
    glPrimitiveRestartIndex(8);
    glDrawElements(GL_POLYGON, 9, GL_UNSIGNED_SHORT, order);
    glDisable(GL_PRIMITIVE_RESTART);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
    glPopMatrix();
}

void scene_flats(int frame)
{
    glShadeModel(GL_FLAT);
    glPointSize(3);
    if (frame == 2)
        glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    flat_row(5, false);
    flat_row(35, true);
    flat_elements(120);
    glPolygonMode(GL_FRONT, GL_POINT);
    flat_row(65, true);
    glEnable(GL_CULL_FACE);
    glCullFace(frame == 1 ? GL_FRONT : GL_BACK);
    flat_row(95, false);
    glDisable(GL_CULL_FACE);
    glEnable(GL_COLOR_SUM);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glLineWidth(3);
    flat_primitive(GL_POLYGON, 160, 120, false);
    flat_primitive(GL_QUAD_STRIP, 195, 120, false);
    glLineWidth(1);
    glDisable(GL_COLOR_SUM);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    glShadeModel(GL_SMOOTH);
}

// ---- stippled lines of lists ----

static void zigzag(GLenum mode, float x, float y, int count)
{
    glBegin(mode);
    for (int i = 0; i < count; i++)
        glVertex2f(x + 9.3f * (float)i, y + (i % 2 ? 11.7f : 0));
    glEnd();
}

// What Mesa makes one primitive of.
static void stippled_lines(int kind, float y)
{
    switch (kind) {
    case 10:
        zigzag(GL_LINES, 5, y, 6);
        zigzag(GL_LINE_STRIP, 65, y, 5);
        break;
    case 11:
        zigzag(GL_LINE_STRIP, 5, y, 5);
        zigzag(GL_LINES, 65, y, 6);
        break;
    case 12:
        zigzag(GL_LINE_STRIP, 5, y, 5);
        zigzag(GL_LINE_STRIP, 65, y, 5);
        zigzag(GL_TRIANGLES, 120, y, 3);
        break;
    case 13:
        zigzag(GL_LINE_LOOP, 5, y, 5);
        zigzag(GL_LINE_STRIP, 65, y, 5);
        zigzag(GL_LINE_STRIP, 120, y, 4);
        break;
    case 14:
        zigzag(GL_LINES, 5, y, 6);
        zigzag(GL_LINE_LOOP, 65, y, 5);
        break;
    case 15:
        zigzag(GL_LINE_STRIP, 5, y, 5);
        zigzag(GL_LINE_LOOP, 65, y, 5);
        break;
    case 16:
        zigzag(GL_TRIANGLES, 5, y, 3);
        zigzag(GL_LINE_STRIP, 65, y, 5);
        zigzag(GL_LINE_STRIP, 120, y, 4);
        break;
    default:
        break;
    }
}

static void stippled(int kind, float y)
{
    switch (kind) {
    case 0:
        zigzag(GL_LINE_STRIP, 5, y, 6);
        zigzag(GL_LINE_STRIP, 65, y, 4);
        zigzag(GL_LINE_LOOP, 120, y, 5);
        break;
    case 1:
        zigzag(GL_LINE_LOOP, 5, y, 5);
        zigzag(GL_LINE_LOOP, 65, y, 4);
        zigzag(GL_LINES, 120, y, 6);
        break;
    case 2:
        zigzag(GL_LINE_LOOP, 5, y, 6);
        zigzag(GL_LINE_STRIP, 65, y, 5);
        glEnable(GL_DITHER); // ends what is one
        zigzag(GL_LINE_LOOP, 120, y, 3);
        zigzag(GL_LINES, 160, y, 4);
        break;
    case 3:
        zigzag(GL_LINE_LOOP, 5, y, 5);
        glLineStipple(3, 0x2E2E);
        zigzag(GL_LINE_STRIP, 65, y, 5);
        glLineStipple(2, 0x3C5F);
        break;
    case 5:
        zigzag(GL_TRIANGLES, 5, y, 3);
        zigzag(GL_LINE_STRIP, 65, y, 5);
        break;
    case 6:
        zigzag(GL_LINE_STRIP, 5, y, 5);
        zigzag(GL_TRIANGLES, 65, y, 3);
        break;
    case 7:
        zigzag(GL_LINE_LOOP, 5, y, 5);
        break;
    case 8:
        zigzag(GL_LINE_STRIP, 5, y, 5);
        zigzag(GL_LINE_LOOP, 65, y, 5);
        zigzag(GL_LINE_STRIP, 120, y, 4);
        break;
    case 9:
        zigzag(GL_TRIANGLES, 5, y, 3);
        zigzag(GL_LINE_LOOP, 65, y, 5);
        break;
    default:
        zigzag(GL_LINE_LOOP, 5, y, 5);
        zigzag(GL_TRIANGLES, 65, y, 3);
        zigzag(GL_LINE_LOOP, 120, y, 5);
        zigzag(GL_TRIANGLES, 180, y, 3);
    }
}

void scene_stipples(int frame)
{
    static GLuint lists;
    glEnable(GL_LINE_STIPPLE);
    glLineStipple(2, 0x3C5F);
    if (!lists) {
        lists = glGenLists(18);
        for (int i = 0; i < 17; i++) {
            glNewList(lists + (GLuint)i, GL_COMPILE);
            if (i < 10)
                stippled(i, 2 + 14 * (float)i);
            else
                stippled_lines(i, 2 + 14 * (float)(i - 7));
            glEndList();
        }
        glNewList(lists + 17, GL_COMPILE);
        glVertex2f(10, 150); // of what the caller begins
        glVertex2f(40, 161);
        glVertex2f(60, 146);
        glEndList();
    }
    for (GLuint i = 0; i < 10; i++)
        if (i + 1 != (GLuint)frame)
            glCallList(lists + (frame % 2 && i > 2 ? i + 7 : i));
    glColor3f(1, 1, 0.2f);
    glBegin(GL_LINE_STRIP);
    glVertex2f(2, 145);
    glCallList(lists + 17);
    glVertex2f(100, 149);
    glEnd();
    glNewList(lists, GL_COMPILE_AND_EXECUTE);
    stippled(0, 164);
    glEndList();
    glNewList(lists, GL_COMPILE);
    stippled(0, 2);
    glEndList();
    glDisable(GL_LINE_STIPPLE);
}

// ---- offsets of outlines ----

static void corners(GLenum shape, float x, float y)
{
    static const float ring[4][2] = {
        { 1.3f, 1.3f }, { 22.4f, 3.2f }, { 20.1f, 22.2f }, { 3.4f, 19.3f }
    };
    static const int strip[4] = { 0, 1, 3, 2 };
    glBegin(shape);
    for (int i = 0; i < 4; i++) {
        const float *at = ring[shape == GL_TRIANGLE_STRIP ? strip[i] : i];
        glVertex2f(x + at[0], y + at[1]);
    }
    glEnd();
}

// One over the other in the same plane, each as a face, edges or corners: the second
// one is seen where its offset brings it nearer.
void scene_biases(int frame)
{
    static const GLenum shapes[] = { GL_QUADS, GL_TRIANGLE_STRIP, GL_POLYGON },
                        modes[] = { GL_FILL, GL_LINE, GL_POINT };
    static const GLenum enabled[] = { GL_POLYGON_OFFSET_FILL, GL_POLYGON_OFFSET_LINE,
                                      GL_POLYGON_OFFSET_POINT };
    static const float units[] = { -2, 1, 3 };
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthRange(frame == 2 ? 0.25 : 0, frame == 2 ? 0.75 : 1);
    glLineWidth(3);
    glPointSize(5);
    for (int i = 0; i < 3; i++)
        glEnable(enabled[i]);
    for (int i = 0; i < 54; i++) {
        const int row = i / 9;
        const float x = 26 * (float)(i % 9), y = 29 * (float)row;
        const GLenum shape = shapes[row % 3];
        for (int turn = 0; turn < 2; turn++) {
            glPolygonOffset(0, turn ? units[(frame + i / 27) % 3] : 0);
            glPolygonMode(GL_FRONT_AND_BACK, modes[turn ? i / 3 % 3 : i % 3]);
            glColor3f(turn ? 0.1f : 1, 0.4f, turn ? 1 : 0.1f);
            corners(shape, x, y);
        }
    }
    for (int i = 0; i < 3; i++)
        glDisable(enabled[i]);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_DEPTH_TEST);
    glDepthRange(0, 1);
    glLineWidth(1);
    glPointSize(1);
}

// ---- quads of programs beyond the window ----

static GLuint place_program(const char *place)
{
    static const char *fragment =
        "varying vec2 at; void main() {\n"
        "  float r = fract(sin(dot(at, vec2(11.3713, 67.3219)))"
        " * 2351.3718);\n"
        "  gl_FragColor = vec4(r, gl_Color.g, 1.0 - r, 1); }";
    const char *vertex[] = { "varying vec2 at; void main() {\n"
                             "  at = gl_Vertex.xy - gl_MultiTexCoord0.yz;\n"
                             "  gl_FrontColor = gl_Color; gl_Position = ",
                             place, "; }" };
    const GLuint program = glCreateProgram();
    const GLuint shaders[] = { glCreateShader(GL_VERTEX_SHADER),
                               glCreateShader(GL_FRAGMENT_SHADER) };
    glShaderSource(shaders[0], 3, vertex, NULL);
    glShaderSource(shaders[1], 1, &fragment, NULL);
    for (int i = 0; i < 2; i++) {
        glCompileShader(shaders[i]);
        glAttachShader(program, shaders[i]);
    }
    glLinkProgram(program);
    return program;
}

// Fragments that show each digit of what is interpolated, and so along which diagonal
// quads were cut: another one if a vertex of the draw lies outside the window.
void scene_outside(int frame)
{
    static const char *const places[] = { "ftransform()",
                                          "gl_ModelViewProjectionMatrix * gl_Vertex" };
    static const GLenum shapes[] = { GL_QUADS, GL_QUADS, GL_QUAD_STRIP };
    static GLuint programs[2];
    for (int i = 0; i < 2 && !programs[i]; i++)
        programs[i] = place_program(places[i]);
    for (int i = 0; i < 12; i++) {
        const int row = i / 4;
        const float x = 80 * (float)(i % 4) - 14 * (float)(frame % 2),
                    y = 60 * (float)row + 7, r = 25.3f;
        const GLenum shape = shapes[i % 3];
        const float turn = shape == GL_QUAD_STRIP ? -1.0f : 1.0f;
        if (i % 4 == 0)
            glUseProgram(programs[row % 2]);
        glBegin(shape);
        glColor3f(1, 0.2f * (float)(i % 5), 0);
        glMultiTexCoord3f(GL_TEXTURE0, r, x, y);
        glVertex2f(x - 0.9f * r, y - r);
        glVertex2f(x + r, y - 0.8f * r);
        glVertex2f(x + turn * 0.7f * r, y + r);
        glVertex2f(x - turn * r, y + 0.9f * r);
        glEnd();
    }
    glUseProgram(0);
}

// ---- sides of two modes ----

static void overlapping(GLenum mode, float x, float y)
{
    glBegin(mode);
    for (int i = 0; i < 12; i++) {
        // Quads turn this way and that way.
        const float a = mode != GL_QUADS ? 2.3f * (float)i
                        : i / 4 % 2      ? 1.5f * (float)i
                                         : -1.5f * (float)i;
        const float column = (float)(i / 2 % 3);
        glColor4f(i & 1 ? 1 : 0.2f, 0.08f * (float)i, 0.5f, 0.6f);
        glEdgeFlag(i % 5 != 2);
        if (mode == GL_TRIANGLE_STRIP || mode == GL_QUAD_STRIP)
            glVertex2f(x + 25 * column + 8 * sinf(a), y + (float)(i % 2 * 30 + i));
        else
            glVertex2f(x + 30 + 28 * cosf(a), y + 20 + 20 * sinf(a));
    }
    glEdgeFlag(GL_TRUE);
    glEnd();
}

// Fronts and backs over each other, each in its own mode.
void scene_mixed(int frame)
{
    static const GLenum modes[][2] = { { GL_FILL, GL_LINE },
                                       { GL_LINE, GL_FILL },
                                       { GL_LINE, GL_POINT } };
    static const GLenum kinds[] = { GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN,
                                    GL_QUADS,     GL_QUAD_STRIP,     GL_TRIANGLES };
    glPolygonMode(GL_FRONT, modes[frame % 3][0]);
    glPolygonMode(GL_BACK, modes[frame % 3][1]);
    glPointSize(7);
    glLineWidth(3);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < 6; i++) {
        const int row = i / 3;
        if (i % 2)
            glEnable(GL_BLEND);
        glShadeModel(i == 2 || i == 5 ? GL_FLAT : GL_SMOOTH);
        overlapping(kinds[i], 8 + 78 * (float)(i % 3), 12 + 85 * (float)row);
        glDisable(GL_BLEND);
    }
    glShadeModel(GL_SMOOTH);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glPointSize(1);
    glLineWidth(1);
}
