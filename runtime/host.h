// The runtime as the VM sees it: a table of calls.
#ifndef GV_RUNTIME_HOST_H
#define GV_RUNTIME_HOST_H

#include "vm/vm.h"

struct gv_runtime;

// Fills `host`, for who makes the runtime's calls. `rt` is borrowed.
void gv_host_init(struct gv_host *host, struct gv_runtime *rt);

#endif
