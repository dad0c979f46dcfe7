// Primitives as lists: rows of OpenGL's rules (4.6 compatibility profile, 10.1 and
// table 13.2, provoking vertices).
#include "compiler/lower/lower_assembly.h"
#include "tests/test.h"

enum {
    FIRST = 0,
    LAST = 1,  // the source's flat values come from the last vertex
    WANTS = 2, // the device's as well
    CUT = 4,   // vertex 9 restarts
};

#define ROW(name, primitive, flags, vertices, filled)            \
    {                                                            \
#name, GV_PRIMITIVE_##primitive, flags, vertices, filled \
    }

// Vertices by digit, and what comes out. Triangles begin with the vertex that provokes,
// under WANTS they end with it.
static const struct {
    const char *name;
    enum gv_primitive primitive;
    int flags;
    const char *vertices, *filled;
} rows[] = {
    ROW(points, POINTS, FIRST, "012", "012"),
    ROW(lines, LINES, FIRST, "01234", "0123"),
    ROW(lines_last, LINES, LAST, "0123", "1032"),
    ROW(lines_last_wanted, LINES, LAST | WANTS, "0123", "0123"),
    ROW(loop, LINE_LOOP, FIRST, "0123", "01122330"),
    ROW(loop_last, LINE_LOOP, LAST, "012", "102102"),
    ROW(loop_of_two, LINE_LOOP, FIRST, "01", "0110"),
    ROW(loop_of_one, LINE_LOOP, FIRST, "0", ""),
    ROW(loop_cut, LINE_LOOP, CUT, "0129345", "011220344553"),
    ROW(line_strip, LINE_STRIP, FIRST, "012", "0112"),
    ROW(triangles, TRIANGLES, FIRST, "01234567", "012345"),
    ROW(triangles_last, TRIANGLES, LAST, "012", "201"),
    ROW(triangles_last_wanted, TRIANGLES, LAST | WANTS, "012", "012"),
    ROW(triangles_wanted, TRIANGLES, WANTS, "012", "120"),
    ROW(strip, TRIANGLE_STRIP, FIRST, "01234", "012132234"),
    ROW(strip_last, TRIANGLE_STRIP, LAST, "0123", "201321"),
    ROW(strip_cut, TRIANGLE_STRIP, CUT, "01290345", "012034354"),
    ROW(fan, TRIANGLE_FAN, FIRST, "01234", "120230340"),
    ROW(fan_last, TRIANGLE_FAN, LAST, "0123", "201302"),
    ROW(fan_last_wanted, TRIANGLE_FAN, LAST | WANTS, "0123", "012023"),
    ROW(fan_of_two, TRIANGLE_FAN, FIRST, "01", ""),
    ROW(quads, QUADS, FIRST, "012345678", "012023456467"),
    ROW(quads_last, QUADS, LAST, "0123", "301312"),
    ROW(quads_last_wanted, QUADS, LAST | WANTS, "0123", "013123"),
    ROW(quad_strip, QUAD_STRIP, FIRST, "012345", "013032235254"),
    ROW(quad_strip_last, QUAD_STRIP, LAST, "0123", "320301"),
    ROW(quad_strip_odd, QUAD_STRIP, FIRST, "01234", "013032"),
    ROW(polygon, POLYGON, FIRST, "01234", "012023034"),
    ROW(polygon_last, POLYGON, LAST, "0123", "012023"),
    ROW(polygon_cut, POLYGON, CUT, "0129345", "012345"),
    ROW(polygons_cut_short, POLYGON, CUT, "0199345", "345"),
    ROW(none, QUADS, FIRST, "", ""),
};

static uint32_t read_digits(const char *text, uint32_t *out)
{
    uint32_t n = 0;
    for (; text[n]; n++)
        out[n] = (uint32_t)(text[n] - '0');
    return n;
}

static bool is_text(const uint32_t *numbers, uint64_t count, const char *text)
{
    bool same = count == strlen(text);
    for (uint64_t i = 0; same && i < count; i++)
        same = numbers[i] == (uint32_t)(text[i] - '0');
    return same;
}

static struct gv_assembly assembly_of(enum gv_primitive primitive, int flags)
{
    return (struct gv_assembly){ .primitive = primitive,
                                 .last_provokes = flags & LAST,
                                 .last_wanted = flags & WANTS,
                                 .restarts = flags & CUT,
                                 .restart = 9 };
}

static void test_filled(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t numbers[16], out[64];
        const struct gv_assembly a = assembly_of(rows[i].primitive, rows[i].flags);
        struct gv_assembly_vertices v = { .numbers = numbers,
                                          .count =
                                              read_digits(rows[i].vertices, numbers) };
        uint64_t count = gv_assemble(&a, &v, out);
        CHECK_ROW(rows[i].name, is_text(out, count, rows[i].filled));
        CHECK_ROW(rows[i].name, count <= gv_assembly_bound(a.primitive, v.count));
    }
}

// Vertices that only have numbers in a row, from `first` on.
static void test_in_a_row(void)
{
    const struct gv_assembly a = assembly_of(GV_PRIMITIVE_QUADS, CUT);
    uint32_t out[6];
    const struct gv_assembly_vertices v = { .first = 9, .count = 4 };
    const uint32_t want[6] = { 9, 10, 11, 9, 11, 12 }; // number 9 cuts indices alone
    CHECK(gv_assemble(&a, &v, out) == 6 && !memcmp(out, want, sizeof want));
}

