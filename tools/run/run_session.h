// One replay: a verified payload, a device, and the passes over it.
#ifndef GV_RUN_SESSION_H
#define GV_RUN_SESSION_H

#include "runtime/runtime.h"
#include "tools/child/child.h"
#include "tools/replay/replay_core.h"
#include "tools/run/run_output.h"
#include "tools/run/run_stream.h"

struct gv_run_times {
    uint64_t first_frame_ns; // from the program's start; 0 = there was no frame
    uint64_t first_pass_ns, later_passes_ns;
    uint64_t passes;
    uint64_t slice_ns; // where to begin and what to leave out was found in
    uint64_t began_at; // frame: the first, or one with a keyframe
};

struct gv_run_bench;
struct gv_run_window;

struct gv_run_session {
    const struct gv_program *program;
    const struct gv_run_options *options;
    struct gv_payload *payload; // verified
    struct gv_run_plan *plan;
    struct gv_input_guard *guard;             // knows all inputs
    const struct gv_pipeline_list *pipelines; // of --prewarm; else NULL
    struct gv_run_stream *stream; // that the payload comes from; NULL: it is all there
    struct gv_source *remote;     // its resources; NULL: they are in it, or in stores
    struct gv_run_output *output;
    uint64_t memory_limit;     // bytes: what is left of --mem-mb
    const char *progress_path; // may be NULL
    const struct gv_log *log;
    struct gv_child_line *line;   // may be NULL
    struct gv_run_window *window; // that shows it; may be NULL
    // Filled:
    struct gv_run_times times;
    struct gv_run_bench *bench; // owned; NULL: frames are not timed
    struct gv_replay replay;    // its slice and device stay to be told of
    struct gv_vm_stats vm_stats;
    struct gv_runtime_stats runtime_stats;
    uint64_t validation_messages, effect_violations;
    // The device meets every preferred requirement, and no contents are another's.
    bool exact;
    uint32_t frame;  // where it failed
    uint64_t frames; // that have been run, each counted once
    bool started;    // the first instruction has run
    // Of what failed: in GV_PHASE_LOAD limits are what the payload declares, in
    // GV_PHASE_RUN exhaustion.
    enum gv_phase phase;
};

// Runs all passes. On GV_ERR_LOST the device is left alone: waiting for it would hang.
bool gv_run_session_run(struct gv_run_session *s, struct gv_error *err);

#endif
