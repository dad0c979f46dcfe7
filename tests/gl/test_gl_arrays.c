// Vertex arrays of every type, and draws from them.
#include "compiler/gl/base/gl_buffer.h"
#include "tests/gl/geometry_log.h"
#include "tests/test.h"

#define BLOB(array) sizeof(array), (const uint8_t *)(array)

// Eight vertices: (0 0) (1 0) ... (7 0).
static const float line[8][2] = {
    { 0 }, { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 }, { 7 }
};

static void point_at_line(struct geometry_log *g)
{
    CALL("glEnableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glVertexPointer", "ieiB", 2, GL_FLOAT, 0, BLOB(line));
}

static void ranges(struct geometry_log *g)
{
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 3); // no array: nothing
    point_at_line(g);
    CALL("glDrawArrays", "eii", GL_LINES, 1, 3);
    CALL("glDrawArrays", "eii", GL_POINTS, 6, INT32_MAX); // as far as there are any
    CALL("glDrawArrays", "eii", GL_POINTS, 8, 1);
    CALL("glDrawArrays", "eii", GL_POINTS, -1, 1);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, -1);
    DRAWN("lines (1 0) (2 0) | points (6 0) (7 0)");
    CALL("glMultiDrawArrays", "eIIi", GL_POINTS, INTEGERS(0, 3), INTEGERS(1, 2), 2);
    CALL("glMultiDrawArrays", "eIIi", GL_POINTS, INTEGERS(5), INTEGERS(1, 2), 9);
    DRAWN("points (0 0) | points (3 0) (4 0) | points (5 0)");
    CALL("glDrawArraysInstanced", "eiii", GL_POINTS, 0, 1, 2);
    DRAWN("points x2 (0 0)");
    CALL("glDisableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 3);
    DRAWN("");
}

static void indexed(struct geometry_log *g)
{
    static const uint16_t shorts[] = { 7, 5, 6 };
    static const uint32_t words[] = { 2, 3, 1000, 4 };
    point_at_line(g);
    CALL("glDrawElements", "eieB", GL_QUADS, 5, GL_UNSIGNED_BYTE, BYTES(3, 2, 1, 0, 4));
    CALL("glDrawElements", "eieB", GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, BLOB(shorts));
    // Beyond the arrays there are zeroes; beyond the indices there is nothing.
    CALL("glDrawElements", "eieB", GL_POINTS, 100, GL_UNSIGNED_INT, BLOB(words));
    CALL("glDrawRangeElements", "eiiieB", GL_LINES, 0, 7, 2, GL_UNSIGNED_BYTE,
         BYTES(1, 2));
    CALL("glDrawRangeElements", "eiiieB", GL_LINES, 7, 0, 2, GL_UNSIGNED_BYTE,
         BYTES(1, 2));
    CALL("glDrawElements", "eieB", GL_LINES, 2, GL_FLOAT, BYTES(1, 2));
    CALL("glDrawElementsBaseVertex", "eieBi", GL_LINES, 2, GL_UNSIGNED_BYTE,
         BYTES(0, 1), 3);
    DRAWN("quads/ (3 0) (2 0) (1 0) (0 0) | triangles/ (7 0) (5 0) (6 0)"
          " | points/ (2 0) (3 0) (0 0) (4 0) | lines/ (1 0) (2 0)"
          " | lines/ (3 0) (4 0)");
    CALL("glEnableClientState", "e", GL_PRIMITIVE_RESTART_NV);
    CALL("glPrimitiveRestartIndex", "i", 255);
    CALL("glDrawElements", "eieB", GL_LINE_STRIP, 5, GL_UNSIGNED_BYTE,
         BYTES(1, 2, 255, 3, 4));
    DRAWN("line strip/ (1 0) (2 0) - (3 0) (4 0)");
}

// Few indices into a large array: only their vertices are converted.
static void sparse(struct geometry_log *g)
{
    static float many[3000][2];
    static const uint16_t far[] = { 2999, 0 };
    many[2999][1] = 9;
    CALL("glEnableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glVertexPointer", "ieiB", 2, GL_FLOAT, 0, BLOB(many));
    CALL("glDrawElements", "eieB", GL_LINES, 2, GL_UNSIGNED_SHORT, BLOB(far));
    DRAWN("lines/ (0 9) (0 0)");
}

