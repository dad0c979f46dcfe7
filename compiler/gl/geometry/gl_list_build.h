// A display list while it is made, and what lists consist of: runs of vertices with
// the current values they leave behind, and copies of calls.
#ifndef GV_GL_LIST_BUILD_H
#define GV_GL_LIST_BUILD_H

#include "compiler/gl/geometry/gl_feed.h"
#include "compiler/gl/geometry/gl_run.h"

// One slot of a run.
struct gv_gl_list_slot {
    uint8_t slot, size;
    bool given;    // `base` is the value of all vertices, or of the first ones
    uint32_t open; // first vertices that take what is current when the list runs
    float base[4]; // if `given`
    float last[4]; // current behind the run
    float *data;   // 4 floats a vertex; NULL: it does not vary
};

// Vertices between glBegin and glEnd; current values. One without glBegin, or glEnd, is
// a part of a primitive.
struct gv_gl_list_run {
    uint32_t mode, count;
    bool begins, ends;
    bool keeps_current; // its vertices come from arrays
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

enum gv_gl_list_part {
    GV_GL_PART_EMPTY, // current values at most
    GV_GL_PART_LOOSE, // vertices without a glBegin of the list's
    GV_GL_PART_INSIDE,
    GV_GL_PART_ENDED, // more of the same kind may follow
};

struct gv_gl_recording {
    uint32_t mode; // GL_COMPILE, GL_COMPILE_AND_EXECUTE; 0: no list is made
    uint32_t name;
    struct gv_gl_list_node *first, **last; // owned
    struct gv_gl_run run;                  // not yet a node
    enum gv_gl_list_part part;
    bool inside;     // between glBegin and glEnd, both the list's
    bool arrays;     // what comes is of arrays
    bool run_arrays; // what `run` has is
};

void gv_gl_recording_finish(struct gv_gl_recording *r);
void gv_gl_recording_begin(struct gv_gl_recording *r, uint32_t name, uint32_t mode);

// Ends the list: its nodes are the caller's. False: no memory.
bool gv_gl_recording_end(struct gv_gl_recording *r, struct gv_gl_list_node **out,
                         struct gv_error *err);

// Vertices of arrays begin or end: runs of their own, which leave current values as
// they were. (GL leaves them undefined; this is what Mesa does.)
void gv_gl_recording_arrays(struct gv_gl *gl, bool begin);

void gv_gl_list_nodes_free(struct gv_gl_list_node *first);

// A copy of a call as a node. NULL: no memory, or values nested beyond all calls of GL.
struct gv_gl_list_node *gv_gl_list_call_node(const struct gv_gl *gl,
                                             const struct gv_gl_row *row,
                                             const struct gv_trace_call *call,
                                             struct gv_error *err);

#endif
