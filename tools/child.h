// Work in a child process, so that a crash or a hang of a driver or of a shader
// compiler does not take the caller along.
#ifndef GV_CHILD_H
#define GV_CHILD_H

#include "tools/report.h"

#include <stdint.h>

// Where a child tells its parent how far it is. NULL in work that runs without a child.
struct gv_child_line;

struct gv_child_params {
    enum gv_exit (*work)(void *context, struct gv_child_line *line);
    void *context;
    const char *who;           // dies: "the driver's process"
    const char *progress_path; // the progress file that the work keeps (vm/progress.h)
    uint64_t
        timeout_ns; // without a newly completed submission, once starting; 0 = none
};

// Runs the work in a child and returns what it returned. A child that dies, or that is
// killed for being silent too long, is GV_EXIT_LOST with `err` filled, position
// included; otherwise `err` stays GV_OK: the child has said what there was to say.
enum gv_exit gv_child_run(const struct gv_child_params *params, struct gv_error *err);

// In the child: the time-out counts from now on, first for getting ready, then for the
// work that the progress file tells of.
void gv_child_starting(struct gv_child_line *line);
void gv_child_running(struct gv_child_line *line);

#endif
