// Entries of resources and pipelines by what names them. Only vm/track/ includes this.
#ifndef GV_TRACK_KEYS_H
#define GV_TRACK_KEYS_H

#include "vm/track/track_state.h"

// The key of a resource binding, or of a description in constants; made with value
// GV_TRACK_NONE if it is new. NULL: no memory.
struct gv_track_key *gv_track_binding_key(struct gv_track *track, uint64_t set,
                                          uint64_t binding, uint64_t element);
struct gv_track_key *gv_track_pipeline_key(struct gv_track *track, uint64_t address,
                                           uint64_t size, bool compute);

#endif
