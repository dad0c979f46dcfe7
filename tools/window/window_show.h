// The process that has the window.
#ifndef GV_WINDOW_SHOW_H
#define GV_WINDOW_SHOW_H

#include "tools/window/window.h"

// Opens the window, answers `program` with GV_OK or why not (child_line.h), and plays
// what it is told to until somebody ends it. Returns the exit code of the process.
int gv_window_show(const struct gv_window_params *params, int program);

#endif
