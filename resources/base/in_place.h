// Opening what is written to as it stands: devices and pipes.
#ifndef GV_IN_PLACE_H
#define GV_IN_PLACE_H

#include "resources/base/error.h"

#include <stdint.h>

// How many seconds a pipe that nobody reads is waited for: GV_PIPE_SECONDS, unless less
// is said here. For all of the process.
#define GV_PIPE_SECONDS 5
void gv_wait_for_pipes(uint64_t seconds);

// Opens `path`, which is there, for writing. A pipe that nobody reads is waited for so
// long. The descriptor, or -1 with GV_ERR_OUTPUT.
int gv_open_in_place(const char *path, struct gv_error *err);

#endif
