// Where a pass begins: with the first frame, or with a keyframe in front of what is
// wanted.
#ifndef GV_RUN_START_H
#define GV_RUN_START_H

#include "runtime/runtime.h"
#include "tools/run/run_plan.h"

struct gv_run_start {
    struct gv_payload *running; // all of the payload or, from a keyframe on, `view`
    struct gv_payload view;     // owned
    bool foreign;               // contents of another device have been begun with
};

// Begins with the payload's first frame.
void gv_run_start_init(struct gv_run_start *start, struct gv_payload *payload);
void gv_run_start_finish(struct gv_run_start *start);

// The frame that a run of a plan begins with: the first, or one with a keyframe that
// has all that it makes. `memory_limit`: private bytes for finding out; 0: none.
bool gv_run_start_first(struct gv_payload *payload, const struct gv_run_plan *plan,
                        uint64_t memory_limit, uint64_t *frame, struct gv_error *err);

// The frame that a pass which is to come to `frame` begins with.
uint64_t gv_run_start_nearest(const struct gv_payload *payload, uint64_t frame);

// Begins with it from now on, on a device. What ran of `start` runs no more.
bool gv_run_start_choose(struct gv_run_start *start, struct gv_payload *payload,
                         uint64_t frame, const struct gv_device_info *device,
                         struct gv_error *err);

// `other`, which is empty then, takes its place. What ran of `start` runs no more.
void gv_run_start_replace(struct gv_run_start *start, struct gv_run_start *other);

#endif
