// Where a run's pictures go: files, hash lines, comparison, JSON.
#ifndef GV_RUN_OUTPUT_H
#define GV_RUN_OUTPUT_H

#include "runtime/runtime.h"
#include "tools/base/child_line.h"
#include "tools/base/json.h"
#include "tools/picture/picture_queue.h"
#include "tools/run/run_compare.h"

// A picture that was hashed, or given to be written.
struct gv_run_picture {
    uint64_t number; // of the frame (GV_RUN_END) or the command
    uint32_t width, height;
    uint64_t file; // which of those given to be written, from 1; 0 = none
    char *hashes;  // owned; with blanks between them; NULL: none were asked for
    enum gv_run_status status;
    bool the_one; // of -o, and written
};

struct gv_run_pictures {
    struct gv_run_picture *items; // owned
    size_t count, capacity;
};

struct gv_run_output {
    const struct gv_run_options *options; // borrowed
    struct gv_run_plan *plan;             // borrowed
    struct gv_child_line *line;           // borrowed; NULL without a child
    struct gv_picture_queue *pictures;    // owned
    struct gv_run_pictures frames, calls;
    struct gv_run_compare compare;
    struct gv_json exports; // array under way
    uint64_t given;         // pictures to be written
    uint64_t exported;
    bool wrote_the_one;
    uint32_t position; // the frame that runs: where a picture that fails was asked for
};

// Makes the folder for pictures if one is needed, and sees whether files can be made
// there and for the exports. GV_ERR_OUTPUT, GV_ERR_MEMORY. Pictures
// are written by threads of their own; hash lines are out when a function returns.
bool gv_run_output_init(struct gv_run_output *out, const struct gv_run_options *options,
                        struct gv_run_plan *plan, struct gv_child_line *line,
                        struct gv_error *err);
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
// The bytes of the export at `index` of the plan's.
bool gv_run_output_export(struct gv_run_output *out, size_t index,
                          struct gv_runtime *runtime, struct gv_error *err);
// Those that are written behind this frame.
bool gv_run_output_exports_at(struct gv_run_output *out, uint64_t frame,
                              struct gv_runtime *runtime, struct gv_error *err);
// Writes a file that was named, or has the parent write it: `index` is that of the
// plan's exports, GV_RUN_THE_ONE or GV_RUN_FRAME_TIMES.
bool gv_run_output_file(const struct gv_run_output *out, size_t index, const void *data,
                        size_t size, struct gv_error *err);

// How many pictures are files now.
uint64_t gv_run_output_written(const struct gv_run_output *out);

// The members "frames", "calls", "exports", "differences", "differing". Only what was
// written has a path.
void gv_run_output_json(struct gv_run_output *out, struct gv_json *to);

#endif