static void attribute_types(struct geometry_log *g)
{
    static const struct {
        uint32_t type;
        bool normalized;
        int size;
        uint8_t bytes[8];
        const char *wanted;
    } rows[] = {
        { GL_BYTE, true, 4, { 127, 0x80, 0, 0x81 }, "points (1 -1 0 -1)" },
        { GL_BYTE, false, 2, { 127, 0x80 }, "points (127 -128)" },
        { GL_UNSIGNED_BYTE, true, 2, { 255, 51 }, "points (1 0.2)" },
        { GL_UNSIGNED_BYTE, true, GL_BGRA, { 255, 0, 51, 255 }, "points (0.2 0 1 1)" },
        { GL_SHORT, true, 2, { 0xFF, 0x7F, 0x00, 0x80 }, "points (1 -1)" },
        { GL_SHORT, false, 1, { 0xFE, 0xFF }, "points (-2)" },
        { GL_UNSIGNED_SHORT, true, 1, { 0xFF, 0xFF }, "points (1)" },
        { GL_INT, true, 1, { 0, 0, 0, 0x80 }, "points (-1)" },
        { GL_INT, false, 1, { 0xFD, 0xFF, 0xFF, 0xFF }, "points (-3)" },
        { GL_UNSIGNED_INT, true, 1, { 0xFF, 0xFF, 0xFF, 0xFF }, "points (1)" },
        { GL_HALF_FLOAT, false, 2, { 0x00, 0x3C, 0x00, 0xC0 }, "points (1 -2)" },
        { GL_INT_2_10_10_10_REV,
          true,
          4,
          { 0xFF, 0x01, 0x00, 0x40 },
          "points (1 0 0 1)" },
        { GL_UNSIGNED_INT_2_10_10_10_REV,
          false,
          4,
          { 0xFF, 0x03, 0x00, 0xC0 },
          "points (1023 0 0 3)" },
    };
    CALL("glEnableVertexAttribArray", "i", 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char wanted[80];
        const uint32_t components =
            rows[i].size == GL_BGRA ? 4 : (uint32_t)rows[i].size;
        size_t bytes = rows[i].type == GL_HALF_FLOAT ? 4 : 8;
        CALL("glVertexAttribPointer", "iieeiB", 0, rows[i].size, rows[i].type,
             (unsigned)rows[i].normalized, 8, bytes, rows[i].bytes);
        CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
        // Attribute 0 is the position, and itself.
        const char *values = strchr(rows[i].wanted, '(') + 1;
        snprintf(wanted, sizeof wanted, "%.*s; g %s", (int)strlen(rows[i].wanted) - 1,
                 rows[i].wanted, values);
        CHECK(components <= 4);
        DRAWN(wanted);
    }
    CALL("glDisableVertexAttribArray", "i", 0);
}

static void pointer_types(struct geometry_log *g)
{
    static const double doubles[] = { 1.5, -2 };
    static const int32_t fixed[] = { 65536, -32768 };
    CALL("glEnableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glVertexPointer", "ieiB", 2, GL_DOUBLE, 0, BLOB(doubles));
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    CALL("glVertexPointer", "ieiB", 2, GL_FIXED, 0, BLOB(fixed));
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    CALL("glVertexPointer", "ieiB", 2, GL_RGBA, 0, BLOB(fixed)); // no type: as before
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    DRAWN("points (1.5 -2) | points (1 -0.5) | points (1 -0.5)");
    // Without a stride elements follow each other.
    static const uint16_t halves[] = { 0x3C00, 0xC000, 0x4000, 0 };
    static const uint32_t packed[] = { 0x781E03C0, 0 };
    CALL("glVertexPointer", "ieiB", 2, GL_HALF_FLOAT_OES, 0, BLOB(halves));
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    CALL("glDisableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glEnableVertexAttribArray", "i", 0);
    CALL("glVertexAttribPointer", "iieeiB", 0, 3, GL_UNSIGNED_INT_10F_11F_11F_REV, 0u,
         0, BLOB(packed));
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    DRAWN("lines (1 -2) (2 0) | lines (1 1 1; g 1 1 1) (0 0 0; g 0 0 0)");
}

