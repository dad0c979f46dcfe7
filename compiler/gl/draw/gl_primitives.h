// From GL's primitives to lists of points, lines and triangles: polygon modes, edge
// flags, which faces are culled or drawn in which mode.
#ifndef GV_GL_PRIMITIVES_H
#define GV_GL_PRIMITIVES_H

#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/fixed/fixed_program.h"
#include "compiler/lower/lower_pieces.h"

// What geometry is drawn as: one or several of these.
struct gv_gl_part {
    enum gv_gl_primitive_class drawn;
    bool outline;   // edges of polygons as lines, or their ends as points
    bool wireframe; // triangles that the device outlines
    bool faced;     // of polygons, those that face so alone, told by their vertices
    bool sided;     // the same, told by the device
    bool front;     // which
    bool reshaped;  // by a geometry or tessellation shader, into `drawn`
    bool captures;  // by transform feedback: in the order of GL
    bool hidden;    // nothing is rasterised
    bool dots;      // triangles of which the device draws the corners
};
#define GV_GL_MAX_PARTS 3u

// `flat`: a program's values are those of one vertex of each primitive. NULL in `*why`,
// or what of this is not drawn as GL has it.
uint32_t gv_gl_parts(const struct gv_gl_context *c, const struct gv_gl_geometry *g,
                     bool flat, struct gv_gl_part out[GV_GL_MAX_PARTS],
                     const struct gv_gl_lack **why);

// The same of what a program's stages make; true in `*mixed`: of two kinds, of which
// the first is drawn.
uint32_t gv_gl_reshaped_part(const struct gv_gl_context *c,
                             enum gv_gl_primitive_class drawn, struct gv_gl_part *out,
                             bool *mixed);

// Numbers of vertices in order. NULL numbers: all vertices as they come.
struct gv_gl_numbers {
    const uint32_t *list;
    uint32_t count;
    bool strip; // a line strip, not a list
    // Of flat polygons' outlines: for each number the vertex whose colours it has.
    // NULL: its own.
    const uint32_t *colored;
    // How they follow from the geometry: the same of the same, where it is not 0.
    uint32_t order;
    bool unmade; // of a list only the count is known: gv_gl_numbers_make
};

// The vertices of a list in order, each with the colours that it has; `ends`: of lines,
// with both ends' positions in the slots GV_FIXED_FIRST_END and GV_FIXED_LAST_END.
// `scratch` holds them until it is used again. False: memory.
bool gv_gl_list_vertices(const struct gv_gl_geometry *from,
                         const struct gv_gl_numbers *n, bool ends,
                         struct gv_bytes *scratch, struct gv_gl_geometry *out,
                         struct gv_error *err);

// One polygon of several, as a geometry of its own; `last`: the last vertex provokes.
// `scratch` holds its vertices until it is used again. False: memory.
struct gv_gl_polygon_alone {
    struct gv_gl_geometry geometry;
    uint32_t ids[4];
    uint8_t edges[4];
};
bool gv_gl_polygon(const struct gv_gl_geometry *from, uint32_t i, bool last,
                   struct gv_bytes *scratch, struct gv_gl_polygon_alone *out,
                   struct gv_error *err);
// How many a geometry without restarts has.
uint32_t gv_gl_polygons(const struct gv_gl_geometry *g);

// The scratch holds the numbers until it is used again. False: memory, a limit.
struct gv_gl_numbering {
    const struct gv_gl_geometry *geometry;
    const struct gv_gl_part *part;
    bool last_wanted; // by the device: flat values come from the last vertex
    bool flat;        // such values there are
    bool fixed_place; // vertices lie where the fixed function has them
    struct gv_bytes *scratch;
    struct gv_lower_pieces *known; // counts of numbers; NULL: the list is made
};
bool gv_gl_numbers(const struct gv_gl_context *c, const struct gv_gl_numbering *n,
                   struct gv_gl_numbers *out, struct gv_error *err);

// The list of numbers that are unmade; others stay.
bool gv_gl_numbers_make(const struct gv_gl_context *c, const struct gv_gl_numbering *n,
                        struct gv_gl_numbers *numbers, struct gv_error *err);

#endif
