// Generic attributes: integers to the bit, formats and bindings apart, vertex arrays by
// name.
#include "compiler/gl/base/gl_buffer.h"
#include "tests/gl/geometry_log.h"
#include "tests/test.h"

#define BLOB(array) sizeof(array), (const uint8_t *)(array)

// Three points (0 0) (1 0) (2 0) of attribute 0, in buffer 1.
static void point_at_three(struct geometry_log *g)
{
    static const float line[3][2] = { { 0 }, { 1 }, { 2 } };
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 1);
    CALL("glBufferData", "eiBe", GL_ARRAY_BUFFER, (int)sizeof line, BLOB(line),
         GL_STATIC_DRAW);
    CALL("glEnableClientState", "e", GL_VERTEX_ARRAY);
    CALL("glVertexPointer", "ieip", 2, GL_FLOAT, 0, UINT64_C(0));
}

static void integers(struct geometry_log *g)
{
    static const struct {
        uint32_t type;
        int size;
        uint8_t bytes[8];
        const char *wanted;
    } rows[] = {
        { GL_BYTE, 2, { 127, 0x80 }, "points (0 0; g 127i -128i)" },
        { GL_UNSIGNED_BYTE, 1, { 255 }, "points (0 0; g 255u)" },
        { GL_SHORT, 1, { 0x00, 0x80 }, "points (0 0; g -32768i)" },
        { GL_UNSIGNED_SHORT, 1, { 0xFF, 0xFF }, "points (0 0; g 65535u)" },
        { GL_INT, 1, { 0xFF, 0xFF, 0xFF, 0x7F }, "points (0 0; g 2147483647i)" },
        // The bits of a signalling NaN, and all of them.
        { GL_INT, 1, { 0x01, 0x00, 0x80, 0x7F }, "points (0 0; g 2139095041i)" },
        { GL_UNSIGNED_INT,
          2,
          { 0xFF, 0xFF, 0xFF, 0xFF, 0x01 },
          "points (0 0; g 4294967295u 1u)" },
    };
    point_at_three(g);
    CALL("glEnableVertexAttribArray", "i", 3);
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CALL("glVertexAttribIPointer", "iieiB", 3, rows[i].size, rows[i].type, 8,
             BLOB(rows[i].bytes));
        CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
        DRAWN(rows[i].wanted);
    }
    // Rejected, and the array stays: no integers, BGRA.
    CALL("glVertexAttribIPointer", "iieip", 3, 1, GL_FLOAT, 0, UINT64_C(0));
    CALL("glVertexAttribIPointer", "iieip", 3, GL_BGRA, GL_UNSIGNED_BYTE, 0,
         UINT64_C(0));
    CALL("glVertexAttribLPointer", "iieip", 3, 1, GL_FLOAT, 0, UINT64_C(0));
    CALL("glVertexAttribPointer", "iieeip", 3, GL_BGRA, GL_UNSIGNED_BYTE, 0u, 0,
         UINT64_C(0));
    CALL("glVertexAttribPointer", "iieeip", 3, GL_BGRA, GL_SHORT, 1u, 0, UINT64_C(0));
    CALL("glVertexAttribPointer", "iieeip", 3, 3, GL_INT_2_10_10_10_REV, 1u, 0,
         UINT64_C(0));
    CALL("glVertexAttribPointer", "iieeip", 3, 1, GL_FLOAT, 0u, -4, UINT64_C(0));
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    DRAWN("points (0 0; g 4294967295u 1u)");
    // Behind the last byte there are zeroes, and an integer one.
    CALL("glVertexAttribIPointer", "iieiB", 3, 4, GL_UNSIGNED_BYTE, 0,
         BYTES(1, 2, 3, 4));
    CALL("glDrawArrays", "eii", GL_POINTS, 1, 1);
    DRAWN("points (1 0; g 0u 0u 0u 1u)");
}

