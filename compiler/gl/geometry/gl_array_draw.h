// Draws from vertex arrays.
#ifndef GV_GL_ARRAY_DRAW_H
#define GV_GL_ARRAY_DRAW_H

#include "compiler/gl/geometry/gl_feed.h"

// Vertices and indices of the draw at hand, as floats and words; kept for the next one.
struct gv_gl_converted {
    float *floats;                                              // owned
    uint32_t *indices;                                          // owned
    uint8_t *edges;                                             // owned
    uint64_t floats_capacity, indices_capacity, edges_capacity; // elements
};

void gv_gl_converted_finish(struct gv_gl_converted *c);

struct gv_gl_array_draw {
    uint32_t mode;
    uint64_t first, count;                // without indices
    const struct gv_trace_value *indices; // NULL: without
    uint32_t type;                        // of indices
    int64_t base;                         // added to each index
    uint32_t instances, base_instance;
};

// Draws, or takes the vertices into the list being made.
bool gv_gl_array_draw(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                      struct gv_error *err);

// Feeds element `index` of all arrays that are on.
bool gv_gl_array_element(struct gv_gl *gl, const struct gv_gl_sink *sink,
                         uint64_t index, struct gv_error *err);

#endif
