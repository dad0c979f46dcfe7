// What edits have come to: units that are left out, and code in their place or around
// others. Only vm/edit/ includes this.
#ifndef GV_EDIT_CODE_H
#define GV_EDIT_CODE_H

#include "resources/base/arena.h"
#include "resources/base/bytes.h"
#include "vm/slice/slice_write.h"
#include "vm/track/tracker.h"

// A cell of a call that is written: one of the payload's, or new bytes.
#define GV_EDIT_DATA 100u // gv_unit_cell.type: the bytes number `index`

struct gv_edit_call {
    uint8_t call; // enum gv_call
    struct gv_unit_cell args[GV_MAX_ARGS];
    uint32_t store; // slot of the result + 1; 0: it has none
};

enum gv_edit_where { GV_EDIT_BEFORE, GV_EDIT_INSTEAD, GV_EDIT_BEHIND };

// Zero-initialise; finish it.
struct gv_edit_code {
    struct gv_bytes ops;     // struct gv_patch_op each
    struct gv_bytes inserts; // where they go
    struct gv_span *data;    // owned; [data_count]; their bytes in `arena`
    size_t data_count, data_capacity;
    struct gv_bytes slots; // struct gv_slot_info each
    uint32_t slot_base;    // number of the first
    uint32_t objects;      // that are made
    struct gv_arena arena;
};

// Has a call stand there. Cells of the payload keep their meaning only where the slots
// hold the same. GV_ERR_UNSUPPORTED: a number comes out of memory.
bool gv_edit_put(struct gv_edit_code *code, uint32_t unit, enum gv_edit_where where,
                 const struct gv_edit_call *call, struct gv_error *err);

// Copies bytes; their number.
bool gv_edit_data(struct gv_edit_code *code, struct gv_span bytes, uint32_t *number,
                  struct gv_error *err);
// A new slot, and an object that will live in it.
uint32_t gv_edit_slot(struct gv_edit_code *code, enum gv_kind kind);

// The call that a unit makes, as it is: the only one, with nothing beside it but the
// store of its result. GV_ERR_UNSUPPORTED.
bool gv_edit_call_of(const struct gv_unit *unit, struct gv_edit_call *call,
                     struct gv_error *err);

// The unit decoded, whatever the state.
bool gv_edit_enter(struct gv_track *track, uint32_t unit, struct gv_error *err);

// All that stays, and what was put: `left_out` has a bool for each unit.
bool gv_edit_runs(const struct gv_edit_code *code, const struct gv_track *track,
                  const bool *left_out, struct gv_kept *kept, struct gv_error *err);
// Of the code the patches; `items` is owned by the caller.
bool gv_edit_patches(const struct gv_edit_code *code, const struct gv_track *track,
                     struct gv_slice_patches *out, struct gv_patch **items,
                     struct gv_error *err);

void gv_edit_code_finish(struct gv_edit_code *code);

#endif
