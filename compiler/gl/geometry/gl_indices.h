// Indices of a draw, of the program's memory or of the bound element buffer.
#ifndef GV_GL_INDICES_H
#define GV_GL_INDICES_H

#include "compiler/gl/base/gl_machine.h"

#define GV_GL_MAX_DRAW_VERTICES (1u << 24)

// A draw from vertex arrays.
struct gv_gl_array_draw {
    uint32_t mode;
    uint64_t first, count;                // without indices
    const struct gv_trace_value *indices; // NULL: without
    uint32_t type;                        // of indices
    int64_t base;                         // added to each index
    uint32_t instances, base_instance;
    uint32_t draw; // which one of a call that makes several
};

struct gv_gl_indices {
    const uint8_t *bytes;
    uint64_t count;
    uint32_t size;            // bytes of one
    int64_t base;             // added to each
    bool restarts;            // UINT32_MAX, as gv_gl_index gives them
    uint32_t restart;         // in their type
    uint64_t lowest, highest; // of all that are no restart
    // Where `bytes` stand: in a buffer object, as it is; serial 0: program's memory.
    uint64_t serial, version, place;
};

// Bytes of an index of a type; 0: no such type.
uint32_t gv_gl_index_bytes(uint32_t type);

// Opens the indices of a draw, as many of them as there are. False: the draw has none,
// or was rejected.
bool gv_gl_indices_open(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                        struct gv_gl_indices *out);

// Index `i`, base added; UINT32_MAX for a restart.
uint32_t gv_gl_index(const struct gv_gl_indices *in, uint64_t i);

#endif
