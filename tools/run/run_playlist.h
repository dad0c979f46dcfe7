// Files in a window, one after the other, as somebody at it wishes.
#ifndef GV_RUN_PLAYLIST_H
#define GV_RUN_PLAYLIST_H

#include "tools/program.h"
#include "tools/run/run_plan.h"

// Runs `files[count]` with the same options. `list`: one that fails is looked at, since
// there are others. Returns the exit code of the first that failed.
enum gv_exit gv_run_playlist(const struct gv_program *program,
                             const struct gv_run_options *options,
                             const char *const *files, size_t count, bool list);

#endif
