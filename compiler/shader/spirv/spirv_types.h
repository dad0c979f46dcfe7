// The types of a SPIR-V module with their names, and which variables its code uses: for
// reflection by name. It takes what the validator has accepted.
#ifndef GV_SPIRV_TYPES_H
#define GV_SPIRV_TYPES_H

#include "resources/base/arena.h"
#include "resources/base/error.h"
#include "vm/spirv/spirv_words.h"

struct gv_spirv_types {
    const uint32_t *words; // borrowed
    size_t count;
    uint32_t bound;
    size_t *at;         // [bound]: the instruction that makes an id, 0: none
    const char **names; // [bound]: OpName, NULL without
    size_t functions;   // where the first function begins
    struct gv_spirv_field **fields; // [bound]: of structures that were asked for
    struct gv_arena *arena;
};

// A member of a structure. Numbers are GV_SPIRV_UNSET where it has no such decoration.
struct gv_spirv_field {
    const char *name; // "" without
    uint32_t type, offset, matrix_stride;
    bool row_major;
};

// Everything lives in `arena` or, for names, in `words`. GV_ERR_FORMAT, GV_ERR_SYSTEM.
bool gv_spirv_types_read(const uint32_t *words, size_t count, struct gv_arena *arena,
                         struct gv_spirv_types *out, struct gv_error *err);

// The instruction that makes an id; one that is OpNop where none does.
const uint32_t *gv_spirv_type(const struct gv_spirv_types *t, uint32_t id);
// "" without a name.
const char *gv_spirv_name(const struct gv_spirv_types *t, uint32_t id);
// A constant's first word, 0 for what is none.
uint32_t gv_spirv_value(const struct gv_spirv_types *t, uint32_t id);

// The members of a structure, their number in `count`; NULL: none, or no memory.
const struct gv_spirv_field *gv_spirv_fields(struct gv_spirv_types *t, uint32_t id,
                                             uint32_t *count);

// What an id is decorated with: the literal (0 of a decoration without one),
// GV_SPIRV_UNSET where it is not.
uint32_t gv_spirv_mark(const struct gv_spirv_types *t, uint32_t id,
                       SpvDecoration decoration);

// Marks in used[bound] the variables that functions load, store, index, pass on.
void gv_spirv_mark_used(const struct gv_spirv_types *t, bool *used);
// The same of the members of one variable that is a block: members[count].
void gv_spirv_mark_members(const struct gv_spirv_types *t, uint32_t variable,
                           bool *members, uint32_t count);

// The module without the variables of these storage classes (bits of SpvStorageClass)
// that nothing uses and that are no built-ins.
bool gv_spirv_drop_unused(const uint32_t *words, size_t count, uint32_t classes,
                          struct gv_arena *arena, const uint32_t **out,
                          size_t *out_count, struct gv_error *err);

#endif
