// Events of a trace's stream: a call is entered, a call leaves.
#ifndef GV_TRACE_EVENTS_H
#define GV_TRACE_EVENTS_H

#include "compiler/apitrace/trace/trace_parse.h"
#include "compiler/apitrace/trace/trace_pending.h"

#define GV_TRACE_MAX_PENDING ((size_t)16384) // calls without a leave
#define GV_TRACE_MAX_FRAMES ((uint64_t)1024) // of a back-trace

struct gv_trace_event {
    struct gv_trace_pending *left; // the call that is whole now, or NULL
};

// Reads one event. `*calls` counts those entered. False: `lack` is set, nothing has
// happened and it is to be read anew; or `err` tells. The pool of `p` is set here.
bool gv_parse_event(struct gv_trace_parse *p, struct gv_trace_pendings *pendings,
                    uint64_t *calls, struct gv_trace_event *out);

#endif
