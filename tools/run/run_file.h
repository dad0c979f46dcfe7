// One file that is run: opened, compiled if it is a capture, replayed in a child, and
// told about.
#ifndef GV_RUN_FILE_H
#define GV_RUN_FILE_H

#include "tools/program.h"
#include "tools/run/run_plan.h"

struct gv_window;

// Runs `options->file`, and says how it went. A cache that cannot be used is taken out
// of the options. A window that shows it (or NULL) is at the other end of `line`, which
// stays the caller's.
enum gv_exit gv_run_file(const struct gv_program *program,
                         struct gv_run_options *options, struct gv_window *window,
                         int line);

#endif
