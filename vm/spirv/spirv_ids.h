// The ids of a SPIR-V module: where each is defined, how it is decorated, and for types
// and constants their size and value.
#ifndef GV_SPIRV_IDS_H
#define GV_SPIRV_IDS_H

#include "resources/base/error.h"
#include "vm/spirv/spirv_needs.h"
#include "vm/spirv/spirv_words.h"

// Decorations of an id or of a struct member. GV_SPIRV_UNSET where absent.
struct gv_spirv_marks {
    uint32_t location, component, index, binding, set, builtin, spec_id;
    uint32_t xfb_buffer, xfb_stride, offset, stream;
    uint32_t array_stride;
    bool block, buffer_block, non_writable, patch;
};

struct gv_spirv_member {
    uint32_t owner, member;
    struct gv_spirv_marks marks;
};

struct gv_spirv_id {
    uint32_t at;    // word index of the defining instruction; 0 = undefined
    uint32_t marks; // index + 1 in `marks`, 0 = undecorated
    // The descriptor variables a loaded image and its sampler come from, 0 = none.
    uint32_t root, sampler_root;
    uint64_t value; // of a type: its size in bytes; of a constant: its value
    bool known;     // `value` holds
};

struct gv_spirv_ids {
    const uint32_t *words;
    size_t count;
    uint32_t bound;
    struct gv_spirv_id *ids;      // [bound]
    struct gv_spirv_marks *marks; // [mark_count]
    size_t mark_count, mark_capacity;
    struct gv_spirv_member *members; // [member_count]
    size_t member_count, member_capacity;
    uint32_t *member_table; // [member_slots]: index + 1 by owner and member, 0 = free
    size_t member_slots;    // a power of two
    size_t functions;       // word index of the first OpFunction
    bool has_spec_constants;
    bool odd_spec_constant;     // one that is not of 32 bits was given a value
    uint32_t workgroup_size_id; // the constant with BuiltIn WorkgroupSize, 0 = none
};

// Values of specialisation constants; those of other stages are ignored.
struct gv_spirv_specs {
    const struct gv_spec_constant *items; // borrowed
    size_t count;
};

// Indexes the module up to its functions. `specs` NULL: the defaults. `ids` needs
// gv_spirv_ids_finish either way.
bool gv_spirv_ids_init(struct gv_spirv_ids *ids, const uint32_t *words, size_t count,
                       const struct gv_spirv_specs *specs, struct gv_error *err);
void gv_spirv_ids_finish(struct gv_spirv_ids *ids);

// The defining instruction; never NULL: an undefined id yields an OpNop.
const uint32_t *gv_spirv_def(const struct gv_spirv_ids *ids, uint32_t id);

// The bytes of data a type holds, 0 for what is no type.
uint64_t gv_spirv_size(const struct gv_spirv_ids *ids, uint32_t type);

// Decorations; all unset if there are none.
const struct gv_spirv_marks *gv_spirv_marks_of(const struct gv_spirv_ids *ids,
                                               uint32_t id);
const struct gv_spirv_marks *gv_spirv_member_marks(const struct gv_spirv_ids *ids,
                                                   uint32_t id, uint32_t member);

// Follows images from their variables through loads inside functions; call it for each
// instruction in order. What this one does with a sampler: if anything, `variables` are
// those of image and sampler, or 0.
enum gv_spirv_sampling {
    GV_SPIRV_NO_SAMPLING,
    GV_SPIRV_SAMPLES,  // texels
    GV_SPIRV_COMPARES, // with a depth reference
};
enum gv_spirv_sampling gv_spirv_follow(struct gv_spirv_ids *ids,
                                       const uint32_t *instruction,
                                       uint32_t variables[2]);

// The value of a 32-bit (or smaller) integer constant; false where it is not known.
bool gv_spirv_constant(const struct gv_spirv_ids *ids, uint32_t id, uint32_t *value);

#endif
