// What the parts of the rewriting share (spirv_robust.h): one module on its way, and
// what each part does with an instruction.
#ifndef GV_SPIRV_PARTS_H
#define GV_SPIRV_PARTS_H

#include "runtime/spirv/spirv_robust.h"
#include "vm/spirv/spirv_edit.h"
#include "vm/spirv/spirv_gate.h"
#include "vm/spirv/spirv_values.h"

#define GV_MAX_SPIRV_ZERO_STORES 1024 // that one variable takes, loops counted once

// A buffer that is counted in words by a second variable of the same descriptor.
struct gv_spirv_counted {
    uint32_t variable, words; // ids
    uint32_t pointer;         // to one block of words
};

struct gv_spirv_rewriting {
    const struct gv_spirv_ids *ids;
    struct gv_spirv_values values;
    const struct gv_spirv_module *module;
    const struct gv_spirv_limits *limits;
    struct gv_spirv_edit edit;
    uint32_t glsl; // id of the GLSL.std.450 import
    struct gv_spirv_safe *out;
    uint32_t next_spec;               // the first SpecId nobody uses
    uint32_t vertices_id, samples_id; // constants for pipelines to give, 0 = none
    bool interpolates;                // InterpolationFunction is declared
    bool decorated;                   // the place for decorations has passed
    bool types_moved;                 // those of bools stand before all others
    uint64_t offset;                  // of the instruction at hand
    // Of atomics.
    struct gv_spirv_counted counted[GV_MAX_SPIRV_BINDINGS];
    uint32_t counted_count;
    uint32_t words_array;     // a type: words without end
    uint32_t words_blocks[2]; // types: such a block; of storage class Uniform
    bool queries;             // images are asked for their size
    bool can_query;           // ImageQuery is declared
    // Of variables that want zeros where a function begins.
    struct gv_bytes unset;    // their ids, of the function at hand
    struct gv_bytes privates; // for the entry point
    bool begun;               // the function's variables have passed
    bool in_entry;            // the function at hand is the entry point's
    uint32_t entry;           // that function
    // Of branches on uniforms.
    uint8_t *sources;      // [bound], owned: what values come of; NULL = not looked at
    uint32_t unknown;      // an input that compilers know nothing of, 0 = none
    uint32_t unknown_type; // of it
    uint32_t unknown_made; // the same where it is ours, else 0
    uint32_t hidden;       // what the branch behind the merge at hand asks, 0 = its own
    struct gv_error *err;
};

// Refuses the instruction at hand. Returns false.
bool gv_spirv_cannot(struct gv_spirv_rewriting *r, const char *what);

// ---- spirv_clamp.c: indices ----

// What an index must stay below: all that are given. With none the memory is robust.
struct gv_spirv_bound {
    uint32_t length;      // known now, 0 = not given
    uint32_t length_spec; // id of a 32-bit constant that pipelines may change, 0 = none
    uint32_t count_id;    // the same, of ours
};

// The index, or one in range made from it in the body.
uint32_t gv_spirv_clamp(struct gv_spirv_rewriting *r, uint32_t index,
                        const struct gv_spirv_bound *bound);
// As 32 bits: `*type` becomes the type.
uint32_t gv_spirv_word(struct gv_spirv_rewriting *r, uint32_t index, uint32_t *type);
bool gv_spirv_array_bound(struct gv_spirv_rewriting *r, const uint32_t *type,
                          struct gv_spirv_bound *out);
bool gv_spirv_clamp_chain(struct gv_spirv_rewriting *r, const uint32_t *w);
// The word at `at` is the index of a component of the vector w[3].
void gv_spirv_clamp_component(struct gv_spirv_rewriting *r, const uint32_t *w,
                              uint32_t at);
void gv_spirv_clamp_extended(struct gv_spirv_rewriting *r, const uint32_t *w);

// ---- spirv_unset.c: what was never written ----

bool gv_spirv_has_null(const struct gv_spirv_rewriting *r, uint32_t type);
// Whether no specialisation changes a type's size.
bool gv_spirv_is_fixed(const struct gv_spirv_rewriting *r, uint32_t type);
bool gv_spirv_undefined(struct gv_spirv_rewriting *r, const uint32_t *w);
// OpVectorShuffle's operands begin at the word `at`.
void gv_spirv_shuffle(const uint32_t *w, uint32_t at, struct gv_bytes *to);
void gv_spirv_unset_variable(struct gv_spirv_rewriting *r, const uint32_t *w,
                             struct gv_bytes *to);

// ---- spirv_zero.c: large variables ----

// Stores zeros to the variables noted in `unset`, at the entry point in `privates` too.
bool gv_spirv_zero_unset(struct gv_spirv_rewriting *r);

// ---- spirv_divide.c: signed divisions ----

// Types that specialised divisions need, before all others.
void gv_spirv_divide_types(struct gv_spirv_rewriting *r);
// Whether `w` divides and was written; its operands begin at the word `at`.
bool gv_spirv_divide(struct gv_spirv_rewriting *r, const uint32_t *w, uint32_t at,
                     struct gv_bytes *to);

// ---- spirv_hide.c: branches on uniforms ----

// Looks for them, where the driver is one that they must be hidden from.
bool gv_spirv_find_hidden(struct gv_spirv_rewriting *r);
void gv_spirv_decorate_unknown(struct gv_spirv_rewriting *r);
void gv_spirv_define_unknown(struct gv_spirv_rewriting *r);
// Writes a branch, or the merge before one, which asks for no unrolling.
void gv_spirv_hide_branch(struct gv_spirv_rewriting *r, const uint32_t *w);

// ---- spirv_atomics.c: atomics on buffers and images ----

bool gv_spirv_find_atomics(struct gv_spirv_rewriting *r);
void gv_spirv_decorate_counted(struct gv_spirv_rewriting *r);
void gv_spirv_define_counted(struct gv_spirv_rewriting *r);
bool gv_spirv_guard_atomic(struct gv_spirv_rewriting *r, const uint32_t *w);

#endif
