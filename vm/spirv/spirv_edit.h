// A SPIR-V module being written anew: sections that grow, ids, and types and constants
// made at need. Every rewriter of modules writes with it.
#ifndef GV_SPIRV_EDIT_H
#define GV_SPIRV_EDIT_H

#include "resources/base/arena.h"
#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "vm/spirv/spirv_words.h"

struct gv_spirv_made; // one type or constant

struct gv_spirv_edit {
    const uint32_t *words; // borrowed: the module as it was
    size_t functions;      // word index of its first function
    // The module as it will be, in this order. Words are added with gv_spirv_put.
    struct gv_bytes front;   // what stands before types, where `head` grows meanwhile
    struct gv_bytes head;    // up to the functions; what is made at need ends it
    struct gv_bytes body;    // the functions
    struct gv_bytes helpers; // functions of ours, behind the others
    uint32_t next_id;
    bool functions_known; // the module's function types are in the table
    struct gv_spirv_made *made;
    uint32_t *table; // [slots]: index + 1 in `made`, 0 = free
    size_t made_count, made_capacity, slots;
    bool out_of_memory; // of the table
};

// `words`: a module whose instructions are whole up to the word `functions`.
void gv_spirv_edit_init(struct gv_spirv_edit *edit, const uint32_t *words,
                        size_t functions);
void gv_spirv_edit_finish(struct gv_spirv_edit *edit);

// Whether memory ran out for anything.
bool gv_spirv_edit_failed(const struct gv_spirv_edit *edit);

// The sections as one module with its ids' bound: words of the caller's, who frees
// them, or words in the arena. GV_ERR_SYSTEM without memory.
bool gv_spirv_edit_take(struct gv_spirv_edit *edit, uint32_t **out, size_t *count,
                        struct gv_error *err);
bool gv_spirv_edit_copy(const struct gv_spirv_edit *edit, struct gv_arena *arena,
                        uint32_t **out, size_t *count, struct gv_error *err);

// Ids of module-level things, defined at the end of `head` when first asked for. Those
// the module has must stand in `head` by then.

// A bool (SpvOpTypeBool, both 0), an integer (width, sign) or a vector (of, count).
uint32_t gv_spirv_edit_type(struct gv_spirv_edit *edit, SpvOp op, uint32_t first,
                            uint32_t second);
// The 32-bit unsigned type or a vector of `n` of it; bool or a vector of `n` of them.
uint32_t gv_spirv_edit_uint(struct gv_spirv_edit *edit);
uint32_t gv_spirv_edit_uints(struct gv_spirv_edit *edit, uint32_t n);
uint32_t gv_spirv_edit_bool(struct gv_spirv_edit *edit, uint32_t n);
uint32_t gv_spirv_edit_pointer(struct gv_spirv_edit *edit, uint32_t storage_class,
                               uint32_t type);
uint32_t gv_spirv_edit_function(struct gv_spirv_edit *edit, uint32_t result,
                                const uint32_t *parameters, size_t count);

// A 32-bit constant, a null, the specialisable `length` less one (its type has 32 bits,
// `type` too).
uint32_t gv_spirv_edit_constant(struct gv_spirv_edit *edit, uint32_t type,
                                uint32_t value);
uint32_t gv_spirv_edit_null(struct gv_spirv_edit *edit, uint32_t type);
uint32_t gv_spirv_edit_last(struct gv_spirv_edit *edit, uint32_t type, uint32_t length);

// A constant of its own at each call, of 32 bits; of floats; a vector `type` of `n`
// times one constant.
uint32_t gv_spirv_edit_word(struct gv_spirv_edit *edit, uint32_t type, uint32_t word);
uint32_t gv_spirv_edit_float(struct gv_spirv_edit *edit, uint32_t type, float value);
uint32_t gv_spirv_edit_splat(struct gv_spirv_edit *edit, uint32_t type, uint32_t one,
                             uint32_t n);

// A constant of an integer type of any width, or of a vector of `n` of them. `integer`
// is the instruction that defines the type (of its components).
enum gv_spirv_number { GV_SPIRV_ONE, GV_SPIRV_MINUS_ONE, GV_SPIRV_LEAST };
uint32_t gv_spirv_edit_number(struct gv_spirv_edit *edit, const uint32_t *integer,
                              uint32_t type, uint32_t n, enum gv_spirv_number number);

// An id that stands for `what` of `type`; `*is_new` at the first call for the two.
enum gv_spirv_helper { GV_SPIRV_ZERO_HELPER };
uint32_t gv_spirv_edit_helper(struct gv_spirv_edit *edit, enum gv_spirv_helper what,
                              uint32_t type, bool *is_new);

#endif
