// Draws from vertex arrays under programs, and draws whose numbers stand in buffers.
#include "compiler/gl/base/gl_buffer.h"
#include "tests/gl/geometry_log.h"
#include "tests/test.h"

#define BLOB(array) sizeof(array), (const uint8_t *)(array)

// Some program: what it is does not matter to arrays.
static void use_program(struct geometry_log *g)
{
    static uint64_t program;
    g->context.program = (struct gv_gl_program *)(void *)&program;
}

static void attribute(struct geometry_log *g)
{
    static const float values[4] = { 10, 11, 12, 13 };
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 1);
    CALL("glBufferData", "eiBe", GL_ARRAY_BUFFER, (int)sizeof values, BLOB(values),
         GL_STATIC_DRAW);
    CALL("glVertexAttribPointer", "iieeip", 1, 1, GL_FLOAT, 0u, 0, UINT64_C(0));
    CALL("glEnableVertexAttribArray", "i", 1);
    use_program(g);
}

// Without a position, beyond the arrays, with numbers of vertices.
static void programs(struct geometry_log *g)
{
    use_program(g);
    CALL("glDrawArrays", "eii", GL_TRIANGLES, 4, 3);
    DRAWN("triangles #4 (0 0 0 1) #5 (0 0 0 1) #6 (0 0 0 1)");
    attribute(g);
    CALL("glDrawArrays", "eii", GL_POINTS, 3, 2);
    DRAWN("points #3 (0 0 0 1; g 13) #4 (0 0 0 1; g 0)");
    CALL("glDrawElementsBaseVertex", "eieBi", GL_LINES, 2, GL_UNSIGNED_BYTE,
         BYTES(4, 3), -2);
    DRAWN("lines/ vertex-2 #2 (0 0 0 1; g 12) #1 (0 0 0 1; g 11)");
    // Few and far between; one that is none.
    CALL("glDrawElementsInstancedBaseVertexBaseInstance", "eieBiii", GL_LINES, 2,
         GL_UNSIGNED_SHORT, BYTES(0xFF, 0xFF, 1, 0), 2, 1, 3);
    DRAWN("lines/ x2 vertex+1 instance+3 #65536 (0 0 0 1; g 0) #2 (0 0 0 1; g 12)");
    CALL("glMultiDrawElementsBaseVertex", "eIeIiI", GL_POINTS, INTEGERS(1, 1),
         GL_UNSIGNED_BYTE, INTEGERS(0, 1), 2, INTEGERS(0, 1));
    DRAWN(""); // no element buffer
    CALL("glMultiDrawArrays", "eIIi", GL_POINTS, INTEGERS(1, 2), INTEGERS(1, 1), 2);
    DRAWN("points #1 (0 0 0 1; g 11) | points draw 1 #2 (0 0 0 1; g 12)");
}

static void other_modes(struct geometry_log *g)
{
    CALL("glDrawArrays", "eii", GL_PATCHES, 0, 3); // no program
    DRAWN("");
    attribute(g);
    CALL("glDrawArrays", "eii", GL_PATCHES, 0, 4);
    DRAWN("patches #0 (0 0 0 1; g 10) #1 (0 0 0 1; g 11) #2 (0 0 0 1; g 12)");
    CALL("glPatchParameteri", "ei", GL_PATCH_VERTICES, 2);
    CALL("glPatchParameteri", "ei", GL_PATCH_VERTICES, 0);
    CALL("glPatchParameteri", "ei", GL_PATCH_VERTICES, 33);
    CALL("glDrawArrays", "eii", GL_PATCHES, 1, 3);
    DRAWN("patches #1 (0 0 0 1; g 11) #2 (0 0 0 1; g 12)");
    CALL("glDrawArrays", "eii", GL_LINES_ADJACENCY, 0, 5);
    DRAWN("adjacent lines #0 (0 0 0 1; g 10) #1 (0 0 0 1; g 11) #2 (0 0 0 1; g 12)"
          " #3 (0 0 0 1; g 13)");
    CALL("glDrawArrays", "eii", GL_TRIANGLE_STRIP_ADJACENCY, 0, 5);
    CALL("glDrawArrays", "eii", GL_PATCHES + 1, 0, 5);
    DRAWN("");
    CALL("glBegin", "e", GL_LINE_STRIP_ADJACENCY);
    for (int i = 0; i < 4; i++)
        CALL("glVertex2f", "ff", (double)i, 0.0);
    CALL("glEnd", "");
    DRAWN("adjacent line strip #0 (0 0) #1 (1 0) #2 (2 0) #3 (3 0)");
}

