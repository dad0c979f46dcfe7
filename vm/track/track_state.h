// What calls do to the tracker's state, and how that is taken back. Only vm/slice/
// includes this.
#ifndef GV_TRACK_STATE_H
#define GV_TRACK_STATE_H

#include "vm/track/tracker.h"

bool gv_state_init(struct gv_track *track);

// Performs a call, operation `op` of the unit that is about to be added.
void gv_state_call(struct gv_track *track, const struct gv_track_call *call,
                   uint32_t op);

// Stores an object into a slot.
void gv_state_store(struct gv_track *track, uint32_t slot, uint32_t object);

// Takes back what a unit did, of which nothing later is left.
void gv_state_undo(struct gv_track *track, uint32_t unit);

#endif
