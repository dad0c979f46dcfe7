// Passes over the frames of a replay. What was asked for is made of each frame the
// first time that it is reached, however often a pass begins anew before all are.
#ifndef GV_RUN_WALK_H
#define GV_RUN_WALK_H

#include "tools/progress_bar.h"
#include "tools/run/run_session.h"

struct gv_run_walk {
    struct gv_run_session *session;
    struct gv_progress_bar *bar;      // may be NULL
    struct gv_source *const *sources; // borrowed: of resources that are elsewhere
    size_t source_count;
    uint64_t made;           // frames that have been made all of, or passed over
    size_t call, calls_made; // of plan->calls: next in this pass; been made
    bool ended;              // the pass has: nothing is next
    bool all_made;           // a pass has ended before
    bool at_picture;         // of a command it failed, not at what runs
};

// Runs the next frame of the pass, or what is behind the last one (then, and behind the
// last frame of a run that stops there, `ended`). A `picture` that is not NULL is the
// frame's, finished by the caller, with a width of 0 if it has none.
bool gv_run_walk_on(struct gv_run_walk *w, struct gv_picture *picture,
                    struct gv_error *err);
// The same to the end of the pass, without pictures.
bool gv_run_walk_to_end(struct gv_run_walk *w, struct gv_error *err);

// Back to the frame that the session begins with, with every object of the payload
// gone.
bool gv_run_walk_restart(struct gv_run_walk *w, struct gv_error *err);

// Has `frame` be the next of the pass or one soon after: the pass goes on if it can and
// no keyframe lies between, else it begins anew.
bool gv_run_walk_near(struct gv_run_walk *w, uint64_t frame, struct gv_error *err);

// The same where no more than that frame's picture is wanted: with a keyframe or a
// slice of what comes before, whichever is less work.
bool gv_run_walk_jump(struct gv_run_walk *w, uint64_t frame, struct gv_error *err);

#endif