static const struct {
    const char *name;
    enum gv_primitive primitive;
    const char *vertices, *edges, *lines, *provoking;
} outlines[] = {
    { "triangle", GV_PRIMITIVE_TRIANGLES, "012", NULL, "011220", "000000" },
    { "triangle_flags", GV_PRIMITIVE_TRIANGLES, "012345", "101011", "01204553",
      "00003333" },
    { "quad", GV_PRIMITIVE_QUADS, "0123", NULL, "01122330", "00000000" },
    { "quad_flags", GV_PRIMITIVE_QUADS, "0123", "0110", "1223", "0000" },
    { "polygon_flags", GV_PRIMITIVE_POLYGON, "01234", "11101", "01122340", "00000000" },
    { "strip", GV_PRIMITIVE_TRIANGLE_STRIP, "0123", NULL, "011220211332",
      "000000111111" },
    { "strip_flags", GV_PRIMITIVE_TRIANGLE_STRIP, "0123", "0101", "121332", "001111" },
    { "fan", GV_PRIMITIVE_TRIANGLE_FAN, "0123", NULL, "011220022330", "111111222222" },
    { "fan_flags", GV_PRIMITIVE_TRIANGLE_FAN, "0123", "1010", "01200223", "11112222" },
    { "quad_strip", GV_PRIMITIVE_QUAD_STRIP, "0123", NULL, "01133220", "00000000" },
    { "quad_strip_flags", GV_PRIMITIVE_QUAD_STRIP, "0123", "0011", "3220", "0000" },
    { "lines_have_none", GV_PRIMITIVE_LINES, "0123", NULL, "", "" },
};

static void test_outlined(void)
{
    for (size_t i = 0; i < sizeof outlines / sizeof outlines[0]; i++) {
        uint32_t numbers[16], flags[16], out[64];
        uint8_t edges[16] = { 0 };
        uint32_t provoking[64];
        struct gv_assembly a = assembly_of(outlines[i].primitive, FIRST);
        a.provoking = provoking;
        struct gv_assembly_vertices v = {
            .numbers = numbers, .count = read_digits(outlines[i].vertices, numbers)
        };
        if (outlines[i].edges) {
            uint32_t n = read_digits(outlines[i].edges, flags);
            for (uint32_t k = 0; k < n; k++)
                edges[k] = (uint8_t)flags[k];
            v.edges = edges;
        }
        uint64_t count = gv_assemble_edges(&a, &v, out);
        CHECK_ROW(outlines[i].name, is_text(out, count, outlines[i].lines));
        CHECK_ROW(outlines[i].name, is_text(provoking, count, outlines[i].provoking));
        CHECK_ROW(outlines[i].name,
                  count <= 2 * gv_assembly_bound(a.primitive, v.count));
    }
}

// Whatever the count, what is written stays within the bound, and the bound is reached.
// Both diagonals of quads; and those primitives alone that are wanted, which are told
// their first vertices.
static bool begins_even(const void *owner, const uint32_t *ring, uint32_t count)
{
    return *(const uint32_t *)owner == count && ring[0] % 2 == 0;
}

static void test_chosen(void)
{
    uint32_t out[24] = { 0 }, size = 4;
    struct gv_assembly a = assembly_of(GV_PRIMITIVE_QUADS, LAST | WANTS);
    const struct gv_assembly_vertices quads = { .count = 8 };
    a.first_diagonal = true;
    CHECK(is_text(out, gv_assemble(&a, &quads, out), "012023456467"));
    a.first_diagonal = false;
    CHECK(is_text(out, gv_assemble(&a, &quads, out), "013123457567"));
    a.primitive = GV_PRIMITIVE_QUAD_STRIP; // has one diagonal
    a.first_diagonal = true;
    CHECK(is_text(out,
                  gv_assemble(&a, &(struct gv_assembly_vertices){ .count = 4 }, out),
                  "203013"));
    a.begun_first = true;
    CHECK(is_text(out,
                  gv_assemble(&a, &(struct gv_assembly_vertices){ .count = 6 }, out),
                  "013203235425"));
    a = assembly_of(GV_PRIMITIVE_TRIANGLES, FIRST);
    a.keeps = begins_even;
    a.owner = &size;
    size = 3;
    CHECK(is_text(out,
                  gv_assemble(&a, &(struct gv_assembly_vertices){ .count = 9 }, out),
                  "012678"));
    CHECK(is_text(
        out, gv_assemble_edges(&a, &(struct gv_assembly_vertices){ .count = 6 }, out),
        "011220"));
    a.primitive = GV_PRIMITIVE_POLYGON; // no more are told
    size = GV_ASSEMBLY_TOLD;
    CHECK(gv_assemble(&a, &(struct gv_assembly_vertices){ .count = 9 }, out) == 21);
}

static void test_bounds(void)
{
    uint32_t out[256];
    for (int p = 0; p < GV_PRIMITIVE_COUNT; p++)
        for (uint32_t n = 0; n <= 40; n++) {
            const struct gv_assembly a = assembly_of((enum gv_primitive)p, FIRST);
            const struct gv_assembly_vertices v = { .count = n };
            CHECK(gv_assemble(&a, &v, out) == gv_assembly_bound(a.primitive, n));
            CHECK(gv_assemble_edges(&a, &v, out) <=
                  2 * gv_assembly_bound(a.primitive, n));
        }
    CHECK(gv_assembly_bound(GV_PRIMITIVE_TRIANGLE_FAN, UINT32_MAX) ==
          3 * (UINT64_C(0xFFFFFFFF) - 2));
}

int main(void)
{
    test_filled();
    test_in_a_row();
    test_outlined();
    test_chosen();
    test_bounds();
    return TEST_RESULT();
}
