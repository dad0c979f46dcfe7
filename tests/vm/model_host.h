// A host that models a GPU on the CPU: buffers and images have contents, one byte a
// texel and plane; draws and dispatches make numbers out of all that they may look at
// and write some, or all, of what they may write. What is left out of a program and
// mattered shows in its pictures.
#ifndef GV_MODEL_HOST_H
#define GV_MODEL_HOST_H

#include "vm/descs.h"
#include "vm/machine/vm.h"

#define MODEL_FRAMES 16
#define MODEL_EXPORTS 4
#define MODEL_CALLS 4
#define MODEL_BINDINGS 4 // numbers of a set, no arrays
#define MODEL_VERTEX 2
#define MODEL_COLORS 2

struct model_object {
    uint8_t kind; // enum gv_kind; 0: given up
    uint8_t *bytes;
    size_t size;
    uint32_t width, height, mips, layers, planes; // of an image
    uint64_t buffer, offset;                      // of a map
    bool compute; // of a pipeline; `bytes`: its description
};

struct model_view { // of an attachment
    uint64_t image;
    uint32_t mip, layer, load, stencil_load;
    uint8_t value, stencil;
};

struct model_bound {
    uint8_t call; // enum gv_call
    uint64_t object, offset, size, bytes;
    uint32_t mip, mips, layer, layers;
};

struct model_host {
    struct gv_host host; // to give to the VM
    struct model_object *objects;
    size_t count, capacity;
    struct model_bound bound[GV_MAX_SETS][MODEL_BINDINGS];
    struct model_bound vertex[MODEL_VERTEX], index;
    uint64_t graphics, compute; // pipelines
    uint64_t dynamic[GV_CALL_LIMIT];
    uint32_t scissor[4];
    struct model_view next[MODEL_COLORS + 1], targets[MODEL_COLORS + 1]; // last: depth
    uint32_t width, height;                                              // of the pass
    bool inside;                                                         // one
    uint64_t condition_buffer, condition_offset;
    bool condition, inverted;
    uint64_t query, query_slot;
    bool counting;
    uint64_t pictures[MODEL_FRAMES], picture;
    uint64_t exports[MODEL_EXPORTS];
    uint64_t calls[MODEL_CALLS]; // pictures between commands
    uint32_t call_count;
    uint32_t frame;
    bool met; // all requirements, or none
};

void model_host_init(struct model_host *host, bool met);
void model_host_finish(struct model_host *host);

// At a stop: a picture of attachment 0 of the current or last pass.
void model_host_look(struct model_host *host);

#endif
