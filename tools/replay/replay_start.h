// Where a replay begins: with the first frame, or with a keyframe in front of what is
// wanted.
#ifndef GV_REPLAY_START_H
#define GV_REPLAY_START_H

#include "runtime/runtime.h"

struct gv_replay_start {
    struct gv_payload *running; // all of the payload or, from a keyframe on, `view`
    struct gv_payload view;     // owned
    bool foreign;               // contents of another device have been begun with
};

// Begins with the payload's first frame.
void gv_replay_start_init(struct gv_replay_start *start, struct gv_payload *payload);
void gv_replay_start_finish(struct gv_replay_start *start);

// The frame that a replay which is to come to `frame` begins with.
uint64_t gv_replay_start_nearest(const struct gv_payload *payload, uint64_t frame);

// Begins with it from now on, on a device. What ran of `start` runs no more.
bool gv_replay_start_choose(struct gv_replay_start *start, struct gv_payload *payload,
                            uint64_t frame, const struct gv_device_info *device,
                            struct gv_error *err);

// `other`, which is empty then, takes its place. What ran of `start` runs no more.
void gv_replay_start_replace(struct gv_replay_start *start,
                             struct gv_replay_start *other);

#endif
