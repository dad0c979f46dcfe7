// A folder for what is needed for a moment.
#ifndef GV_SCRATCH_H
#define GV_SCRATCH_H

#include "resources/base/error.h"

#define GV_SCRATCH_PATH 4000

// Below `beside`, which is there, under a name that a process that was killed may have
// left full: it is emptied. NULL: in TMPDIR, under a name that is nobody's.
bool gv_scratch_make(char path[GV_SCRATCH_PATH], const char *beside,
                     struct gv_error *err);
// With all that is in it; "" is none.
void gv_scratch_remove(const char *path);

#endif
