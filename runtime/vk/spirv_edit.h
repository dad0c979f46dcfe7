// A SPIR-V module being written anew: words that grow, and constants made at need.
#ifndef GV_SPIRV_EDIT_H
#define GV_SPIRV_EDIT_H

#include "runtime/vk/spirv_values.h"

struct gv_spirv_words {
    uint32_t *data; // owned
    size_t count, capacity;
};

struct gv_spirv_made; // one constant

struct gv_spirv_edit {
    const struct gv_spirv_values *values; // of the module as it was
    struct gv_spirv_words head;           // up to the functions
    struct gv_spirv_words body;           // the functions
    uint32_t next_id;
    uint32_t glsl; // id of the GLSL.std.450 import
    uint32_t uint; // id of the type, 0 = not found or made yet
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

// Ids of module-level things, defined at the end of `head` when first asked for: the
// 32-bit unsigned type, a 32-bit constant, a null, the specialisable `length` less one
// (its type has 32 bits, `type` too).
uint32_t gv_spirv_edit_uint(struct gv_spirv_edit *edit);
uint32_t gv_spirv_edit_constant(struct gv_spirv_edit *edit, uint32_t type,
                                uint32_t value);
uint32_t gv_spirv_edit_null(struct gv_spirv_edit *edit, uint32_t type);
uint32_t gv_spirv_edit_last(struct gv_spirv_edit *edit, uint32_t type, uint32_t length);

#endif
