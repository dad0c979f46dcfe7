// Keyframes of a program on the model of a GPU: what runs from one on has the pictures
// of the whole.
#ifndef GV_KEYFRAME_CHECK_H
#define GV_KEYFRAME_CHECK_H

#include "resources/base/error.h"
#include "vm/payload.h"

// Makes a keyframe in front of `frame` (> 0) of a verified payload and runs it from
// there, and the whole of what was written. `*made` is false where there can be none.
bool keyframe_check(struct gv_payload *payload, uint64_t frame, bool met, bool *made,
                    struct gv_error *err);

#endif
