// The runtime as the VM sees it: a table of calls.
#ifndef GV_RUNTIME_HOST_H
#define GV_RUNTIME_HOST_H

struct gv_runtime;

// Fills rt->host.
void gv_host_init(struct gv_runtime *rt);

#endif