// More than is ever converted, of a store that nothing was written to.
static void huge(struct geometry_log *g)
{
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 1);
    CALL("glBufferData", "eine", GL_ARRAY_BUFFER, 1 << 28, GL_STATIC_DRAW);
    for (int i = 0; i < 16; i++) {
        CALL("glVertexAttribPointer", "iieein", i, 1, GL_UNSIGNED_BYTE, 0u, 0);
        CALL("glEnableVertexAttribArray", "i", i);
    }
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1 << 23);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, INT32_MAX);
    DRAWN("");
    CALL("glBufferData", "epne", GL_ARRAY_BUFFER, UINT64_C(0x80000001), GL_STATIC_DRAW);
    CHECK(gv_gl_buffer_bytes(&g->gl.objects, 1, (1 << 28) - 1, 1) != NULL); // as it was
    CHECK(!gv_gl_buffer_bytes(&g->gl.objects, 1, 1 << 28, 1));
}

// Several arrays, unaligned in one buffer object.
static void buffers(struct geometry_log *g)
{
    static const uint8_t colors[] = { 9, 255, 0, 0, 0, 255, 0 };
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 5); // a name that was never generated
    CALL("glBufferData", "eiBe", GL_ARRAY_BUFFER, 100, BLOB(line), GL_STATIC_DRAW);
    CALL("glBufferSubData", "eiiB", GL_ARRAY_BUFFER, 64, 7, BLOB(colors));
    CALL("glVertexPointer", "ieip", 2, GL_FLOAT, 8, UINT64_C(8));
    CALL("glColorPointer", "ieip", 3, GL_UNSIGNED_BYTE, 0, UINT64_C(65));
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 0);
    CALL("glEnableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glEnableClientState", "e", GL_COLOR_ARRAY);
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    DRAWN("lines (1 0; c 1 0 0) (2 0; c 0 1 0)");
    CALL("glBindBuffer", "ei", GL_ELEMENT_ARRAY_BUFFER, 6);
    CALL("glBufferData", "eiBe", GL_ELEMENT_ARRAY_BUFFER, 4, BYTES(9, 9, 1, 0),
         GL_STATIC_DRAW);
    CALL("glDrawElements", "eiep", GL_LINES, 2, GL_UNSIGNED_BYTE, UINT64_C(2));
    CALL("glDrawElements", "eiep", GL_LINES, 2, GL_UNSIGNED_BYTE, UINT64_C(4));
    DRAWN("lines/ (2 0; c 0 1 0) (1 0; c 1 0 0)");
    CALL("glDeleteBuffers", "iI", 2, INTEGERS(5, 6));
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    DRAWN("");
}

static bool holds(const struct geometry_log *g, uint32_t name, uint64_t size,
                  const char *wanted)
{
    const uint8_t *bytes = gv_gl_buffer_bytes(&g->gl.objects, name, 0, size);
    return bytes && !memcmp(bytes, wanted, (size_t)size);
}

static void mappings(struct geometry_log *g)
{
    CALL("glBindBuffer", "ei", GL_COPY_WRITE_BUFFER, 1);
    CALL("glBufferData", "eine", GL_COPY_WRITE_BUFFER, 8, GL_STATIC_DRAW);
    CALL("glMapBufferRange", "eiie=p", GL_COPY_WRITE_BUFFER, 2, 4, GL_MAP_WRITE_BIT,
         UINT64_C(0x7000));
    CALL("memcpy", "pBi", UINT64_C(0x7001), (size_t)6, (const uint8_t *)"abcdef", 6);
    CALL("memcpy", "pBi", UINT64_C(0x7004), (size_t)1, (const uint8_t *)"x", 1);
    CALL("memcpy", "pBi", UINT64_C(0x6FFF), (size_t)1, (const uint8_t *)"x", 1);
    CHECK(holds(g, 1, 8, "\0\0\0abc\0\0"));
    CALL("glUnmapBuffer", "e", GL_COPY_WRITE_BUFFER);
    CALL("memcpy", "pBi", UINT64_C(0x7001), (size_t)1, (const uint8_t *)"x", 1);
    CHECK(holds(g, 1, 8, "\0\0\0abc\0\0"));
    CALL("glCopyBufferSubData", "eeiii", GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER, 3,
         0, 3);
    CHECK(holds(g, 1, 8, "abcabc\0\0"));
    CALL("glBufferSubData", "eiiB", GL_COPY_WRITE_BUFFER, 7, 2, BYTES(1, 2));
    CALL("glBufferData", "eine", GL_COPY_WRITE_BUFFER, -1, GL_STATIC_DRAW);
    CHECK(holds(g, 1, 8, "abcabc\0\0"));
    CHECK(!gv_gl_buffer_bytes(&g->gl.objects, 1, 8, 1));
    CHECK(!gv_gl_buffer_bytes(&g->gl.objects, 2, 0, 0));
}

