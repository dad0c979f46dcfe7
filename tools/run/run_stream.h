// A payload that is run while it comes through a pipe: what of it is read, which of its
// frames are wanted though nobody knows how many there are, and what it finds at its
// end.
#ifndef GV_RUN_STREAM_H
#define GV_RUN_STREAM_H

#include "tools/input.h"
#include "tools/replay/replay_core.h"
#include "tools/run/run_plan.h"
#include "tools/run/run_window.h"
#include "vm/stream/stream.h"

struct gv_progress;

struct gv_run_stream {
    struct gv_stream *stream;   // owned
    struct gv_payload *payload; // the stream's
    const struct gv_run_options *options;
    struct gv_input_guard *guard; // borrowed: pictures are no inputs
    int spill;                    // owned; -1: none
    bool begun;                   // there is code that has not run
    bool ended;                   // all has come
    struct gv_set frames, shots;  // which frames run; which are shown or hashed
    bool to_files;                // `shots` are written
    uint64_t memory_limit;        // bytes, of the run itself
    enum gv_phase phase;          // of what fails
    // Set by who runs: told of waiting; may be NULL.
    struct gv_progress *progress;
    struct gv_run_window *window; // borrowed; where somebody looks; NULL: nowhere
};

// Whether what was asked for can be done before all has come: exports, pictures after
// commands, several passes, `last` and SETs in files cannot.
bool gv_run_stream_can(const struct gv_run_options *options);

// Reads up to the first code. `input` has a pipe; a window (or NULL) whose wish to
// leave ends the stream. gv_run_stream_close is due either way.
bool gv_run_stream_open(struct gv_run_stream *s, struct gv_input *input,
                        const struct gv_run_options *options,
                        struct gv_run_window *window, struct gv_error *err);
void gv_run_stream_close(struct gv_run_stream *s);

// Behind gv_run_plan_make: the SETs of the options. GV_ERR_USAGE.
bool gv_run_stream_plan(struct gv_run_stream *s, struct gv_run_plan *plan,
                        struct gv_error *err);
// The plan's selections are about this frame from now on. GV_ERR_USAGE: its picture
// would replace an input.
bool gv_run_stream_frame(struct gv_run_stream *s, struct gv_run_plan *plan,
                         uint64_t frame, struct gv_error *err);

// All code has run: reads on, and makes the replay ready for it. `*more` is false
// at the end, when SETs that named other frames than there were are GV_ERR_USAGE.
bool gv_run_stream_more(struct gv_run_stream *s, struct gv_run_plan *plan,
                        struct gv_replay *replay, bool *more, struct gv_error *err);

#endif
