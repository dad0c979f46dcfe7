// What a SPIR-V module declares: enough of a reader for interfaces, no more. It takes
// words that no validator has seen, and leaves to the run what vm/spirv refuses; and it
// knows names, and where decorations stand, which the runtime has no use for.
#ifndef GV_SPIRV_SCAN_H
#define GV_SPIRV_SCAN_H

#include "compiler/shader/shader.h"
#include "resources/base/arena.h"
#include "vm/spirv/spirv_needs.h" // GV_SPIRV_UNSET
#include "vm/spirv/spirv_words.h"

// One module-scope variable of an interface storage class.
struct gv_spirv_variable {
    uint32_t id;
    SpvStorageClass storage;
    const char *name;       // OpName of the variable, "" without
    const char *block_name; // OpName of its block (a decorated struct type), "" without
    uint32_t location; // GV_SPIRV_UNSET: none (also of blocks with member locations)
    uint32_t location_count; // locations its type takes
    uint64_t locations;      // the locations below 64 it takes, members included
    bool builtin;            // a built-in, or a block of them
    bool arrayed;            // outermost array, for GS/HS/DS per-vertex inputs
    uint32_t set, binding;   // GV_SPIRV_UNSET: none
    uint32_t type, count;    // GV_BINDING_* and array elements, of descriptors
    size_t location_at, binding_at,
        set_at; // word index of the decoration's literal, 0: none
};

struct gv_spirv_variables {
    struct gv_spirv_variable *variables; // in module order
    size_t variable_count;
};

// Reads a module's names, decorations, types and variables. `stage` is one GV_STAGE_*
// bit: it decides which interface arrays are per vertex. Everything lives in `arena`
// or, for names, in `words`. GV_ERR_FORMAT with the byte offset into the module.
bool gv_spirv_scan(const uint32_t *words, size_t word_count, uint32_t stage,
                   struct gv_arena *arena, struct gv_spirv_variables *out,
                   struct gv_error *err);

// Fills `out->bindings`, `binding_count`, `input_locations` and `output_locations` from
// `out->stage` and `out->words`.
bool gv_spirv_reflect(struct gv_shader_stage *out, struct gv_arena *arena,
                      struct gv_error *err);

#endif
