// Calls that were entered and have not left yet, by number.
#ifndef GV_TRACE_PENDING_H
#define GV_TRACE_PENDING_H

#include "compiler/apitrace/trace/trace_call.h"
#include "compiler/apitrace/trace/trace_pool.h"

struct gv_trace_pending {
    struct gv_trace_call call;
    struct gv_trace_value *arguments; // in `pool`; [capacity], what `call` shows
    uint32_t capacity;
    bool borrows; // some of it may lie in the window
    struct gv_trace_pool pool;
    struct gv_trace_pending *next_free;
};

struct gv_trace_pendings {
    struct gv_trace_pending **list; // owned; [count], numbers ascend
    size_t count, capacity;
    struct gv_trace_pending *free; // owned; to be used again
    struct gv_trace_budget budget; // of all their pools
};

void gv_trace_pendings_finish(struct gv_trace_pendings *p);

// One with nothing in it, not in the list yet; NULL when memory runs out.
struct gv_trace_pending *gv_trace_pending_take(struct gv_trace_pendings *p);
void gv_trace_pending_give_back(struct gv_trace_pendings *p,
                                struct gv_trace_pending *pending);

// Into the list, as the newest. False: memory ran out.
bool gv_trace_pending_enter(struct gv_trace_pendings *p,
                            struct gv_trace_pending *pending);
// The index of a call's number, or `count`.
size_t gv_trace_pending_find(const struct gv_trace_pendings *p, uint64_t number);
struct gv_trace_pending *gv_trace_pending_leave(struct gv_trace_pendings *p,
                                                size_t index);

#endif
