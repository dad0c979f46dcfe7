// What the two halves of the rewriting share: the module (spirv_quads.c) and the
// function that makes a corner (spirv_quad_code.c).
#ifndef GV_SPIRV_QUADS_PRIVATE_H
#define GV_SPIRV_QUADS_PRIVATE_H

#include "resources/base/bytes.h"
#include "runtime/spirv/spirv_quads.h"
#include "vm/spirv/spirv_ids.h"

#define GV_QUAD_MEMBERS 64    // of a block
#define GV_QUAD_VARIABLES 512 // more than 32 locations and all builtins need

// An input or output of the module: now a private variable, and what stands in for it
// outside.
struct gv_quad_variable {
    uint32_t id, pointer, type; // of the module
    bool output;
    uint32_t builtin, location;    // GV_SPIRV_UNSET: none, or a block's
    bool block;                    // its members have decorations
    uint64_t used;                 // members of a block that the module touches
    uint32_t outer_pointer, outer; // of the other side; 0 = none is needed
    uint32_t outer_type;           // of a block: a struct of our own
    uint32_t second;               // lines: the input of the last vertex
    uint32_t saved;                // lines: the output of the first vertex, private
};

struct gv_quad_rewrite {
    const struct gv_spirv_quads *how;
    struct gv_spirv_ids ids;
    struct gv_quad_variable *variables; // owned
    size_t count, capacity;
    uint32_t main, entry;            // the module's function, ours
    uint32_t bound;                  // the next id
    uint32_t glsl;                   // the import of GLSL.std.450
    bool imported;                   // `glsl` is ours
    uint32_t corner;                 // own inputs: VertexIndex,
    uint32_t primitive;              // InstanceIndex,
    uint32_t record[GV_QUAD_INPUTS]; // 0 = none
    uint32_t point_coord;            // own outputs; 0 = none
    uint32_t smooth_ends, smooth_width;
    uint32_t float_type, int_type, uint_type, bool_type, vec2, vec4, ivec4;
    uint32_t void_type, function_type;
    bool marked;             // own decorations stand
    struct gv_bytes globals; // types, constants and variables of ours
    struct gv_bytes out;
    struct gv_bytes code; // of the function
};

// An id of a constant, made anew.
uint32_t gv_quad_constant(struct gv_quad_rewrite *r, uint32_t type, uint32_t value);
// A pointer type made anew.
uint32_t gv_quad_pointer(struct gv_quad_rewrite *r, uint32_t storage, uint32_t type);

// Which of the variables or members has this built-in; false: none.
bool gv_quad_find(const struct gv_quad_rewrite *r, uint32_t builtin,
                  const struct gv_quad_variable **variable, uint32_t *member);

// The types that `r` has ids for: the module's, or made.
void gv_quad_types(struct gv_quad_rewrite *r);
// A variable of ours.
uint32_t gv_quad_own_variable(struct gv_quad_rewrite *r, uint32_t storage,
                              uint32_t type);
// GLSL.std.450, imported where the module does not.
void gv_quad_import(struct gv_quad_rewrite *r);

// A result of an instruction in `code`. Operands that are themselves written come
// before it.
uint32_t gv_quad_value(struct gv_quad_rewrite *r, uint32_t op, uint32_t type,
                       const uint32_t *operands, size_t count);
#define GV_QUAD_VALUE(r, op, type, ...)                     \
    gv_quad_value(r, op, type, (uint32_t[]){ __VA_ARGS__ }, \
                  sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))
uint32_t gv_quad_float(struct gv_quad_rewrite *r, float value);
void gv_quad_return(struct gv_quad_rewrite *r); // and the function's end

// The member's type; of blocks alone.
uint32_t gv_quad_member_type(const struct gv_quad_rewrite *r,
                             const struct gv_quad_variable *v, uint32_t member);

// spirv_quad_code.c: appends the function to `code`, what it needs to `globals`.
void gv_quad_write_function(struct gv_quad_rewrite *r);

#endif
