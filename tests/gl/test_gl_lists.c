// Display lists: what they keep, when values are those of the call, how they nest.
#include "compiler/gl/geometry/gl_list.h"
#include "tests/gl/geometry_log.h"
#include "tests/test.h"

static void vertex(struct geometry_log *g, double x)
{
    CALL("glVertex2f", "ff", x, 0.0);
}

static void color(struct geometry_log *g, double red)
{
    CALL("glColor3f", "fff", red, 1.0, 1.0);
}

static void points(struct geometry_log *g, double x, double y)
{
    CALL("glBegin", "e", GL_POINTS);
    vertex(g, x);
    vertex(g, y);
    CALL("glEnd", "");
}

static const float *red(struct geometry_log *g)
{
    return g->context.state.current.slots[GV_GL_COLOR];
}

static void compiled(struct geometry_log *g)
{
    CALL("glNewList", "ie", 1, GL_COMPILE);
    points(g, 1, 2);
    color(g, 0);
    points(g, 3, 4); // of the same kind: one run
    color(g, 0.5);
    CALL("glEndList", "");
    DRAWN("");
    CHECK(*red(g) == 1);
    // The first vertices have the colour of the call.
    CALL("glCallList", "i", 1);
    CHECK(*red(g) == 0.5F);
    CALL("glCallList", "i", 1);
    CALL("glCallList", "i", 99);
    DRAWN("points/ (1 0; c 1 1 1 1) (2 0; c 1 1 1 1) (3 0; c 0 1 1 1) (4 0; c 0 1 1 1)"
          " | points/ (1 0; c 0.5 1 1 1) (2 0; c 0.5 1 1 1)"
          " (3 0; c 0 1 1 1) (4 0; c 0 1 1 1)");
}

// Vertices of no whole primitive are gone, and what they left open with them.
static void cut(struct geometry_log *g)
{
    CALL("glNewList", "ie", 1, GL_COMPILE);
    CALL("glBegin", "e", GL_QUADS);
    for (int i = 0; i < 3; i++) {
        if (i == 2)
            color(g, 0.5);
        vertex(g, i);
    }
    CALL("glEnd", "");
    CALL("glBegin", "e", GL_QUADS);
    for (int i = 0; i < 4; i++)
        vertex(g, 4 + i);
    CALL("glEnd", "");
    CALL("glEndList", "");
    CALL("glCallList", "i", 1);
    DRAWN("quads/ (4 0; c 0.5 1 1 1) (5 0; c 0.5 1 1 1) (6 0; c 0.5 1 1 1)"
          " (7 0; c 0.5 1 1 1)");
}

static void constants(struct geometry_log *g)
{
    CALL("glNewList", "ie", 1, GL_COMPILE);
    color(g, 0.25);
    points(g, 1, 2);
    CALL("glNormal3f", "fff", 1.0, 0.0, 0.0);
    CALL("glEndList", "");
    CALL("glCallList", "i", 1);
    CHECK(*red(g) == 0.25F);
    CALL("glCallList", "i", 1);
    DRAWN("points/ [c 0.25 1 1 1] (1 0) (2 0)"
          " | points/ [c 0.25 1 1 1] [n 1 0 0] (1 0) (2 0)");
}

static void executed(struct geometry_log *g)
{
    CALL("glNewList", "ie", 1, GL_COMPILE_AND_EXECUTE);
    CALL("glRectf", "ffff", 0.0, 0.0, 1.0, 1.0);
    CALL("glEndList", "");
    DRAWN("quads (0 0) (1 0) (1 1) (0 1)");
    CALL("glCallList", "i", 1);
    DRAWN("quads/ (0 0) (1 0) (1 1) (0 1)");
    // What a list calls while another one is made is that one's call alone.
    CALL("glNewList", "ie", 2, GL_COMPILE_AND_EXECUTE);
    CALL("glCallList", "i", 1);
    CALL("glEndList", "");
    CALL("glDeleteLists", "ii", 1, 1);
    DRAWN("quads/ (0 0) (1 0) (1 1) (0 1)");
    CALL("glCallList", "i", 2);
    DRAWN("");
}

// Primitives in parts: by lists, by calls between vertices.
static void parts(struct geometry_log *g)
{
    CALL("glNewList", "ie", 1, GL_COMPILE);
    color(g, 0);
    vertex(g, 1);
    vertex(g, 2);
    CALL("glEndList", "");
    CALL("glNewList", "ie", 2, GL_COMPILE);
    vertex(g, 3);
    CALL("glEnd", "");
    points(g, 8, 9);
    CALL("glEndList", "");
    CALL("glCallList", "i", 1); // vertices outside of all: the colour alone
    DRAWN("");
    CALL("glBegin", "e", GL_POLYGON);
    CALL("glCallList", "i", 1);
    CALL("glCallList", "i", 2);
    DRAWN("polygon [c 0 1 1 1] (1 0) (2 0) (3 0) | points/ [c 0 1 1 1] (8 0) (9 0)");
    // Before its first colour a part has that of the call.
    CALL("glNewList", "ie", 4, GL_COMPILE);
    vertex(g, 5);
    color(g, 0.5);
    vertex(g, 6);
    CALL("glEndList", "");
    CALL("glBegin", "e", GL_LINES);
    CALL("glCallList", "i", 4);
    CALL("glEnd", "");
    DRAWN("lines (5 0; c 0 1 1 1) (6 0; c 0.5 1 1 1)");
    color(g, 0);
    g->context.state.lighting.enabled = true;
    CALL("glNewList", "ie", 3, GL_COMPILE);
    CALL("glBegin", "e", GL_LINES);
    vertex(g, 1);
    vertex(g, 2);
    CALL("glMaterialfv", "eeF", GL_FRONT_AND_BACK, GL_DIFFUSE, FLOATS(0.5F, 0, 0, 1));
    vertex(g, 3);
    vertex(g, 4);
    CALL("glEnd", "");
    CALL("glEndList", "");
    CALL("glCallList", "i", 3);
    DRAWN("lines/ [c 0 1 1 1] [d 0.8] (1 0) (2 0)"
          " | lines/ [c 0 1 1 1] [d 0.5] (3 0) (4 0)");
}

