// Files without a name: what waits there goes with the process.
#ifndef GV_NAMELESS_H
#define GV_NAMELESS_H

#include "resources/base/error.h"

// One to read and write, in TMPDIR, else /var/tmp, else /tmp, which is memory on many
// systems. The descriptor, which is the caller's, or -1 with GV_ERR_SYSTEM.
int gv_nameless_open(struct gv_error *err);

#endif
