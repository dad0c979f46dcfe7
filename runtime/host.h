// The runtime as the VM sees it: a table of calls.
#ifndef GV_RUNTIME_HOST_H
#define GV_RUNTIME_HOST_H

#include "vm/machine/vm.h"

struct gv_runtime;

// Fills `host`, for who makes the runtime's calls. `rt` is borrowed.
void gv_host_init(struct gv_host *host, struct gv_runtime *rt);

// Puts the call's name in front of the message, so that gv_do_* need not, and where in
// the call's bytes a fault is: the error's own offset is for the place in the code.
// Returns false.
bool gv_host_name_call(const char *call, struct gv_error *err);

#endif
