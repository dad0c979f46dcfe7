// A folder for what is needed for a moment. Without one of results it is in TMPDIR, and
// a process of its own takes it away, however this one ends.
#ifndef GV_SCRATCH_H
#define GV_SCRATCH_H

#include "resources/base/error.h"

#include <sys/types.h>

#define GV_SCRATCH_PATH 4000

struct gv_scratch {
    char path[GV_SCRATCH_PATH]; // "": none
    pid_t sweeper;              // 0: none
    int line;                   // to it: closed when this process is over
};

// Below `beside`, which is there, under a name that a process that was killed may have
// left full: it is emptied. NULL: in TMPDIR, under a name that is nobody's.
bool gv_scratch_make(struct gv_scratch *scratch, const char *beside,
                     struct gv_error *err);
// A folder in it, with all that is in there; also one that is not there.
void gv_scratch_clear(const char *path);
// With all that is in it.
void gv_scratch_remove(struct gv_scratch *scratch);

#endif
