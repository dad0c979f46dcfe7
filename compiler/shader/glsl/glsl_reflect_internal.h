// What the files of reflection share.
#ifndef GV_GLSL_REFLECT_INTERNAL_H
#define GV_GLSL_REFLECT_INTERNAL_H

#include "compiler/shader/glsl/glsl_notes.h"
#include "compiler/shader/glsl/glsl_program.h"
#include "compiler/shader/spirv/spirv_flat.h"
#include "compiler/shader/spirv/spirv_scan.h"
#include "compiler/shader/spirv/spirv_types.h"

// One stage of a linked program.
struct glsl_module {
    uint32_t stage;
    struct gv_spirv_types types;
    const struct gv_spirv_variables *variables;
    const bool *used; // [types.bound]
    const struct gv_spirv_flats *flats;
};

struct glsl_reflecting {
    const struct glsl_upgraded *upgraded;
    struct gv_glsl_program *program;
    struct glsl_module modules[GV_MAX_GLSL_STAGES]; // in the program's order
    size_t uniform_capacity;
    const uint64_t *bools; // [bool_count], ascending: members that are bool
    size_t bool_count;
    struct gv_arena *arena;
    struct gv_error *err;
};

// Fills program->reflection.
bool glsl_reflect(struct glsl_reflecting *r);

// glsl_reflect_blocks.c: uniform and storage blocks, that of loose uniforms among them.
bool glsl_reflect_blocks(struct glsl_reflecting *r);

// glsl_reflect_names.c: false where stages mean different things by one name.
bool glsl_reflect_names(struct glsl_reflecting *r);

// Likewise: the indices of blocks, which are known by now.
bool glsl_order_blocks(struct glsl_reflecting *r);

// What SPIR-V says of a scalar, vector or matrix; false: it is none.
bool glsl_basic_type(const struct gv_spirv_types *t, uint32_t id,
                     struct gv_glsl_type *out);
// What a variable points to.
uint32_t glsl_pointee(const struct gv_spirv_types *t, uint32_t variable);
// Whether a variable of storage is written (gv_spirv_say_read_only).
bool glsl_is_written(const struct gv_spirv_types *t, uint32_t variable);
// The index of a resource, GV_GLSL_NONE without.
uint32_t glsl_resource_of(const struct gv_glsl_program *p,
                          const struct gv_spirv_variable *v);
// `name` with [0] behind, in the arena.
const char *glsl_array_name(struct glsl_reflecting *r, const char *name);

#endif
