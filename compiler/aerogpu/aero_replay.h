// Replays an opened capture into the builder.
#ifndef GV_AERO_REPLAY_H
#define GV_AERO_REPLAY_H

#include "compiler/aerogpu/aero.h"

// Executes the frames that the parameters ask for. `a` must be set up (aerogpu.c).
bool gv_aero_replay(struct gv_aero *a, struct gv_error *err);

// ---- one by one: for who replays what is still coming (aero_stream.c) ----

// A record within a frame. `*ended`: the frame's picture is out.
bool gv_aero_run_record(struct gv_aero *a, const struct gv_trace_record *record,
                        bool *ended, struct gv_error *err);
// One outside of all: blobs count, the rest is seen by no replayer.
bool gv_aero_run_outside(struct gv_aero *a, const struct gv_trace_record *record,
                         struct gv_error *err);
// A frame without a picture ends.
void gv_aero_end_frame(struct gv_aero *a);

#endif
