// With which keyframe of a payload a run may begin whose outputs are more than pictures
// of frames: keyframes have what those need.
#ifndef GV_SLICE_START_H
#define GV_SLICE_START_H

#include "vm/slice/slice.h"

// The last keyframe in front of or at `frame` that has all that the outputs need;
// payload->keyframe_count: there is none. False: the code cannot be read, or
// GV_ERR_LIMIT.
bool gv_slice_start(struct gv_payload *payload, const struct gv_slice_params *outputs,
                    uint64_t frame, size_t *keyframe, struct gv_error *err);

#endif
