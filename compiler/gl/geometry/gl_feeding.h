// What a context keeps of geometry: glBegin, the list being made, arrays in the
// program's memory, evaluators, selection and feedback; and what all share.
#ifndef GV_GL_FEEDING_H
#define GV_GL_FEEDING_H

#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/geometry/gl_run.h"
#include "compiler/lower/id_map.h"

// ---- glBegin: gl_immediate.c ----

// A material that changes between the vertices of a primitive: one of its properties,
// per vertex, drawn as the colour that the material follows.
struct gv_gl_tint {
    uint32_t face, mode; // GL_FRONT ...; GL_DIFFUSE ...; 0: it does not change
    float *colors;       // owned; 4 floats a vertex
    uint32_t capacity;   // vertices
};

struct gv_gl_immediate {
    struct gv_gl_run run;
    bool pending; // whole primitives of `run` wait for others of their kind
    bool listed;  // a list began it: see gv_gl_geometry.other_diagonal
    struct gv_gl_material material[2]; // of the first vertex
    struct gv_gl_tint tint;
};

// ---- arrays: gl_array.c, gl_array_draw.c ----

// The program's memory, per slot; GV_GL_EDGE is that of edge flags.
struct gv_gl_user_arrays {
    uint64_t copies; // made so far
    struct {
        uint8_t *bytes; // owned
        uint64_t size, capacity, copy;
    } slots[GV_GL_ARRAY_SLOTS];
};

// Vertices and indices of the draw at hand, as floats and words; kept for the next one.
struct gv_gl_converted {
    float *floats;     // owned
    uint32_t *indices; // owned
    uint8_t *edges;    // owned
    struct gv_gl_device_array device[GV_GL_ARRAY_SLOTS];
    uint64_t floats_capacity, indices_capacity, edges_capacity; // elements
};

// ---- evaluators: gl_map.c ----

#define GV_GL_MAPS 9u // GL_MAPn_COLOR_4 to GL_MAPn_VERTEX_4

struct gv_gl_map {
    uint32_t order[2];  // of u, of v; 0: never given
    float domain[2][2]; // from, to
    float *points;      // owned
};

struct gv_gl_evaluator {
    struct gv_gl_map maps[2][GV_GL_MAPS]; // of one, of two dimensions
};

// ---- the list being made: gl_list_build.c ----

struct gv_gl_list_node; // gl_list_node.h

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
    bool arrays;     // vertices that come are of arrays
    bool run_arrays; // what `run` has is
};

// ---- all of it ----

struct gv_gl_feeding {
    struct gv_gl_feeding *next; // of all contexts: gv_gl_lists
    struct gv_gl_immediate immediate;
    struct gv_gl_user_arrays user;
    struct gv_gl_converted converted;
    struct gv_id_map vertex_arrays;
    struct gv_gl_recording recording;
    struct gv_gl_evaluator evaluator;
    uint32_t render_mode;           // GL_SELECT, GL_FEEDBACK; else GL_RENDER
    bool can_select, can_feed_back; // a buffer was given
};

// Runs a call of a list as the dispatch would, which checks what may stand where.
typedef bool gv_gl_runner(struct gv_gl *gl, const struct gv_gl_row *row,
                          const struct gv_trace_call *call, struct gv_error *err);

struct gv_gl_index_range; // gl_indices.c

struct gv_gl_lists {
    gv_gl_runner *run;                // set by the dispatch
    struct gv_gl_feeding *feedings;   // of all contexts
    struct gv_id_map map;             // of all groups
    uint32_t depth;                   // of lists that run
    uint32_t nodes_of_call;           // that ran
    struct gv_gl_index_range *ranges; // of indices that were looked at; NULL: none yet
};

// The current context's, made when first asked for. NULL: no memory.
struct gv_gl_feeding *gv_gl_feeding(struct gv_gl_context *c, struct gv_gl_lists *lists,
                                    struct gv_arena *arena, struct gv_error *err);

// Draws, unless the context selects or feeds back.
bool gv_gl_submit(struct gv_gl *gl, const struct gv_gl_geometry *g,
                  struct gv_error *err);

#endif
