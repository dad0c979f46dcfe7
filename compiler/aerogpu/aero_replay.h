// Replays an opened capture into the builder.
#ifndef GV_AERO_REPLAY_H
#define GV_AERO_REPLAY_H

#include "compiler/aerogpu/aero.h"

// Executes the frames that the parameters ask for. `a` must be set up (aerogpu.c).
bool gv_aero_replay(struct gv_aero *a, struct gv_error *err);

#endif
