// Opening what is written to as it stands: devices and pipes.
#ifndef GV_IN_PLACE_H
#define GV_IN_PLACE_H

#include "resources/base/error.h"

// Opens `path` for writing; a link to nothing gets its file made. A pipe that nobody
// reads is waited for, but not for ever. The descriptor, or -1 with GV_ERR_OUTPUT.
int gv_open_in_place(const char *path, struct gv_error *err);

#endif
