// Vertex input: from what a vertex stage reads to the attributes and slots of a
// pipeline, and the streams and indices of a draw. What is absent reads zeros; a stride
// of 0 is one vertex for all; vertices at offsets or strides that no device takes are
// laid out anew where their buffer's content is known; indices past the end of their
// buffer read 0.
#ifndef GV_LOWER_INPUT_H
#define GV_LOWER_INPUT_H

#include "compiler/lower/lower_buffer.h"

#define GV_LOWER_MAX_STRIDE 2048u // what all devices take

enum gv_lower_component { GV_LOWER_FLOAT, GV_LOWER_UINT, GV_LOWER_SINT };

// What one location reads.
struct gv_lower_attribute {
    uint32_t location;
    enum gv_lower_component component; // of the stage's variable
    const char *name;                  // of it, for errors
    bool there;                        // false: it reads zeros
    uint32_t format;                   // GV_FORMAT_* of the stream
    uint32_t slot, offset;
    bool instance; // a step per `step` instances (0: never) rather than per vertex
    uint32_t step;
};

// Of a pipeline: what it reads.
struct gv_lower_slots {
    uint32_t used;  // bit per slot that it reads
    uint32_t zeros; // slots where nothing may be bound: they read zeros
    uint32_t extents[GV_MAX_VERTEX_BINDINGS];   // bytes of a vertex it reads
    uint32_t alignment[GV_MAX_VERTEX_BINDINGS]; // bytes that vertices are aligned to
};

// Fills the vertex input of `desc`. `taken`: slots that zeros must not come from.
// GV_ERR_UNSUPPORTED (a format that does not fit the variable, both rates in one slot),
// GV_ERR_LIMIT; without a place.
bool gv_lower_input(const struct gv_lower_attribute *attributes, uint32_t count,
                    uint32_t taken, struct gv_graphics_desc *desc,
                    struct gv_lower_slots *slots, struct gv_error *err);

struct gv_lower_vertices {
    struct gv_lower_buffer *buffer; // NULL: none
    uint32_t stride, offset;
};

// Checks and uploads the streams that `slots` reads and binds those that are `dirty`
// (bit per slot), whose bits are cleared. May close the pass. GV_ERR_LIMIT,
// GV_ERR_FORMAT, GV_ERR_SYSTEM; without a place.
bool gv_lower_bind_streams(struct gv_lower_buffers *bs,
                           const struct gv_lower_vertices *streams,
                           const struct gv_lower_slots *slots, uint32_t *dirty,
                           struct gv_error *err);

// The index buffer of a context. Zeroed: nothing is bound.
struct gv_lower_indices {
    struct gv_lower_buffer *buffer;
    bool wide; // 32 bits
    uint32_t offset;
    bool dirty; // something else may be bound

    struct gv_lower_copy copy;
    struct gv_buffer bound; // the buffer or its copy
};

// Binds what a draw of `count` indices from `*first` on reads: the buffer, or a copy
// where its offset is not aligned or the draw passes its end. `*first` moves where all
// are past it. May close the pass. `buffer` must not be NULL.
void gv_lower_bind_indices(struct gv_lower_buffers *bs, struct gv_lower_indices *x,
                           uint32_t *first, uint32_t count);

#endif