static void current_integers(struct geometry_log *g)
{
    const struct gv_gl_current *c = &g->context.state.current;
    const uint32_t slot = GV_GL_GENERIC + 3;
    int32_t words[4];
    CALL("glVertexAttribI2i", "iii", 3, INT32_MIN, 5);
    memcpy(words, c->slots[slot], sizeof words);
    CHECK(words[0] == INT32_MIN && words[1] == 5 && words[2] == 0 && words[3] == 1);
    CHECK(c->kinds[slot] == GV_GL_INTS);
    CALL("glVertexAttribI4ubv", "iI", 3, INTEGERS(255, 0, 1, 2));
    memcpy(words, c->slots[slot], sizeof words);
    CHECK(words[0] == 255 && words[3] == 2 && c->kinds[slot] == GV_GL_UINTS);
    CALL("glVertexAttrib1f", "if", 3, 2.0);
    CHECK(c->slots[slot][0] == 2 && c->kinds[slot] == GV_GL_FLOATS);
    // Between glBegin and glEnd they vary; attribute 0 is a position, of floats.
    CALL("glBegin", "e", GL_POINTS);
    CALL("glVertexAttribI1i", "ii", 3, -7);
    CALL("glVertexAttribI2i", "iii", 0, 1, -2);
    CALL("glVertexAttribI1i", "ii", 3, 8);
    CALL("glVertexAttribI2ui", "iii", 0, 3, 4);
    CALL("glEnd", "");
    DRAWN("points (1 -2; g -7i 0i 0i 1i) (3 4; g 8i 0i 0i 1i)");
    CALL("glNewList", "ie", 1, GL_COMPILE);
    CALL("glBegin", "e", GL_POINTS);
    CALL("glVertexAttribI1ui", "ii", 3, -1);
    CALL("glVertex2f", "ff", 1.0, 2.0);
    CALL("glVertexAttribI1ui", "ii", 3, 9);
    CALL("glVertex2f", "ff", 3.0, 4.0);
    CALL("glEnd", "");
    CALL("glEndList", "");
    CALL("glCallList", "i", 1);
    DRAWN("points/ (1 2; g 4294967295u 0u 0u 1u) (3 4; g 9u 0u 0u 1u)");
    CHECK(c->kinds[slot] == GV_GL_UINTS);
}

// Formats and buffers set apart: one buffer's rows hold two attributes.
static void bindings(struct geometry_log *g)
{
    static const uint8_t rows[2][8] = { { 1, 2, 0, 0, 3, 0, 0, 0 },
                                        { 4, 5, 0, 0, 6, 0, 0, 0 } };
    point_at_three(g);
    CALL("glBindBuffer", "ei", GL_COPY_WRITE_BUFFER, 2);
    CALL("glBufferData", "eiBe", GL_COPY_WRITE_BUFFER, 16, BLOB(rows), GL_STATIC_DRAW);
    CALL("glBindVertexBuffer", "iiii", 7, 2, 0, 8);
    CALL("glVertexAttribFormat", "iieei", 2, 2, GL_UNSIGNED_BYTE, 0u, 0);
    CALL("glVertexAttribIFormat", "iiei", 4, 1, GL_UNSIGNED_INT, 4);
    CALL("glVertexAttribBinding", "ii", 2, 7);
    CALL("glVertexAttribBinding", "ii", 4, 7);
    CALL("glEnableVertexAttribArray", "i", 2);
    CALL("glEnableVertexAttribArray", "i", 4);
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    DRAWN("lines (0 0; g 1 2; g 3u) (1 0; g 4 5; g 6u)");
    // A stride of 0: all have the first element. Another offset, other elements.
    CALL("glBindVertexBuffer", "iiii", 7, 2, 8, 0);
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    DRAWN("lines (0 0; g 4 5; g 6u) (1 0; g 4 5; g 6u)");
    // Rejected: no such binding, strides and offsets out of range.
    CALL("glBindVertexBuffer", "iiii", 16, 2, 0, 8);
    CALL("glBindVertexBuffer", "iiii", 7, 2, -1, 8);
    CALL("glBindVertexBuffer", "iiii", 7, 2, 0, 2049);
    CALL("glVertexAttribBinding", "ii", 2, 16);
    CALL("glVertexAttribFormat", "iieei", 2, 2, GL_UNSIGNED_BYTE, 0u, 2048);
    CALL("glVertexAttribFormat", "iieei", 16, 2, GL_UNSIGNED_BYTE, 0u, 0);
    CALL("glVertexAttribIFormat", "iiei", 4, 1, GL_FLOAT, 4);
    CALL("glDrawArrays", "eii", GL_LINES, 0, 2);
    DRAWN("lines (0 0; g 4 5; g 6u) (1 0; g 4 5; g 6u)");
    // The pointer's call takes the attribute's own binding again; so does the
    // divisor's.
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 2);
    CALL("glVertexAttribPointer", "iieeip", 2, 1, GL_UNSIGNED_BYTE, 0u, 1, UINT64_C(4));
    CALL("glVertexAttribDivisor", "ii", 4, 0);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    DRAWN("points (0 0; g 3)"); // nothing is bound to attribute 4's own
    CALL("glBindVertexBuffers", "iiIII", 3, 2, INTEGERS(99, 2), INTEGERS(0, 4),
         INTEGERS(0, 8));
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    DRAWN("points (0 0; g 3; g 1284u)");
    CALL("glBindVertexBuffers", "iinnn", 0, 16);
    CALL("glBindVertexBuffers", "iinnn", 1, 16);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    DRAWN("points (0 0)");
}

