// Every value of a SPIR-V module: its type, the variable a pointer comes from, and for
// integers the largest number it can be, as far as simple reading tells.
#ifndef GV_SPIRV_VALUES_H
#define GV_SPIRV_VALUES_H

#include "vm/spirv/spirv_ids.h"

struct gv_spirv_value {
    uint32_t at;   // word index of the instruction that makes it, 0 = none
    uint32_t type; // id, 0 = none
    uint32_t root; // of pointers: the variable, 0 = not known
    // Of 32-bit integers and vectors of them, as unsigned numbers; UINT32_MAX is
    // anything.
    uint32_t max;
    uint32_t content; // the same for what a variable holds
    uint32_t stored;  // the same while a pass goes on
    bool escapes;     // a variable that something but OpLoad and OpStore uses
    bool loaded;      // a variable that is read
};

struct gv_spirv_values {
    const struct gv_spirv_ids *ids;
    const struct gv_spirv_module *module;
    struct gv_spirv_value *values; // [ids->bound]
    uint32_t glsl;                 // id of the GLSL.std.450 import, 0 = none
    bool fixed_workgroup;          // no specialisation changes its size
};

// `module` must be the scan of the same words. What depends on specialisation constants
// stays unknown. `values` needs gv_spirv_values_finish either way.
bool gv_spirv_values_init(struct gv_spirv_values *values,
                          const struct gv_spirv_ids *ids,
                          const struct gv_spirv_module *module, struct gv_error *err);
void gv_spirv_values_finish(struct gv_spirv_values *values);

// The value of an id; a zeroed one with `max` unknown if there is none.
const struct gv_spirv_value *gv_spirv_value_of(const struct gv_spirv_values *values,
                                               uint32_t id);

// The instruction that defines an id, anywhere in the module; an OpNop if none does.
const uint32_t *gv_spirv_maker(const struct gv_spirv_values *values, uint32_t id);

#endif
