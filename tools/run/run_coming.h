// A capture that comes through a pipe and runs meanwhile: a process beside the run's
// compiles it, frame by frame, into a pipe of our own.
#ifndef GV_RUN_COMING_H
#define GV_RUN_COMING_H

#include "tools/input.h"
#include "tools/run/run_plan.h"

#include <sys/types.h>

// What the processes tell each other: shared memory.
struct gv_run_coming_news {
    int code;  // of the compile, once that is another than GV_EXIT_OK
    bool read; // the run has read all that the compile makes
};

struct gv_run_coming {
    pid_t process; // 0: none
    struct gv_run_coming_news *news;
};

struct gv_run_coming_params {
    const struct gv_program *program;
    const struct gv_run_options *options;
    int line; // to a window, which is not the compiler's; -1: none
};

// The payload takes the capture's place in `input`. GV_ERR_SYSTEM, GV_ERR_MEMORY.
bool gv_run_coming_start(struct gv_run_coming *c,
                         const struct gv_run_coming_params *params,
                         struct gv_input *input, struct gv_error *err);
// Whether the compile has failed, and has said why: then what came of it ends early.
bool gv_run_coming_failed(const struct gv_run_coming *c);
// In the run: it has read the payload to its end, which lets the compile end, too.
void gv_run_coming_read(const struct gv_run_coming *c);
// Behind the run, which ended with `code`. Returns the exit code of both.
enum gv_exit gv_run_coming_end(struct gv_run_coming *c, enum gv_exit code);

#endif
