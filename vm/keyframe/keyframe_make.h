// One keyframe, out of a cut and of the contents that are there: what a device gives
// back, or a model of one.
#ifndef GV_KEYFRAME_MAKE_H
#define GV_KEYFRAME_MAKE_H

#include "vm/keyframe/payload_append.h"
#include "vm/slice/slice_cut.h"

struct gv_keyframe_params {
    struct gv_payload *payload; // verified; that was cut
    struct gv_append *append;   // of it
    // The bytes of a piece, tight; borrowed until the next call. NULL: `err`.
    const struct gv_bytes *(*read)(void *context, const struct gv_cut_piece *piece,
                                   struct gv_error *err);
    void *context;
    const char *device, *driver;
    bool exact, exports; // as of struct gv_keyframe
};

// Pieces that a new object has of itself leave the cut. Errors of reading and writing.
bool gv_keyframe_make(const struct gv_keyframe_params *params, struct gv_cut *cut,
                      struct gv_error *err);

#endif
