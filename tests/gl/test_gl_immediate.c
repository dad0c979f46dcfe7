// glBegin to glEnd, and the numbers of its calls, against the specification's rules.
#include "tests/gl/geometry_log.h"
#include "tests/test.h"

static void vertices(struct geometry_log *g, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        CALL("glVertex2i", "ii", (int)i, 0);
}

// ---- primitives ----

static void attributes(struct geometry_log *g)
{
    // One that is set before the first vertex is a current value ...
    CALL("glBegin", "e", GL_TRIANGLES);
    CALL("glColor3f", "fff", 1.0, 0.5, 0.0);
    CALL("glVertex2f", "ff", 0.0, 0.0);
    CALL("glColor4fv", "F", FLOATS(1, 0.5F, 0, 1));
    CALL("glVertex2f", "ff", 1.0, 0.0);
    CALL("glVertex3f", "fff", 0.0, 1.0, 2.0);
    CALL("glEnd", "");
    DRAWN("triangles [c 1 0.5 0 1] (0 0 0) (1 0 0) (0 1 2)");
    // ... and one that changes has a value for each.
    CALL("glBegin", "e", GL_LINES);
    CALL("glTexCoord2f", "ff", 0.0, 0.5);
    CALL("glVertex2f", "ff", 0.0, 0.0);
    CALL("glTexCoord2i", "ii", 1, 0);
    CALL("glVertex2f", "ff", 1.0, 0.0);
    CALL("glColor3ub", "iii", 255, 255, 255); // of vertices to come
    CALL("glEnd", "");
    DRAWN("lines [c 1 0.5 0 1] (0 0; t 0 0.5) (1 0; t 1 0)");
    CALL("glMultiTexCoord2f", "eff", GL_TEXTURE1, 3.0, 4.0);
    CALL("glBegin", "e", GL_POINTS);
    CALL("glVertex2s", "ii", 1, 1);
    CALL("glMultiTexCoord1s", "ei", GL_TEXTURE1, 7);
    CALL("glVertex2d", "ff", 2.0, 1.0);
    CALL("glEnd", "");
    DRAWN("points (1 1; u 3 4) (2 1; u 7 0)");
}

static void incomplete(struct geometry_log *g)
{
    static const struct {
        uint32_t mode;
        const char *of_seven, *of_one;
    } rows[] = {
        { GL_POINTS, "points (0 0) (1 0) (2 0) (3 0) (4 0) (5 0) (6 0)",
          "points (0 0)" },
        { GL_LINES, "lines (0 0) (1 0) (2 0) (3 0) (4 0) (5 0)", "" },
        { GL_LINE_STRIP, "line strip (0 0) (1 0) (2 0) (3 0) (4 0) (5 0) (6 0)", "" },
        { GL_LINE_LOOP, "loop (0 0) (1 0) (2 0) (3 0) (4 0) (5 0) (6 0)", "" },
        { GL_TRIANGLES, "triangles (0 0) (1 0) (2 0) (3 0) (4 0) (5 0)", "" },
        { GL_TRIANGLE_STRIP, "strip (0 0) (1 0) (2 0) (3 0) (4 0) (5 0) (6 0)", "" },
        { GL_TRIANGLE_FAN, "fan (0 0) (1 0) (2 0) (3 0) (4 0) (5 0) (6 0)", "" },
        { GL_QUADS, "quads (0 0) (1 0) (2 0) (3 0)", "" },
        { GL_QUAD_STRIP, "quad strip (0 0) (1 0) (2 0) (3 0) (4 0) (5 0)", "" },
        { GL_POLYGON, "polygon (0 0) (1 0) (2 0) (3 0) (4 0) (5 0) (6 0)", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t count = 7;; count = 1) {
            CALL("glBegin", "e", rows[i].mode);
            vertices(g, count);
            CALL("glEnd", "");
            DRAWN(count == 7 ? rows[i].of_seven : rows[i].of_one);
            if (count == 1)
                break;
        }
    }
}

static void restarts(struct geometry_log *g)
{
    CALL("glBegin", "e", GL_LINE_STRIP);
    vertices(g, 2);
    CALL("glPrimitiveRestartNV", "");
    vertices(g, 3);
    CALL("glEnd", "");
    DRAWN("line strip (0 0) (1 0) | line strip (0 0) (1 0) (2 0)");
    CALL("glPrimitiveRestartNV", "");
    DRAWN("");
}

