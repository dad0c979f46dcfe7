// A host around another: one function is told of every call, and decides what becomes
// of it. It is the only dispatcher over calls.def beside the runtime's own, so that a
// tool that looks at calls, times them or alters them brings one function.
#ifndef GV_WATCH_HOST_H
#define GV_WATCH_HOST_H

#include "vm/machine/vm.h"

struct gv_watch;

// Performs a call or lets the host within do it (gv_watch_pass). As gv_host_call_fn,
// with the call's number. `context` is gv_watch.context.
typedef bool gv_watch_fn(void *context, uint8_t call, const union gv_arg *args,
                         uint64_t *result, struct gv_error *err);

// Zero-initialise; it must not move once it is made.
struct gv_watch {
    struct gv_host host; // for gv_vm_params.host
    const struct gv_host *inner;
    gv_watch_fn *call;
    void *context;
    uint64_t command; // of the source, under way
};

// `inner` and `context` are borrowed.
void gv_watch_init(struct gv_watch *watch, const struct gv_host *inner,
                   gv_watch_fn *call, void *context);

// Has the host within do it.
bool gv_watch_pass(const struct gv_watch *watch, uint8_t call, const union gv_arg *args,
                   uint64_t *result, struct gv_error *err);

#endif
