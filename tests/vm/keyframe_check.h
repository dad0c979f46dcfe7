// Keyframes of a program on the model of a GPU: what runs from one on has the pictures
// of the whole.
#ifndef GV_KEYFRAME_CHECK_H
#define GV_KEYFRAME_CHECK_H

#include "tests/vm/slice_compare.h"
#include "vm/slice/slice_cut.h"

struct keyframe_wish {
    uint64_t frame;            // > 0
    struct gv_cutter *cutter;  // of the payload; frames ascend
    bool exports;              // with what exports need
    struct slice_wish outputs; // of that frame or later ones
};

// Makes a keyframe in front of a frame of a verified payload and runs it from there,
// and the whole of what was written. Outputs that it serves are those of the whole.
// `*made` is false where there can be none, `*served` if it does not serve.
bool keyframe_check(struct gv_payload *payload, const struct keyframe_wish *wish,
                    bool *made, bool *served, struct gv_error *err);

#endif