static void steps(struct geometry_log *g)
{
    static const float places[2][2] = { { 1, 2 }, { 3, 4 } };
    attribute(g);
    CALL("glVertexAttribDivisor", "ii", 1, 2);
    CALL("glDrawArraysInstancedBaseInstance", "eiiii", GL_POINTS, 0, 1, 3, 1);
    DRAWN("points x3 {g 11, 11, 12} instance+1 #0 (0 0 0 1)");
    // A position that steps stands still where it is read as one.
    CALL("glEnableVertexAttribArray", "i", 0);
    CALL("glBindBuffer", "ei", GL_ARRAY_BUFFER, 0);
    CALL("glVertexAttribPointer", "iieeiB", 0, 2, GL_FLOAT, 0u, 0, BLOB(places));
    CALL("glVertexAttribDivisor", "ii", 0, 1);
    CALL("glDrawArraysInstanced", "eiii", GL_POINTS, 0, 2, 2);
    DRAWN("points x2 {g 1 2, 3 4} {g 10, 10} #0 (1 2) #1 (1 2)");
    CALL("glDrawArraysInstanced", "eiii", GL_POINTS, 0, 2, INT32_MAX); // too many
    CALL("glDrawArraysInstanced", "eiii", GL_POINTS, 0, 2, -1);
    CALL("glDrawArraysInstanced", "eiii", GL_POINTS, 0, 2, 0);
    DRAWN("");
}

static void fixed_restart(struct geometry_log *g)
{
    static const uint16_t shorts[] = { 0, 0xFFFF, 1, 0xFF };
    attribute(g);
    g->context.client.primitive_restart_fixed = true;
    CALL("glDrawElementsBaseVertex", "eieBi", GL_LINE_STRIP, 5, GL_UNSIGNED_BYTE,
         BYTES(0, 1, 255, 1, 0), 1);
    DRAWN("line strip/ vertex+1 #1 (0 0 0 1; g 11) #2 (0 0 0 1; g 12) -"
          " #2 (0 0 0 1; g 12) #1 (0 0 0 1; g 11)");
    CALL("glDrawElements", "eieB", GL_POINTS, 4, GL_UNSIGNED_SHORT, BLOB(shorts));
    DRAWN("points/ #0 (0 0 0 1; g 10) - #1 (0 0 0 1; g 11) #255 (0 0 0 1; g 0)");
}

static void put_commands(struct geometry_log *g, int size, const uint32_t *words)
{
    CALL("glBindBuffer", "ei", GL_DRAW_INDIRECT_BUFFER, 2);
    CALL("glBufferData", "eiBe", GL_DRAW_INDIRECT_BUFFER, size, (size_t)size,
         (const uint8_t *)words, GL_STATIC_DRAW);
}

