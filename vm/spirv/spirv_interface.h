// The variables of a SPIR-V module: descriptors, locations, memory.
#ifndef GV_SPIRV_INTERFACE_H
#define GV_SPIRV_INTERFACE_H

#include "vm/spirv/spirv_ids.h"

// What one scan works with.
struct gv_spirv_scan_state {
    struct gv_spirv_ids *ids;
    const struct gv_spirv_limits *limits;
    struct gv_spirv_module *module;
    size_t binding_capacity;
    uint64_t private_bytes, shared_bytes;
    uint32_t clip_distances, cull_distances;
    bool clips, culls; // capabilities of such distances are declared
};

// Accounts for one OpVariable: fills the module's bindings and interfaces, adds up
// memory. `instruction` belongs to `scan->ids`.
bool gv_spirv_variable(struct gv_spirv_scan_state *scan, const uint32_t *instruction,
                       struct gv_error *err);

// Checks the descriptor indices of an access chain whose base is a global variable.
bool gv_spirv_check_chain(struct gv_spirv_scan_state *scan, const uint32_t *instruction,
                          struct gv_error *err);

// Notes that the image of a descriptor variable is compared with a reference.
void gv_spirv_note_sampling(struct gv_spirv_scan_state *scan, uint32_t variable,
                            enum gv_spirv_sampling sampling);

// Notes what an OpStore to a global variable says about built-ins.
void gv_spirv_note_store(struct gv_spirv_scan_state *scan, const uint32_t *instruction);

// Vertices of one primitive (enum gv_spirv_primitive) of a geometry stage's input.
uint32_t gv_spirv_primitive_vertices(uint32_t primitive);

// Whether the outermost array of an input or output variable runs over vertices.
bool gv_spirv_per_vertex(const struct gv_spirv_ids *ids, uint32_t stage,
                         const uint32_t *variable);

// The byte offset of an instruction, for errors.
uint64_t gv_spirv_offset(const struct gv_spirv_ids *ids, const uint32_t *instruction);

#endif
