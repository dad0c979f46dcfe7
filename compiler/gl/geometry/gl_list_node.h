// What lists consist of: runs of vertices with the current values they leave behind,
// and copies of calls.
#ifndef GV_GL_LIST_NODE_H
#define GV_GL_LIST_NODE_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/geometry/gl_run.h"

// One slot of a run.
struct gv_gl_list_slot {
    uint8_t slot;
    struct gv_gl_shape shape;
    bool given;    // `base` is the value of all vertices, or of the first ones
    uint32_t open; // first vertices that take what is current when the list runs
    float base[4]; // if `given`
    float last[4]; // current behind the run
    float *data;   // 4 floats a vertex; NULL: it does not vary
};

// Vertices between glBegin and glEnd; current values. One without glBegin, or glEnd, is
// a part of a primitive.
struct gv_gl_list_run {
    uint64_t serial; // no other run's
    uint32_t mode, count;
    bool begins, ends;
    bool keeps_current; // its vertices come from arrays
    bool lines_apart;   // see gv_gl_geometry
    uint32_t slot_count;
    struct gv_gl_list_slot *slots;
    uint8_t *edges; // NULL: the current flag
};

struct gv_gl_list_call {
    const struct gv_gl_row *row;
    struct gv_trace_call call;
    bool has_bytes; // read with the storage of pixels of when the list was made
    struct gv_gl_pixel_store unpack;
};

// One allocation each, with all that it points to.
struct gv_gl_list_node {
    struct gv_gl_list_node *next;
    struct gv_gl_list_run *run; // NULL: a call
    struct gv_gl_list_call *call;
};

void gv_gl_list_nodes_free(struct gv_gl_list_node *first);

// A copy of a call as a node. NULL: no memory, or values nested beyond all calls of GL.
struct gv_gl_list_node *gv_gl_list_call_node(const struct gv_gl_context *c,
                                             const struct gv_gl_row *row,
                                             const struct gv_trace_call *call,
                                             struct gv_error *err);

#endif