// Independent primitives wait for each other, unless state comes between.
static void waiting(struct geometry_log *g)
{
    CALL("glBegin", "e", GL_LINES);
    vertices(g, 3); // the last one is none
    CALL("glEnd", "");
    CALL("glColor3f", "fff", 1.0, 0.0, 0.0);
    CALL("glBegin", "e", GL_LINES);
    vertices(g, 2);
    CALL("glEnd", "");
    CALL("glBegin", "e", GL_POINTS);
    vertices(g, 1);
    CALL("glEnd", "");
    CALL("glColor3f", "fff", 1.0, 1.0, 1.0);
    DRAWN("lines (0 0; c 1 1 1) (1 0; c 1 1 1) (0 0; c 1 0 0) (1 0; c 1 0 0)"
          " | points [c 1 0 0 1] (0 0)");
    CALL("glBegin", "e", GL_POINTS);
    vertices(g, 1);
    CALL("glEnd", "");
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 0);
    CALL("glBegin", "e", GL_POINTS);
    vertices(g, 1);
    CALL("glEnd", "");
    DRAWN("points (0 0) | points (0 0)");
}

static void refused(struct geometry_log *g)
{
    CALL("glBegin", "e", GL_POLYGON + 1);
    vertices(g, 3);
    CALL("glEnd", "");
    DRAWN("");
    CALL("glBegin", "e", GL_POINTS);
    CALL("glBegin", "e", GL_LINES);
    vertices(g, 1);
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 0);
    CALL("glRectf", "ffff", 0.0, 0.0, 1.0, 1.0);
    CALL("glEnd", "");
    CALL("glEnd", "");
    DRAWN("points (0 0)");
}

static void edges(struct geometry_log *g)
{
    CALL("glBegin", "e", GL_TRIANGLES);
    vertices(g, 1);
    CALL("glEdgeFlag", "e", 0u);
    vertices(g, 1);
    CALL("glEdgeFlagv", "I", INTEGERS(1));
    vertices(g, 1);
    CALL("glEnd", "");
    DRAWN("triangles (0 0; edge) (0 0; no edge) (0 0; edge)");
}

// ---- materials between vertices ----

static void material(struct geometry_log *g, float diffuse)
{
    CALL("glMaterialfv", "eeF", GL_FRONT_AND_BACK, GL_DIFFUSE,
         FLOATS(diffuse, 0, 0, 1));
}

static void materials(struct geometry_log *g)
{
    g->context.state.lighting.enabled = true;
    material(g, 0);
    CALL("glBegin", "e", GL_TRIANGLES);
    vertices(g, 3);
    material(g, 1);
    vertices(g, 3);
    CALL("glEnd", "");
    material(g, 0.5F);
    DRAWN("triangles [d 0] (0 0) (1 0) (2 0) | triangles [d 1] (0 0) (1 0) (2 0)");
    // Within a primitive the property is a colour of each vertex.
    CALL("glBegin", "e", GL_TRIANGLE_STRIP);
    vertices(g, 2);
    material(g, 1);
    vertices(g, 1);
    CALL("glEnd", "");
    DRAWN("strip [follows 1] [d 0.5] (0 0; c 0.5 0 0 1) (1 0; c 0.5 0 0 1)"
          " (0 0; c 1 0 0 1)");
    g->context.state.lighting.enabled = false;
}

// ---- numbers ----

