// The code of a keyframe: what a cut keeps of the code before, and what fills in the
// contents.
#ifndef GV_SLICE_CUT_CODE_H
#define GV_SLICE_CUT_CODE_H

#include "resources/base/bytes.h"
#include "vm/calls.h"
#include "vm/slice/slice_cut.h"

struct gv_cut_code_params {
    struct gv_payload *payload; // verified; that was cut
    const struct gv_cut *cut;
    const uint32_t *resources; // [cut->piece_count]: which holds the piece
    const uint32_t *sizes;     // likewise: its bytes
    // The number of an import; borrowed by the function.
    uint32_t (*import)(void *context, enum gv_call call);
    void *context;
};

// Fills `out` (END included) and how many cells its stack has, and how many
// instructions it executes at most.
struct gv_cut_code {
    struct gv_bytes bytes; // owned
    uint32_t stack_cells;
    uint64_t instructions;
};
bool gv_cut_code_make(struct gv_cut_code *out, const struct gv_cut_code_params *params,
                      struct gv_error *err);
void gv_cut_code_finish(struct gv_cut_code *code);

#endif
