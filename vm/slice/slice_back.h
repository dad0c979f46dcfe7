// The way back through the log: which units are kept, and for whom. Only vm/slice/
// includes this.
#ifndef GV_SLICE_BACK_H
#define GV_SLICE_BACK_H

#include "vm/slice/slice.h"
#include "vm/slice/slice_live.h"

struct gv_slice_back;

// What is wanted besides params->frames, exports and calls, by functions, so that who
// wants none links nothing.
struct gv_slice_roots {
    // All code has been followed.
    bool (*begin)(struct gv_slice_roots *roots, const struct gv_slice_back *back,
                  struct gv_error *err);
    // The state is that behind the unit at hand: wants what is wanted there.
    bool (*behind)(struct gv_slice_roots *roots, struct gv_slice_back *back);
    // It is known what is kept; and whether the run then stops behind a unit.
    void (*settle)(struct gv_slice_roots *roots, const struct gv_slice_back *back);
    bool (*stops)(const struct gv_slice_roots *roots, uint32_t unit);
    bool older;    // some are wanted in front of the unit at hand
    bool unsliced; // all is kept
};

struct gv_slice_back {
    struct gv_track *track; // borrowed
    const struct gv_slice_params *params;
    struct gv_live *live;    // owned
    bool *keep;              // owned; [units]
    uint32_t *reason;        // owned; [units]: for which unit, itself if it is a root
    uint32_t *entry_reader;  // owned; [entries]: who wants the entry set; GV_TRACK_NONE
    uint32_t *object_reader; // owned; [objects]: who needs it made; GV_TRACK_NONE
    bool *pass_kept;         // owned; [passes]
    bool *span_kept;         // owned; [spans]
    bool *span_forced;       // owned; [spans]: all work inside counts
    bool *posted;            // owned; [exports]: nothing posted earlier shows
    size_t target_pass; // + 1: the first pass whose target is shown between commands
    struct gv_effects writes, reads;
    struct gv_track_call call; // of the unit at hand
    uint32_t unit;             // at hand
    uint32_t unit_end;
    size_t object_count;
    uint64_t frame; // whose code is at hand
    size_t forced_queries;
    size_t calls_left; // of params->calls: those not behind the unit at hand
    uint64_t work_limit;
    struct gv_error *err;
    bool state_only; // no picture is wanted, and no end of a frame
    bool gave_up;    // what is left was kept
    // Called in front of each chunk, with the state there. NULL: nobody asks.
    bool (*at_chunk)(void *context, struct gv_slice_back *back, size_t chunk);
    void *context;
};

bool gv_slice_back_init(struct gv_slice_back *back, struct gv_track *track,
                        const struct gv_slice_params *params, struct gv_error *err);
void gv_slice_back_finish(struct gv_slice_back *back);

// Wants all that stands behind the last unit, but for contents: every object that
// lives, bindings and dynamic state.
void gv_slice_back_want_state(struct gv_slice_back *back);

// Wants what an object holds behind the unit at hand, or what may be in its place.
// Whether something had been wanted of it.
bool gv_slice_back_want(struct gv_slice_back *back, uint32_t object,
                        const struct gv_effect *range);

// Decides on every unit.
bool gv_slice_back_run(struct gv_slice_back *back);

// What is kept, as a list of runs.
bool gv_slice_back_runs(const struct gv_slice_back *back, struct gv_kept *kept,
                        struct gv_error *err);

#endif
