// A SPIR-V module being written anew: words that grow, and constants made at need.
#ifndef GV_SPIRV_EDIT_H
#define GV_SPIRV_EDIT_H

#include "vm/spirv/spirv_values.h"

struct gv_spirv_words {
    uint32_t *data; // owned
    size_t count, capacity;
};

struct gv_spirv_made; // one constant

struct gv_spirv_edit {
    const struct gv_spirv_values *values; // of the module as it was
    struct gv_spirv_words head;           // up to the functions
    struct gv_spirv_words body;           // the functions
    struct gv_spirv_words helpers;        // functions of ours, behind the others
    uint32_t next_id;
    uint32_t glsl;        // id of the GLSL.std.450 import
    uint32_t uint;        // id of the type, 0 = not found or made yet
    uint32_t bools[5];    // the same of bool [1] and its vectors
    uint32_t uints[5];    // of vectors of words
    bool functions_known; // the module's function types are in the table
    struct gv_spirv_made *made;
    uint32_t *table; // [slots]: index + 1 in `made`, 0 = free
    size_t made_count, made_capacity, slots;
    bool out_of_memory;
};

void gv_spirv_edit_init(struct gv_spirv_edit *edit,
                        const struct gv_spirv_values *values);
void gv_spirv_edit_finish(struct gv_spirv_edit *edit);

// Appends words. Out of memory is noted in `edit`.
void gv_spirv_edit_put(struct gv_spirv_edit *edit, struct gv_spirv_words *to,
                       const uint32_t *words, size_t count);

// One instruction of an operation and its operands.
#define GV_SPIRV_EDIT_PUT(edit, to, op, ...)                          \
    gv_spirv_edit_op(edit, to, op, (const uint32_t[]){ __VA_ARGS__ }, \
                     sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)
void gv_spirv_edit_op(struct gv_spirv_edit *edit, struct gv_spirv_words *to,
                      uint32_t op, const uint32_t *operands, size_t count);

// Ids of module-level things, defined at the end of `head` when first asked for: the
// 32-bit unsigned type, a 32-bit constant, a null, the specialisable `length` less one
// (its type has 32 bits, `type` too).
uint32_t gv_spirv_edit_uint(struct gv_spirv_edit *edit);
uint32_t gv_spirv_edit_constant(struct gv_spirv_edit *edit, uint32_t type,
                                uint32_t value);
uint32_t gv_spirv_edit_null(struct gv_spirv_edit *edit, uint32_t type);
uint32_t gv_spirv_edit_last(struct gv_spirv_edit *edit, uint32_t type, uint32_t length);

// The same of further types: bool or a vector of `n` of them, a vector of unsigned
// words, a pointer, a function's. Those the module has must stand in `head` by then.
uint32_t gv_spirv_edit_bool(struct gv_spirv_edit *edit, uint32_t n);
uint32_t gv_spirv_edit_uints(struct gv_spirv_edit *edit, uint32_t n);
uint32_t gv_spirv_edit_pointer(struct gv_spirv_edit *edit, uint32_t storage_class,
                               uint32_t type);
uint32_t gv_spirv_edit_function(struct gv_spirv_edit *edit, uint32_t result,
                                const uint32_t *parameters, size_t count);

// A constant of an integer type of any width, or of a vector of them.
enum gv_spirv_number { GV_SPIRV_ONE, GV_SPIRV_MINUS_ONE, GV_SPIRV_LEAST };
uint32_t gv_spirv_edit_number(struct gv_spirv_edit *edit, uint32_t type,
                              enum gv_spirv_number number);

// An id that stands for `what` of `type`; `*is_new` at the first call for the two.
enum gv_spirv_helper { GV_SPIRV_ZERO_HELPER };
uint32_t gv_spirv_edit_helper(struct gv_spirv_edit *edit, enum gv_spirv_helper what,
                              uint32_t type, bool *is_new);

#endif
