// A run that answers: numbers of frames come on standard input, pictures and hashes go
// out, with one device, its pipelines and its cache.
#ifndef GV_RUN_INTERACTIVE_H
#define GV_RUN_INTERACTIVE_H

#include "tools/run/line_reader.h"
#include "tools/run/run_walk.h"

// Whether the other options go along: GV_ERR_USAGE.
bool gv_run_interactive_check(const struct gv_run_options *options,
                              struct gv_error *err);

// Answers until `quit` or the end of the input. What cannot be answered is told as a
// line; false is what ends all: GV_ERR_LOST, GV_ERR_SYSTEM.
bool gv_run_interactive(struct gv_run_walk *walk, struct gv_line_reader *lines,
                        struct gv_error *err);

#endif
