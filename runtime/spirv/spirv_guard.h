// One atomic on a buffer or an image, as a function of ours that performs it where it
// is inside (spirv_atomics.c): its parameters, its code.
#ifndef GV_SPIRV_GUARD_H
#define GV_SPIRV_GUARD_H

#include "runtime/spirv/spirv_parts.h"

#define GV_SPIRV_PLACE_INDICES GV_MAX_SPIRV_TYPE_DEPTH
#define GV_SPIRV_GUARD_PARAMETERS (GV_SPIRV_PLACE_INDICES + 4)

// Where an atomic goes.
struct gv_spirv_place {
    uint32_t root;                            // the variable, 0 = not known
    uint32_t indices[GV_SPIRV_PLACE_INDICES]; // the last ones first
    uint32_t count;
    const uint32_t *texel; // OpImageTexelPointer, NULL = a buffer
};

// A function being written.
struct gv_spirv_guard {
    struct gv_spirv_rewriting *r;
    const uint32_t *atomic;
    struct gv_spirv_place place;
    uint32_t types[GV_SPIRV_GUARD_PARAMETERS], ids[GV_SPIRV_GUARD_PARAMETERS],
        given[GV_SPIRV_GUARD_PARAMETERS], count;
};

// Labels of a function: where it begins, where it is inside, where both meet.
struct gv_spirv_branch {
    uint32_t start, then, end;
};

// The word of an atomic that names its pointer.
uint32_t gv_spirv_atomic_pointer(const uint32_t *w);

// ---- parameters, before the function begins ----

// A parameter of the type; calls give it `given`.
uint32_t gv_spirv_guard_parameter(struct gv_spirv_guard *g, uint32_t type,
                                  uint32_t given);
// The id a value has in the function.
uint32_t gv_spirv_guard_inside(struct gv_spirv_guard *g, uint32_t id);
// An index, as an unsigned word.
uint32_t gv_spirv_guard_index(struct gv_spirv_guard *g, uint32_t index);
// Which of an array of descriptors, in bounds; 0 = refused.
uint32_t gv_spirv_guard_which(struct gv_spirv_guard *g, const uint32_t *array,
                              uint32_t index);
// The operands of the atomic.
void gv_spirv_guard_values(struct gv_spirv_guard *g, uint32_t values[2]);

// ---- code ----

// The function begins, and the call stands in the body.
struct gv_spirv_branch gv_spirv_guard_begin(struct gv_spirv_guard *g);
// An operation with one operand or two (`b` not 0).
uint32_t gv_spirv_guard_put(struct gv_spirv_guard *g, uint32_t op, uint32_t type,
                            uint32_t a, uint32_t b);
// The lesser of a word and a literal.
uint32_t gv_spirv_guard_min(struct gv_spirv_guard *g, uint32_t a, uint32_t most);
uint32_t gv_spirv_guard_chain(struct gv_spirv_guard *g, uint32_t type, uint32_t root,
                              const uint32_t *indices, uint32_t count);
void gv_spirv_guard_if(struct gv_spirv_guard *g, const struct gv_spirv_branch *b,
                       uint32_t condition);
// The atomic itself, then the end: zeros where it is not inside.
void gv_spirv_guard_finish(struct gv_spirv_guard *g, const struct gv_spirv_branch *b,
                           uint32_t pointer, const uint32_t values[2]);

// ---- spirv_guard_buffer.c, spirv_guard_image.c ----

bool gv_spirv_guard_buffer(struct gv_spirv_guard *g);
bool gv_spirv_guard_image(struct gv_spirv_guard *g);

// The buffer's counterpart that is counted in words, NULL = none.
struct gv_spirv_counted *gv_spirv_counted_buffer(struct gv_spirv_rewriting *r,
                                                 uint32_t variable);

#endif
