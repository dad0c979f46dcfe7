// Work in a child process, so that a crash or a hang of a driver or of a shader
// compiler does not take the caller along.
#ifndef GV_CHILD_H
#define GV_CHILD_H

#include "tools/base/child_line.h"
#include "tools/base/report.h"
#include "tools/sandbox/filter.h"

#include <stdint.h>

// Work that runs without a child gets NULL for its line.

struct gv_child_params {
    enum gv_exit (*work)(void *context, struct gv_child_line *line);
    void *context;
    const char *who; // dies: "the driver's process"
    const char
        *progress_path; // the progress file that the work keeps (vm/machine/progress.h)
    // Without a newly completed submission, or without a progress file for all of the
    // work, once starting; 0 = none.
    uint64_t timeout_ns;
    // What gv_child_keep asks for; NULL if the work never does.
    bool (*keep)(void *context, unsigned number, int passed, struct gv_error *err);
    const struct gv_log *log; // hears of system calls that were refused
};

// Time for a compiler's child: so many seconds, and as many for every 16 MiB of the
// capture; 0 = none.
uint64_t gv_child_compile_ns(uint64_t seconds, uint64_t capture_bytes);

// Runs the work in a child and returns what it returned. A child that dies, or that is
// killed for being silent too long, is GV_EXIT_LOST with `err` filled, position
// included; otherwise `err` stays GV_OK: the child has said what there was to say.
enum gv_exit gv_child_run(const struct gv_child_params *params, struct gv_error *err);

// In the child: the time-out counts from now on, first for getting ready, then for the
// work that the progress file tells of.
void gv_child_starting(struct gv_child_line *line);
void gv_child_running(struct gv_child_line *line);

// In the child: has the parent put file `number` into its place, where the child may
// not write. Its bytes are written, or in `passed`; -1: none.
bool gv_child_keep(struct gv_child_line *line, unsigned number, int passed,
                   struct gv_error *err);

// In the child: refuses the system calls that its work does not need (tools/sandbox).
void gv_child_confine(struct gv_child_line *line, enum gv_filter_who who,
                      const struct gv_log *log);

#endif
