// What of the code a run needs, by its plan: where it begins, and what it keeps.
#ifndef GV_RUN_SLICE_H
#define GV_RUN_SLICE_H

#include "tools/replay/replay_core.h"
#include "tools/run/run_plan.h"

// The frame that a run of a plan begins with: the first, or one with a keyframe that
// has all that it makes. `memory_limit`: private bytes for finding out; 0: none.
bool gv_run_slice_start(struct gv_payload *payload, const struct gv_run_plan *plan,
                        uint64_t memory_limit, uint64_t *frame, struct gv_error *err);

// Leaves all of the code where that runs: all frames are selected, passes follow, or
// all calls are held to their effects.
bool gv_run_slice(struct gv_replay *replay, const struct gv_run_plan *plan,
                  const struct gv_run_options *options, struct gv_error *err);

#endif
