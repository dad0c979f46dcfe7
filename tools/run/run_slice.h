// What of the code a run of some frames needs: the slicer asked with the run's plan.
#ifndef GV_RUN_SLICE_H
#define GV_RUN_SLICE_H

#include "tools/run/run_plan.h"
#include "vm/slice/slice.h"

// What a plan makes, as the slicer is asked for it; borrows the plan.
struct gv_run_outputs {
    struct gv_slice_params params;
    uint64_t *frames; // owned
};

bool gv_run_outputs_init(struct gv_run_outputs *outputs, const struct gv_run_plan *plan,
                         uint64_t memory_limit, struct gv_error *err);
void gv_run_outputs_finish(struct gv_run_outputs *outputs);

// Leaves `slice` empty where all of the code runs: all frames are selected, passes
// follow, or all calls are held to their effects. Finish it either way.
bool gv_run_slice(struct gv_slice *slice, struct gv_payload *payload,
                  const struct gv_run_plan *plan, const struct gv_run_options *options,
                  uint64_t memory_limit, struct gv_error *err);

// What a frame's picture needs of the code up to its end. Finish it either way.
bool gv_run_slice_frame(struct gv_slice *slice, struct gv_payload *payload,
                        uint64_t frame, uint64_t memory_limit, struct gv_error *err);

#endif
