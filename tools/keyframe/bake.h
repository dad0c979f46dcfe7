// Making keyframes: a replay that stops in front of frames, takes what they need of the
// device, and writes the payload again with it (docs/keyframes.md).
#ifndef GV_RUN_BAKE_H
#define GV_RUN_BAKE_H

#include "tools/output_file.h"
#include "tools/run/run_job.h"
#include "tools/select/selection.h"

struct gv_bake {
    struct gv_run_job job;      // first
    uint64_t every;             // in front of each so many frames; 0: `at` says where
    const char *at;             // SET
    bool exports;               // with what exports need
    const char *store;          // that contents of a thin payload go to; NULL: none
    struct gv_selection frames; // that `every` or `at` means, less those that have one
    // Those made, by frame; owned.
    struct gv_bake_row {
        uint64_t frame, bytes; // raw, of contents that were not there before
    } * rows;
    size_t row_count;
    // Open from before the child: the output, and where what goes to the store waits,
    // which the child need not be able to write.
    struct gv_output_file out;
    FILE *spool;
};

// Sets the functions. The replay runs up to the last frame that is to have a keyframe;
// GV_ERR_UNSUPPORTED: one that was named cannot have any. Keyframes that are there
// stay.
void gv_bake_init(struct gv_bake *bake);

#endif