static void numbers(struct geometry_log *g)
{
    static const struct {
        const char *name;
        int64_t in[4];
        float out[4];
        uint32_t slot;
    } rows[] = {
        { "glColor3b", { 127, -128, 0, 0 }, { 1, -1, 1 / 255.0F, 1 }, GV_GL_COLOR },
        { "glColor4s",
          { 32767, -32768, 0, 32767 },
          { 1, -1, 1 / 65535.0F, 1 },
          GV_GL_COLOR },
        { "glColor4i",
          { INT32_MAX, INT32_MIN, 0, INT32_MAX },
          { 1, -1, 0, 1 },
          GV_GL_COLOR },
        { "glColor4ub", { 255, 0, 51, 255 }, { 1, 0, 0.2F, 1 }, GV_GL_COLOR },
        { "glColor4us", { 65535, 0, 13107, 65535 }, { 1, 0, 0.2F, 1 }, GV_GL_COLOR },
        { "glColor3ui",
          { UINT32_MAX, 0, 858993459, 0 },
          { 1, 0, 0.2F, 1 },
          GV_GL_COLOR },
        { "glColor4x", { 65536, 0, 32768, 16384 }, { 1, 0, 0.5F, 0.25F }, GV_GL_COLOR },
        { "glNormal3b", { 127, -128, 0, 0 }, { 1, -1, 1 / 255.0F, 1 }, GV_GL_NORMAL },
        { "glSecondaryColor3us",
          { 65535, 0, 13107, 0 },
          { 1, 0, 0.2F, 1 },
          GV_GL_SECONDARY },
        { "glTexCoord4s", { -3, 2, 1, 5 }, { -3, 2, 1, 5 }, GV_GL_TEXCOORD },
        { "glTexCoord1s", { -3, 2, 1, 5 }, { -3, 0, 0, 1 }, GV_GL_TEXCOORD },
        { "glTexCoord2h", { 0x3C00, 0xC000, 0, 0 }, { 1, -2, 0, 1 }, GV_GL_TEXCOORD },
        { "glFogCoordd", { 7, 0, 0, 0 }, { 7, 0, 0, 1 }, GV_GL_FOG_COORD },
        { "glIndexub", { 200, 0, 0, 0 }, { 200, 0, 0, 1 }, GV_GL_INDEX },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char vector[64];
        const float *got = g->context.state.current.slots[rows[i].slot];
        snprintf(vector, sizeof vector, "%sv", rows[i].name);
        CALL(vector, "I", (size_t)4, rows[i].in);
        for (uint32_t k = 0; k < 4; k++)
            CHECK_ROW(rows[i].name, got[k] - rows[i].out[k] < 1e-6F &&
                                        rows[i].out[k] - got[k] < 1e-6F);
    }
}

static void packed(struct geometry_log *g)
{
    const float *color = g->context.state.current.slots[GV_GL_COLOR];
    const float *generic = g->context.state.current.slots[GV_GL_GENERIC + 3];
    // x 511 (1), y -512 (-1), z 0, w 1.
    const unsigned word = 511u | 512u << 10 | 1u << 30;
    CALL("glColorP4ui", "ee", GL_INT_2_10_10_10_REV, word);
    CHECK(color[0] == 1 && color[1] == -1 && color[2] == 0 && color[3] == 1);
    CALL("glColorP3ui", "ee", GL_UNSIGNED_INT_2_10_10_10_REV, 1023u << 10);
    CHECK(color[0] == 0 && color[1] == 1 && color[2] == 0 && color[3] == 1);
    CALL("glVertexAttribP4ui", "eeee", 3u, GL_INT_2_10_10_10_REV, 0u, word);
    CHECK(generic[0] == 511 && generic[1] == -512 && generic[3] == 1);
    CALL("glVertexAttribP3uiv", "eeeI", 3u, GL_UNSIGNED_INT_10F_11F_11F_REV, 0u,
         INTEGERS(0x3C0 | (0x400 << 11) | (0x1E0LL << 22)));
    CHECK(generic[0] == 1 && generic[1] == 2 && generic[2] == 1);
    CALL("glColorP4ui", "ee", GL_FLOAT, word); // no such type
    CHECK(color[1] == 1);
}

// Generic attribute 0 is the position where a primitive is open.
static void generic(struct geometry_log *g)
{
    CALL("glBegin", "e", GL_POINTS);
    CALL("glVertexAttrib4Nub", "iiiii", 1, 255, 0, 0, 255);
    CALL("glVertexAttrib2f", "iff", 0, 4.0, 5.0);
    CALL("glVertexAttrib3fv", "iF", 1, FLOATS(1, 2, 3));
    CALL("glVertexAttrib2f", "iff", 0, 6.0, 5.0);
    CALL("glVertexAttrib2f", "iff", 16, 6.0, 5.0); // no such attribute
    CALL("glEnd", "");
    CALL("glVertexAttrib2f", "iff", 0, 8.0, 9.0);
    CHECK(g->context.state.current.slots[GV_GL_GENERIC][0] == 8);
    DRAWN("points (4 5; g 1 0 0 1) (6 5; g 1 2 3 1)");
}

int main(void)
{
    static geometry_test *const tests[] = {
        attributes, incomplete, restarts, waiting, refused,
        edges,      materials,  numbers,  packed,  generic,
    };
    return geometry_tests(tests, sizeof tests / sizeof *tests);
}
