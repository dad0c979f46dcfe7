// Contents of a replay's objects at a stop, as a payload would fill them in again.
#ifndef GV_BAKE_CONTENTS_H
#define GV_BAKE_CONTENTS_H

#include "runtime/runtime.h"
#include "vm/machine/vm.h"
#include "vm/slice/slice_cut.h"

// Set `runtime`, `vm` and `payload`; finish it.
struct gv_bake_contents {
    struct gv_runtime *runtime;
    struct gv_vm *vm;
    const struct gv_payload *payload;
    struct gv_bytes whole;    // what was read back last
    struct gv_cut_piece read; // of what
    bool valid;
    struct gv_bytes piece;
};

// The bytes of a piece, tight; valid until the next call. NULL: GV_ERR_UNSUPPORTED,
// GV_ERR_FORMAT (it cannot be read back), or what ends the run.
const struct gv_bytes *gv_bake_contents_read(struct gv_bake_contents *contents,
                                             const struct gv_cut_piece *piece,
                                             struct gv_error *err);
// The replay goes on.
void gv_bake_contents_forget(struct gv_bake_contents *contents);
void gv_bake_contents_finish(struct gv_bake_contents *contents);

#endif
