// --frames of `compile`, met with the capture.
#ifndef GV_WANTED_FRAMES_H
#define GV_WANTED_FRAMES_H

#include "tools/input.h"
#include "tools/select/selection.h"

// Zero-initialise.
struct gv_wanted_frames {
    struct gv_set set;
    bool bound;        // how many there are is known after the compile alone
    uint32_t *numbers; // owned; params->frames
};

// Turns a SET into params->frames. A capture that is read forward is not read to its
// end just to count them.
bool gv_wanted_frames_select(const struct gv_program *program,
                             const struct gv_input *input, const char *text,
                             struct gv_compile_params *params,
                             struct gv_wanted_frames *wanted, struct gv_error *err);
// What could not be checked before: whether there are those frames.
bool gv_wanted_frames_check(const struct gv_wanted_frames *wanted, uint64_t frames,
                            struct gv_error *err);
void gv_wanted_frames_finish(struct gv_wanted_frames *wanted);

#endif