static void indirect(struct geometry_log *g)
{
    // count, instances, first, base instance; then a word between
    static const uint32_t arrays[] = { 1, 1, 2, 0, 0, 2, 3, 1, 7, 0 };
    attribute(g);
    CALL("glDrawArraysIndirect", "ep", GL_POINTS, UINT64_C(0)); // nothing is bound
    put_commands(g, (int)sizeof arrays, arrays);
    CALL("glDrawArraysIndirect", "en", GL_POINTS);
    DRAWN("points #2 (0 0 0 1; g 12)");
    CALL("glMultiDrawArraysIndirect", "epii", GL_POINTS, UINT64_C(0), 2, 20);
    DRAWN("points #2 (0 0 0 1; g 12)"
          " | points x3 instance+7 draw 1 #1 (0 0 0 1; g 11) #2 (0 0 0 1; g 12)");
    // Behind the buffer's end, beside a word, back to front, none.
    CALL("glMultiDrawArraysIndirect", "epii", GL_POINTS, UINT64_C(0), 3, 20);
    CALL("glMultiDrawArraysIndirect", "epii", GL_POINTS, UINT64_C(0), INT32_MAX, 4);
    CALL("glMultiDrawArraysIndirect", "epii", GL_POINTS, UINT64_C(0), 1, 6);
    CALL("glMultiDrawArraysIndirect", "epii", GL_POINTS, UINT64_C(0), -1, 0);
    CALL("glMultiDrawArraysIndirect", "epii", GL_POINTS, UINT64_C(0), 0, 0);
    CALL("glDrawArraysIndirect", "ep", GL_POINTS, UINT64_C(2));
    CALL("glDrawArraysIndirect", "ep", GL_POINTS, UINT64_C(28));
    CALL("glDrawArraysIndirect", "ep", GL_POINTS, UINT64_MAX - 3);
    CALL("glDrawElementsIndirect", "eep", GL_POINTS, GL_UNSIGNED_BYTE, UINT64_C(0));
    DRAWN("");
}

static void indirect_elements(struct geometry_log *g)
{
    // count, instances, first index, base vertex, base instance
    static const uint32_t words[] = { 2, 1, 1, (uint32_t)-1, 0, 1, 1, 0, 0,
                                      5, 9, 9, UINT32_MAX,   9, 9 };
    static const uint32_t counts[] = { 77, 1 };
    attribute(g);
    CALL("glBindBuffer", "ei", GL_ELEMENT_ARRAY_BUFFER, 3);
    CALL("glBufferData", "eiBe", GL_ELEMENT_ARRAY_BUFFER, 6, BYTES(3, 0, 2, 0, 1, 0),
         GL_STATIC_DRAW);
    put_commands(g, (int)sizeof words, words);
    CALL("glDrawElementsIndirect", "een", GL_LINES, GL_UNSIGNED_SHORT);
    DRAWN("lines/ vertex-1 #1 (0 0 0 1; g 11) #0 (0 0 0 1; g 10)");
    CALL("glMultiDrawElementsIndirect", "eepii", GL_POINTS, GL_UNSIGNED_SHORT,
         UINT64_C(20), 2, 0);
    DRAWN("points/ instance+5 #3 (0 0 0 1; g 13)"); // the other's indices are nowhere
    CALL("glMultiDrawElementsIndirectCount", "eepiii", GL_POINTS, GL_UNSIGNED_SHORT,
         UINT64_C(20), 4, 2, 0);
    CALL("glBindBuffer", "ei", GL_PARAMETER_BUFFER, 4);
    CALL("glBufferData", "eiBe", GL_PARAMETER_BUFFER, 8, BLOB(counts), GL_STATIC_DRAW);
    CALL("glMultiDrawElementsIndirectCount", "eepiii", GL_POINTS, GL_UNSIGNED_SHORT,
         UINT64_C(20), 2, 2, 0);
    CALL("glMultiDrawElementsIndirectCount", "eepiii", GL_POINTS, GL_UNSIGNED_SHORT,
         UINT64_C(20), 8, 2, 0);
    CALL("glMultiDrawElementsIndirect", "eepii", GL_POINTS, GL_FLOAT, UINT64_C(20), 2,
         0);
    DRAWN("");
    CALL("glMultiDrawElementsIndirectCount", "eepiii", GL_POINTS, GL_UNSIGNED_SHORT,
         UINT64_C(20), 4, 2, 0);
    CALL("glMultiDrawArraysIndirectCount", "epiii", GL_POINTS, UINT64_C(0), 4, 2, 0);
    DRAWN("points/ instance+5 #3 (0 0 0 1; g 13)"
          " | points instance+4294967295 #1 (0 0 0 1; g 11) #2 (0 0 0 1; g 12)");
}

int main(void)
{
    static geometry_test *const tests[] = {
        programs, other_modes, steps, fixed_restart, indirect, indirect_elements,
    };
    return geometry_tests(tests, sizeof tests / sizeof *tests);
}
