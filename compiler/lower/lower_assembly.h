// Primitives that devices lack, or draw otherwise, as lists of those they have: fans,
// quads, quad strips, polygons and line loops; the vertex that flat values come from;
// the edges that are drawn of outlined polygons. Pure functions over numbers of
// vertices, for whoever knows a draw's indices while compiling.
//
// Order within a primitive keeps its winding: only where a triangle begins changes.
#ifndef GV_LOWER_ASSEMBLY_H
#define GV_LOWER_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gv_primitive {
    GV_PRIMITIVE_POINTS,
    GV_PRIMITIVE_LINES,
    GV_PRIMITIVE_LINE_LOOP,
    GV_PRIMITIVE_LINE_STRIP,
    GV_PRIMITIVE_TRIANGLES,
    GV_PRIMITIVE_TRIANGLE_STRIP,
    GV_PRIMITIVE_TRIANGLE_FAN,
    GV_PRIMITIVE_QUADS,
    GV_PRIMITIVE_QUAD_STRIP,
    GV_PRIMITIVE_POLYGON,
    GV_PRIMITIVE_COUNT,
};

// What a primitive becomes.
enum gv_assembly_form {
    GV_ASSEMBLY_POINTS,
    GV_ASSEMBLY_LINES,     // two vertices each
    GV_ASSEMBLY_TRIANGLES, // three
};

struct gv_assembly {
    enum gv_primitive primitive;
    // The source takes flat values from a primitive's last vertex rather than its first
    // (polygons: from the first one always).
    bool last_provokes;
    // The device takes them from the last vertex of a line or triangle.
    bool last_wanted;
    // Quads of lists are cut from their first vertex to the third rather than from the
    // vertex that provokes: flat values of one half then come from another vertex.
    bool first_diagonal;
    // Of a strip's quads the half at the edge that a quad begins with is drawn first:
    // where halves lie one over the other, the later one is seen. For `last_provokes`.
    bool begun_first;
    // Vertices of this number end a primitive and begin the next one.
    bool restarts;
    uint32_t restart;
    // Which primitives are wanted: told the first `count` (up to GV_ASSEMBLY_TOLD) of a
    // primitive's vertices, in order. NULL: all are.
    bool (*keeps)(const void *owner, const uint32_t *ring, uint32_t count);
    const void *owner;
    // What gv_assemble_edges also writes for each number: the vertex that flat values
    // of its polygon come from. NULL: nobody asks.
    uint32_t *provoking;
};
#define GV_ASSEMBLY_TOLD 8u

// GV_ASSEMBLY_* of filled primitives.
enum gv_assembly_form gv_assembly_form(enum gv_primitive primitive);

// At most so many numbers come out of gv_assemble for `count` vertices, and twice as
// many out of gv_assemble_edges.
uint64_t gv_assembly_bound(enum gv_primitive primitive, uint32_t count);

// A draw's vertices in order.
struct gv_assembly_vertices {
    const uint32_t *numbers; // NULL: `first`, `first` + 1 and so on
    uint32_t first, count;
    // Per vertex, whether the edge that begins there bounds its polygon; NULL: all do.
    // For gv_assemble_edges.
    const uint8_t *edges;
};

// Filled primitives: writes numbers of vertices to `out`, which has room for
// gv_assembly_bound, and returns how many. Incomplete primitives are dropped. Lines
// whose flat value comes from the other end are turned round.
uint64_t gv_assemble(const struct gv_assembly *a, const struct gv_assembly_vertices *v,
                     uint32_t *out);

// Outlined polygons (points and lines have no outline: none): the edges that are drawn,
// as lines; `out` has room for twice gv_assembly_bound. Strips and fans heed `edges`
// too, as Mesa's do. A line takes flat values from its own end: see `provoking`.
uint64_t gv_assemble_edges(const struct gv_assembly *a,
                           const struct gv_assembly_vertices *v, uint32_t *out);

#endif
