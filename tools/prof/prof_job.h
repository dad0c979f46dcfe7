// The replay of `gpuvm prof`: a pass to warm up, then passes without stamps and with
// them in turn.
#ifndef GV_PROF_JOB_H
#define GV_PROF_JOB_H

#include "tools/output_file.h"
#include "tools/prof/prof_figures.h"
#include "tools/run/run_job.h"

#define GV_PROF_PASSES 3 // of either kind, unless said otherwise

struct gv_prof {
    struct gv_run_job job; // first; its output is the trace, or NULL
    const char *frames;    // SET
    const char *by;        // "frame", "pass", "draw"
    uint64_t passes;       // with stamps; as many without
    bool table;            // columns for people
    // Made:
    const struct gv_payload *payload;
    bool *wanted; // owned; by frame
    uint64_t last_frame;
    struct gv_stamps *stamps; // owned
    struct gv_prof_figures figures;
    struct gv_output_file out;
};

// Sets the functions. GV_ERR_USAGE: `by` is none of those.
bool gv_prof_init(struct gv_prof *prof, struct gv_error *err);

// Passes of all kinds, which the run has to allow for.
uint64_t gv_prof_all_passes(const struct gv_prof *prof);

#endif
