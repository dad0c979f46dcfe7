// Code that a slice has and the payload had not: what stands in place of units that are
// left out, or between others.
#ifndef GV_SLICE_PATCH_H
#define GV_SLICE_PATCH_H

#include "vm/payload/payload.h"

enum gv_patch_op_kind {
    GV_PATCH_PUSH,     // `value`
    GV_PATCH_CONST,    // the payload's constant at `value`, of `size` bytes
    GV_PATCH_DATA,     // the first of the bytes data[value]
    GV_PATCH_VOLATILE, // the address `value`
    GV_PATCH_RESOURCE, // the payload's resource `value`
    GV_PATCH_ADD,      // `value` to the top
    GV_PATCH_LOAD_SLOT,
    GV_PATCH_STORE_SLOT,
    GV_PATCH_CALL, // enum gv_call
};

struct gv_patch_op {
    uint8_t kind; // enum gv_patch_op_kind
    uint64_t value, size;
};

// Instructions at a place between two units; behind them the stack is empty again.
struct gv_patch {
    size_t chunk;
    uint32_t at; // byte of the chunk
    uint64_t command;
    const struct gv_patch_op *ops; // borrowed; [count]
    size_t count;
};

struct gv_slice_patches {
    const struct gv_patch *items; // borrowed; ascending by chunk and place
    size_t count;
    const struct gv_span *data; // borrowed; new constants
    size_t data_count;
    const struct gv_slot_info *slots; // borrowed; numbered behind the payload's own
    size_t slot_count;
    uint32_t objects; // more that live at once
};

#endif