static void interleaved(struct geometry_log *g)
{
    static const struct {
        float s, t;
        uint8_t color[4];
        float x, y, z;
    } vertices[2] = { { 0, 1, { 255, 0, 0, 255 }, 1, 2, 3 },
                      { 1, 0, { 0, 0, 255, 255 }, 4, 5, 6 } };
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 1);
    CALL("glBufferData", "eiBe", GL_ARRAY_BUFFER, (int)sizeof vertices, BLOB(vertices),
         GL_STATIC_DRAW);
    CALL("glEnableClientState", "e", GL_NORMAL_ARRAY);
    CALL("glInterleavedArrays", "ein", GL_T2F_C4UB_V3F, 0);
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    DRAWN("lines (1 2 3; c 1 0 0 1; t 0 1) (4 5 6; c 0 0 1 1; t 1 0)");
}

static void elements(struct geometry_log *g)
{
    point_at_line(g);
    CALL("glClientActiveTexture", "e", GL_TEXTURE1);
    CALL("glEnableClientState", "e", GL_TEXTURE_COORD_ARRAY);
    CALL("glTexCoordPointer", "ieiB", 1, GL_FLOAT, 8, BLOB(line));
    CALL("glEnableClientState", "e", GL_EDGE_FLAG_ARRAY);
    CALL("glEdgeFlagPointer", "iB", 0, BYTES(1, 0, 1, 0));
    CALL("glBegin", "e", GL_TRIANGLES);
    CALL("glArrayElement", "i", 3);
    CALL("glArrayElement", "i", 2);
    CALL("glArrayElement", "i", 1);
    CALL("glEnd", "");
    CALL("glDrawArrays", "eii", GL_TRIANGLES, 0, 3);
    DRAWN("triangles (3 0; u 3; no edge) (2 0; u 2; edge) (1 0; u 1; no edge)"
          " | triangles (0 0; u 0; edge) (1 0; u 1; no edge) (2 0; u 2; edge)");
}

static void objects(struct geometry_log *g)
{
    point_at_line(g);
    CALL("glBindVertexArray", "i", 4);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    CALL("glEnableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glVertexPointer", "ieiB", 2, GL_FLOAT, 0, BLOB(line));
    CALL("glDrawArrays", "eii", GL_POINTS, 1, 1);
    // The default object's copy of the program's memory is gone with that.
    CALL("glBindVertexArray", "i", 0);
    CALL("glDrawArrays", "eii", GL_POINTS, 2, 1);
    CALL("glBindVertexArray", "i", 4);
    CALL("glDeleteVertexArrays", "iI", 1, INTEGERS(4));
    CHECK(g->context.client.vertex_array == &g->context.default_array);
    DRAWN("points (1 0)");
}

static void divisors(struct geometry_log *g)
{
    static const float steps[] = { 5, 6 };
    point_at_line(g);
    CALL("glEnableVertexAttribArray", "i", 2);
    CALL("glVertexAttribPointer", "iieeiB", 2, 1, GL_FLOAT, 0u, 0, BLOB(steps));
    CALL("glVertexAttribDivisor", "ii", 2, 2);
    CALL("glDrawArraysInstanced", "eiii", GL_POINTS, 0, 1, 3);
    DRAWN("points x3 {g 5, 5, 6} (0 0)");
    CALL("glVertexBindingDivisor", "ii", 2, 1);
    CALL("glDrawArraysInstancedBaseInstance", "eiiii", GL_POINTS, 0, 1, 2, 1);
    DRAWN("points x2 {g 6, 0} (0 0)");
    CALL("glDrawArraysInstanced", "eiii", GL_POINTS, 0, 1, INT32_MAX); // too many
    DRAWN("");
}

int main(void)
{
    static geometry_test *const tests[] = {
        ranges,   indexed,     sparse,   attribute_types, pointer_types, buffers,
        mappings, interleaved, elements, objects,         divisors,      huge,
    };
    return geometry_tests(tests, sizeof tests / sizeof *tests);
}
