// SPIR-V as it was recorded in a capture of a Vulkan program, and as payloads have it:
// one entry point that is `main`, descriptors in the four sets of a payload, push
// constants as a block of uniform bytes, input attachments as images to sample, the
// view index as a specialisation constant. Two steps, since all stages of a pipeline
// share one numbering: read each stage, number what they use together, write each
// stage.
//
//   struct gv_recorded vertex;
//   gv_recorded_read(&source, arena, &vertex, err);  // uses (7, 3), 64 push bytes
//   places = { { .set = 7, .binding = 3, .to_set = 2, .to_binding = 0 } };
//   gv_recorded_write(&vertex, &map, arena, &stage, err);
#ifndef GV_RECORDED_H
#define GV_RECORDED_H

#include "compiler/shader/shader.h"
#include "resources/base/arena.h"

// A stage of a pipeline as the program created it.
struct gv_recorded_source {
    const uint32_t *words; // borrowed as long as the result is used
    size_t count;
    const char *entry; // pName
    uint32_t stage;    // one GV_STAGE_* bit
    // Specialisation: sizes of arrays and workgroups may depend on it. Others' stages
    // are passed over.
    const struct gv_spec_constant *specs;
    size_t spec_count;
};

#define GV_RECORDED_NO_VIEW UINT32_MAX

// A descriptor that the entry point uses.
struct gv_recorded_binding {
    uint32_t set, binding; // as recorded, up to any number
    uint32_t type;         // GV_BINDING_*; uniform blocks are UNIFORM_BUFFER
    uint32_t count;        // array elements, >= 1
    bool writable;         // storage that is not declared read-only
};

struct gv_recorded {
    uint32_t stage;
    // The module with this entry point alone, as `main`, and what it uses.
    const uint32_t *words;
    size_t count;
    const struct gv_recorded_binding *bindings; // ascending (set, binding), each once
    uint32_t binding_count;
    uint32_t push_bytes; // from 0 to the end of the block; 0: it uses no push constant
    // The specialisation constant that is the index of the view; GV_RECORDED_NO_VIEW:
    // it does not read it. No other constant of the stage has this id or a greater one.
    uint32_t view_spec;
    // Locations it reads (vertex stage: attributes) and writes, as bit sets.
    uint64_t input_locations, output_locations;
};

// Validates a module as it was recorded, takes one entry point of it and tells what
// that uses. All lives in `arena`. Any thread.
//
// Errors: GV_ERR_FORMAT with the byte in the module for what is no valid SPIR-V, or has
// no such entry point; GV_ERR_UNSUPPORTED, a message `unsupported: SPIR-V capability
// MultiView`, for what payloads do not have.
bool gv_recorded_read(const struct gv_recorded_source *source, struct gv_arena *arena,
                      struct gv_recorded *out, struct gv_error *err);

// Where a descriptor goes.
struct gv_recorded_place {
    uint32_t set, binding;       // as recorded
    uint32_t to_set, to_binding; // < GV_MAX_SETS, < GV_MAX_BINDING_NUMBER
};

struct gv_recorded_map {
    const struct gv_recorded_place *places; // every descriptor of the stage, any order
    uint32_t count;
    uint32_t push_set, push_binding; // of the block of push constants, if there is one
};

struct gv_recorded_stage {
    // Bindings as the payload numbers them; push constants are UNIFORM_BUFFER_DYNAMIC.
    struct gv_shader_stage stage;
    // What a device must have for the blocks' layouts, for gv_builder_require; NULL:
    // nothing. "uniformBufferStandardLayout" or "scalarBlockLayout".
    const char *feature;
};

// Writes a stage with these numbers, and validates what it wrote. All lives in `arena`.
// Ids of specialisation constants stay. Errors as above; GV_ERR_FORMAT too where a
// descriptor has no place.
bool gv_recorded_write(const struct gv_recorded *recorded,
                       const struct gv_recorded_map *map, struct gv_arena *arena,
                       struct gv_recorded_stage *out, struct gv_error *err);

#endif
