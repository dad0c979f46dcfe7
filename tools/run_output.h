// Where a run's pictures go: files, hash lines, comparison, JSON.
#ifndef GV_RUN_OUTPUT_H
#define GV_RUN_OUTPUT_H

#include "runtime/runtime.h"
#include "tools/json.h"
#include "tools/picture_queue.h"
#include "tools/run_plan.h"

struct gv_run_output {
    const struct gv_run_options *options;  // borrowed
    struct gv_run_plan *plan;              // borrowed
    struct gv_picture_queue *pictures;     // owned
    struct gv_json frames, calls, exports; // arrays under way
    uint64_t differences;
    uint32_t position; // the frame that runs: where a picture that fails was asked for
};

// Makes the folder for pictures if one is needed, and sees whether files can be made
// there and for the exports. GV_ERR_OUTPUT, GV_ERR_MEMORY. Pictures
// are written by threads of their own; hash lines are out when a function returns.
bool gv_run_output_init(struct gv_run_output *out, const struct gv_run_options *options,
                        struct gv_run_plan *plan, struct gv_error *err);
void gv_run_output_finish(struct gv_run_output *out);

// A frame's picture; width 0 = it has none, which is an error where the frame was asked
// for by number. `frame` is GV_RUN_END for the picture after the tail.
bool gv_run_output_frame(struct gv_run_output *out, uint64_t frame,
                         struct gv_picture *picture, struct gv_error *err);
// The target's picture after the command at `index` of the plan's.
bool gv_run_output_call(struct gv_run_output *out, size_t index,
                        struct gv_picture *picture, struct gv_error *err);
// Whether no picture has failed so far. Otherwise `err` and `position` are the first's
// that did: it came before whatever `err` held.
bool gv_run_output_ok(struct gv_run_output *out, struct gv_error *err);
// The same once all pictures are written.
bool gv_run_output_drain(struct gv_run_output *out, struct gv_error *err);
// One export's bytes.
bool gv_run_output_export(struct gv_run_output *out, const struct gv_run_export *wish,
                          struct gv_runtime *runtime, struct gv_error *err);
// Reports the lines of --expect that no frame met.
void gv_run_output_end(struct gv_run_output *out);

// The members "frames", "calls", "exports", "differences".
void gv_run_output_json(struct gv_run_output *out, struct gv_json *to);

#endif