static void by_name(struct geometry_log *g)
{
    static const float line[3][2] = { { 0, 1 }, { 2, 3 }, { 4, 5 } };
    CALL("glCreateBuffers", "iI", 2, INTEGERS(1, 2));
    CALL("glNamedBufferStorage", "iiBe", 1, (int)sizeof line, BLOB(line), 0);
    CALL("glNamedBufferStorage", "iiBe", 2, 2, BYTES(2, 1), 0);
    CALL("glCreateVertexArrays", "iI", 2, INTEGERS(5, 6));
    CALL("glVertexArrayVertexBuffer", "iiiii", 5, 3, 1, 0, 8);
    CALL("glVertexArrayElementBuffer", "ii", 5, 2);
    CALL("glVertexArrayAttribFormat", "iiieei", 5, 0, 2, GL_FLOAT, 0u, 0);
    CALL("glVertexArrayAttribBinding", "iii", 5, 0, 3);
    CALL("glEnableVertexArrayAttrib", "ii", 5, 0);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1); // another one is bound
    DRAWN("");
    CALL("glBindVertexArray", "i", 5);
    CALL("glDrawElements", "eiep", GL_LINES, 2, GL_UNSIGNED_BYTE, UINT64_C(0));
    DRAWN("lines/ (4 5; g 4 5) (2 3; g 2 3)");
    CALL("glVertexArrayBindingDivisor", "iii", 5, 3, 1);
    CHECK(g->context.client.vertex_array->bindings[GV_GL_GENERIC + 3].divisor == 1);
    CALL("glDisableVertexArrayAttrib", "ii", 5, 0);
    CALL("glVertexArrayVertexBuffers", "iiiIII", 5, 3, 1, INTEGERS(0), INTEGERS(0),
         INTEGERS(16));
    CHECK(g->context.client.vertex_array->bindings[GV_GL_GENERIC + 3].buffer == 0);
    // What was never made is rejected, but for EXT_direct_state_access.
    CALL("glEnableVertexArrayAttrib", "ii", 77, 0);
    CALL("glVertexArrayVertexOffsetEXT", "iiieip", 78, 1, 2, GL_FLOAT, 0, UINT64_C(8));
    CALL("glEnableVertexArrayEXT", "ie", 78, GL_VERTEX_ARRAY);
    CALL("glVertexArrayVertexAttribOffsetEXT", "iiiieeip", 78, 1, 1, 1, GL_FLOAT, 0u, 8,
         UINT64_C(4));
    CALL("glVertexArrayVertexAttribIOffsetEXT", "iiiieip", 78, 2, 2, 1,
         GL_UNSIGNED_BYTE, 0, UINT64_C(1));
    CALL("glEnableVertexArrayAttrib", "ii", 78, 1);
    CALL("glEnableVertexArrayAttrib", "ii", 78, 2);
    CALL("glBindVertexArray", "i", 78);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    DRAWN("points (2 3; g 1; g 1u)");
}

