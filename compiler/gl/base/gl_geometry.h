// Primitives with all that their vertices carry, as they come from glBegin, arrays,
// lists, evaluators, rectangles: the one shape that is drawn (draw/gl_draw.h).
#ifndef GV_GL_GEOMETRY_H
#define GV_GL_GEOMETRY_H

#include <string.h>

#include "compiler/builder/builder.h"
#include "compiler/gl/base/gl_state.h"
#include "resources/hash.h"

// Elements of an array that only the device has, from that of vertex 0 on; of those
// that step by instance, from the first one on.
struct gv_gl_buffer;
struct gv_gl_device_array {
    struct gv_gl_buffer *buffer;
    uint64_t offset; // bytes
    uint32_t stride, divisor;
    uint32_t type, size; // as struct gv_gl_array has them
    uint8_t kind;
    bool normalized;
};

// What the device alone knows of a draw.
struct gv_gl_counted {
    // As many vertices as transform feedback captured: a count of bytes. None: one of
    // the following.
    struct gv_buffer counter;
    uint32_t stride; // bytes of a captured vertex
    // All numbers: VkDrawIndirectCommand or, with indices,
    // VkDrawIndexedIndirectCommand.
    struct gv_gl_buffer *commands; // NULL: `count` indices
    uint64_t offset;               // bytes, of the count or the command
    struct gv_gl_buffer *indices;  // NULL: in order
    uint64_t first_index;          // bytes
    uint32_t index_type;           // GV_INDEX_TYPE_*
    uint32_t count;
    int32_t base; // added to each index
};

// What of a geometry is made when somebody reads it: gv_gl_geometry_make.
struct gv_gl_unmade {
    void (*make)(const struct gv_gl_unmade *u);
    bool made;
};

struct gv_gl_geometry {
    uint32_t mode; // GL_POINTS to GL_PATCHES; `patches` of the context has their size
    uint32_t vertex_count;
    // Per slot: as many words a vertex as `sizes[slot]` says, `strides[slot]` words
    // from vertex to vertex; NULL: the current value of the slot (of the state) for
    // all. Position is never NULL unless a program is in use. They may lie in a buffer
    // object: gv_gl_geometry_fetch has all four components.
    const float *slots[GV_GL_SLOTS];
    uint32_t strides[GV_GL_SLOTS];
    uint32_t sizes[GV_GL_SLOTS]; // components that were given; others are 0, 0, 0, 1
    // enum gv_gl_kind of the slots that are here; those that are not have the current
    // value's.
    uint8_t kinds[GV_GL_SLOTS];
    // The third and fourth number of generic attributes of doubles, likewise.
    const float *behind[GV_GL_GENERICS];
    uint32_t behind_strides[GV_GL_GENERICS];
    // Arrays that only the device has, by slot: theirs stand in `slots` as NULL.
    const struct gv_gl_device_array *device[GV_GL_SLOTS];
    uint32_t devices; // how many slots have one
    // Bit per generic slot that steps by instance: its array has 4 floats for each
    // instance from 0 on, divisor and base counted in.
    uint32_t instanced;
    // Numbers of vertices in the order drawn; NULL: all, in order.
    const uint32_t *indices;
    uint32_t index_count;
    const uint8_t *edges; // per vertex; NULL: all the current edge flag
    bool restarts;        // `restart` among the indices ends a primitive
    uint32_t restart;
    // Quads are cut along v1-v3, as llvmpipe does for glDrawElements and in display
    // lists, rather than along v0-v2.
    bool other_diagonal;
    // The stipple of a strip begins anew with each line, as llvmpipe has it in display
    // lists.
    bool lines_apart;
    uint32_t instances;                  // 1 and more
    const struct gv_gl_counted *counted; // NULL: `vertex_count` says how many there are
    // Names all that slots, indices and edges hold: equal names, equal content. NULL:
    // nothing names it.
    const struct gv_hash *source;
    // Not yet there: what `slots` and `indices` point to. NULL: all is there.
    struct gv_gl_unmade *unmade;
    // What programs can ask for. gl_VertexID of each vertex, base counted in; NULL:
    // `first_id` and those behind it.
    const uint32_t *ids;
    uint32_t first_id;
    int32_t base_vertex;          // gl_BaseVertex: 0 without indices
    uint32_t base_instance, draw; // gl_BaseInstance, gl_DrawID
};

// Before slots or indices are read.
static inline void gv_gl_geometry_make(const struct gv_gl_geometry *g)
{
    if (!g->unmade || g->unmade->made)
        return;
    g->unmade->made = true;
    g->unmade->make(g->unmade);
}

// All four components of a vertex in a slot that is not NULL.
static inline void gv_gl_geometry_fetch(const struct gv_gl_geometry *g, uint32_t slot,
                                        uint32_t vertex, float out[4])
{
    static const float reals[4] = { 0, 0, 0, 1 };
    static const uint32_t integers[4] = { 0, 0, 0, 1 };
    const uint32_t size = g->sizes[slot];
    const bool integer = g->kinds[slot] == GV_GL_INTS || g->kinds[slot] == GV_GL_UINTS;
    memcpy(out, integer ? (const void *)integers : reals, sizeof reals);
    memcpy(out, g->slots[slot] + (size_t)vertex * g->strides[slot],
           size >= 1 && size <= 4 ? size * sizeof *out : sizeof reals);
}

struct gv_gl_context;
struct gv_gl_sink;
// glEnableClientState and glDisableClientState (geometry/gl_array_enable.c).
bool gv_gl_switch_array(struct gv_gl_context *c, struct gv_gl_sink *sink,
                        uint32_t array, bool on);

#endif
