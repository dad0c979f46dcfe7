// The slicer: which code some frames of a verified payload need. It walks back from
// their pictures, keeping what makes the state and the contents that what is kept
// depends on.
#ifndef GV_SLICE_H
#define GV_SLICE_H

#include "vm/payload/kept.h"

struct gv_slice_roots; // vm/slice/slice_contents.h

struct gv_slice_params {
    const uint64_t *frames; // ascending; whose pictures are wanted
    size_t frame_count;
    uint64_t last_frame; // the run ends with it; not below any of them
    bool tail;           // instead: it runs to the end, whose picture is wanted
    const bool *exports; // [payload->export_count]: wanted as last posted; NULL: none
    bool all_posts;      // instead: every post of every export is
    // Commands, ascending, behind which the picture of the target is wanted: what
    // `show` names, else attachment 0 of the current or last pass.
    const uint64_t *calls;
    size_t call_count;
    struct gv_slice_roots *roots; // contents that are wanted, too; NULL: none
    uint64_t memory_limit; // private bytes; with less it leaves out less; 0: none
};

// Kept and in all, up to the end of the last frame wanted.
struct gv_slice_count {
    uint64_t kept, total;
};

// Why a unit of code was kept: whom it serves.
struct gv_slice_link {
    uint64_t command;     // source command
    uint64_t code_offset; // of its first instruction
    const char *what;     // call, or instruction
};

#define GV_SLICE_CHAIN 16

struct gv_slice {
    struct gv_kept kept; // what a run needs (vm/machine/vm.h)
    const char *whole;   // why nothing could be left out; NULL: something was looked at
    struct gv_slice_count calls, work, bytes; // work: draws and dispatches; code bytes
    // From the first work that is kept to a picture: why it is.
    struct gv_slice_link chain[GV_SLICE_CHAIN];
    size_t chain_count;
    uint64_t memory; // private bytes that it took at most
};

// GV_ERR_LIMIT: no memory at all; or what the roots say. Otherwise `slice` is filled;
// finish it.
bool gv_slice_make(struct gv_slice *slice, struct gv_payload *payload,
                   const struct gv_slice_params *params, struct gv_error *err);
void gv_slice_finish(struct gv_slice *slice);

#endif
