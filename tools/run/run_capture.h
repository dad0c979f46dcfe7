// Captures that are run: compiled in memory.
#ifndef GV_RUN_CAPTURE_H
#define GV_RUN_CAPTURE_H

#include "tools/input.h"
#include "tools/run/run_plan.h"

// How a run compiles. The options and the log are borrowed.
struct gv_compile_params gv_run_compile_params(const struct gv_run_options *options,
                                               const struct gv_log *log);

// Compiles in a child that may do nothing else and puts the payload in the capture's
// place. Another exit code than GV_EXIT_OK has been reported.
enum gv_exit gv_run_compile_in_child(const struct gv_program *program,
                                     const struct gv_run_options *options,
                                     struct gv_input *input);

// Compiles what is still coming, a batch for each frame, into a pipe, likewise.
enum gv_exit gv_run_compile_into(const struct gv_program *program,
                                 const struct gv_run_options *options,
                                 struct gv_input *input, int pipe);

#endif