static void offsets(struct geometry_log *g)
{
    static const float many[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    CALL("glCreateBuffers", "iI", 1, INTEGERS(1));
    CALL("glNamedBufferData", "iiBe", 1, (int)sizeof many, BLOB(many), 0);
    CALL("glVertexArrayVertexOffsetEXT", "iiieip", 0, 1, 2, GL_FLOAT, 0, UINT64_C(0));
    CALL("glVertexArrayColorOffsetEXT", "iiieip", 0, 1, 3, GL_FLOAT, 0, UINT64_C(4));
    CALL("glVertexArraySecondaryColorOffsetEXT", "iiieip", 0, 1, 3, GL_FLOAT, 0,
         UINT64_C(8));
    CALL("glVertexArrayNormalOffsetEXT", "iieip", 0, 1, GL_FLOAT, 0, UINT64_C(12));
    CALL("glVertexArrayFogCoordOffsetEXT", "iieip", 0, 1, GL_FLOAT, 0, UINT64_C(16));
    CALL("glVertexArrayIndexOffsetEXT", "iieip", 0, 1, GL_FLOAT, 0, UINT64_C(20));
    CALL("glVertexArrayEdgeFlagOffsetEXT", "iiip", 0, 1, 0, UINT64_C(1));
    CALL("glVertexArrayTexCoordOffsetEXT", "iiieip", 0, 1, 1, GL_FLOAT, 0, UINT64_C(0));
    CALL("glVertexArrayMultiTexCoordOffsetEXT", "iieieip", 0, 1, GL_TEXTURE3, 1,
         GL_FLOAT, 0, UINT64_C(28));
    CALL("glVertexArrayMultiTexCoordOffsetEXT", "iieieip", 0, 1, GL_TEXTURE0 + 8, 1,
         GL_FLOAT, 0, UINT64_C(28));
    CALL("glVertexArrayColorOffsetEXT", "iiieip", 0, 9, 3, GL_FLOAT, 0, UINT64_C(0));
    static const uint32_t on[] = { GL_VERTEX_ARRAY,    GL_COLOR_ARRAY,
                                   GL_NORMAL_ARRAY,    GL_SECONDARY_COLOR_ARRAY,
                                   GL_FOG_COORD_ARRAY, GL_INDEX_ARRAY,
                                   GL_EDGE_FLAG_ARRAY, GL_TEXTURE_COORD_ARRAY,
                                   GL_TEXTURE3 };
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        CALL("glEnableVertexArrayEXT", "ie", 0, on[i]);
    CALL("glDisableVertexArrayEXT", "ie", 0, GL_POINT_SIZE_ARRAY_OES);
    CALL("glEnableVertexArrayEXT", "ie", 0, GL_FLOAT);
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1);
    DRAWN("points (1 2; n 4 5 6; c 2 3 4; s 3 4 5; f 5; i 6; t 1; u 8; no edge)");
    CALL("glMultiTexCoordPointerEXT", "eieip", GL_TEXTURE3, 1, GL_FLOAT, 0,
         UINT64_C(0));
    CALL("glMultiTexCoordPointerEXT", "eieip", GL_TEXTURE3 + 9, 1, GL_FLOAT, 0,
         UINT64_C(0));
    CALL("glDrawArrays", "eii", GL_POINTS, 0, 1); // nothing is bound to take it from
    DRAWN("points (1 2; n 4 5 6; c 2 3 4; s 3 4 5; f 5; i 6; t 1; no edge)");
}

int main(void)
{
    static geometry_test *const tests[] = {
        integers, current_integers, bindings, by_name, offsets,
    };
    return geometry_tests(tests, sizeof tests / sizeof *tests);
}