static void arrays(struct geometry_log *g)
{
    static const float line[4] = { 1, 2, 3, 4 };
    CALL("glEnableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glVertexPointer", "ieiB", 1, GL_FLOAT, 0, sizeof line, (const uint8_t *)line);
    CALL("glNewList", "ie", 1, GL_COMPILE);
    CALL("glDrawArrays", "eii", GL_LINES, 0, 100);
    CALL("glDrawElements", "eieB", GL_LINES, 2, GL_UNSIGNED_BYTE, BYTES(2, 0));
    CALL("glDisableClientState", "e", GL_VERTEX_ARRAY); // at once
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    CALL("glEndList", "");
    DRAWN("");
    CALL("glCallList", "i", 1);
    DRAWN("lines/ (1) (2) (3) (4) (3) (1)");
}

static void arrays_keep(struct geometry_log *g)
{
    static const float colors[] = { 1, 0, 0, 0, 1, 0 }, line[] = { 1, 2 };
    CALL("glEnableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glEnableClientState", "e", GL_COLOR_ARRAY);
    CALL("glVertexPointer", "ieiB", 1, GL_FLOAT, 0, sizeof line, (const uint8_t *)line);
    CALL("glColorPointer", "ieiB", 3, GL_FLOAT, 0, sizeof colors,
         (const uint8_t *)colors);
    CALL("glNewList", "ie", 1, GL_COMPILE);
    CALL("glColor3f", "fff", 0.0, 0.0, 1.0);
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    points(g, 8, 9);
    CALL("glEndList", "");
    CALL("glCallList", "i", 1);
    DRAWN("lines/ (1; c 1 0 0) (2; c 0 1 0)"
          " | points/ [c 0 0 1 1] (8 0) (9 0)");
    // Of one element, whose colour is that of all vertices.
    CALL("glNewList", "ie", 2, GL_COMPILE);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    CALL("glEndList", "");
    CALL("glCallList", "i", 2);
    points(g, 8, 9);
    DRAWN("points/ [c 1 0 0 1] (1) | points [c 0 0 1 1] (8 0) (9 0)");
}

static void several(struct geometry_log *g)
{
    static const float names[] = { 3.5F, -1 };
    for (int i = 0; i < 3; i++) {
        CALL("glNewList", "ie", 258 + i, GL_COMPILE);
        points(g, i, i);
        CALL("glEndList", "");
    }
    CALL("glListBase", "i", 2);
    CALL("glCallLists", "ieB", 2, GL_2_BYTES, BYTES(1, 2, 1, 0));
    CALL("glCallLists", "ieB", 9, GL_UNSIGNED_SHORT, BYTES(1, 1, 0xFF));
    CALL("glListBase", "i", 257);
    CALL("glCallLists", "ieB", 1, GL_BYTE, BYTES(2));
    CALL("glCallLists", "ieB", 1, GL_3_BYTES, BYTES(0, 0, 2));
    CALL("glCallLists", "ieB", 2, GL_FLOAT, sizeof names, (const uint8_t *)names);
    CALL("glCallLists", "ieB", 2, GL_DOUBLE, BYTES(2, 2));
    DRAWN("points/ (2 0) (2 0) | points/ (0 0) (0 0) | points/ (1 0) (1 0)"
          " | points/ (1 0) (1 0) | points/ (1 0) (1 0) | points/ (2 0) (2 0)");
    CALL("glDeleteLists", "ii", 1, INT32_MAX);
    CALL("glListBase", "i", 0);
    CALL("glCallLists", "ieB", 1, GL_2_BYTES, BYTES(1, 2));
    DRAWN("");
}

static void refused(struct geometry_log *g)
{
    CALL("glNewList", "ie", 0, GL_COMPILE);
    CALL("glNewList", "ie", 1, GL_RENDER);
    CALL("glEndList", "");
    CALL("glNewList", "ie", 1, GL_COMPILE);
    CALL("glNewList", "ie", 2, GL_COMPILE);
    points(g, 1, 2);
    CALL("glEndList", "");
    CALL("glDeleteLists", "ii", 1, -1);
    CALL("glCallList", "i", 2);
    DRAWN("");
    CALL("glCallList", "i", 1);
    DRAWN("points/ (1 0) (2 0)");
}

// A list that calls itself runs 64 times; two calls each would be 2^64.
static void recursive(struct geometry_log *g)
{
    for (int calls = 1; calls <= 2; calls++) {
        CALL("glNewList", "ie", calls, GL_COMPILE);
        CALL("glBegin", "e", GL_POINTS);
        CALL("glEnd", "");
        for (int i = 0; i < calls; i++)
            CALL("glCallList", "i", calls);
        CALL("glEndList", "");
    }
    CALL("glCallList", "i", 1);
    CHECK(g->gl.lists->nodes_of_call == 128);
    CALL("glCallList", "i", 2);
    CHECK(g->gl.lists->nodes_of_call > 100000 && g->gl.lists->nodes_of_call < 1000000);
    DRAWN("");
}

int main(void)
{
    static geometry_test *const tests[] = {
        compiled, cut,         constants, executed, parts,
        arrays,   arrays_keep, several,   refused,  recursive,
    };
    return geometry_tests(tests, sizeof tests / sizeof *tests);
}
