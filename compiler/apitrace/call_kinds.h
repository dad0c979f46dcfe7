// What kind of calls a function makes, by its name: what SETs select by and dumps hide.
#ifndef GV_CALL_KINDS_H
#define GV_CALL_KINDS_H

#include "compiler/apitrace/trace/trace_call.h"
#include "vm/command_kinds.h"

enum {
    GV_CALL_FRAME = GV_COMMAND_FRAME,
    GV_CALL_DRAW = GV_COMMAND_DRAW,
    GV_CALL_FBO = GV_COMMAND_TARGET, // ends a frame, or binds a framebuffer
    GV_CALL_ASKS = 1 << 3,           // changes nothing, and is made all the time
    GV_CALL_ERROR = 1 << 4,          // glGetError: asks, if there was none
    GV_CALL_KNOWN = 1 << 5,          // the others have been looked up
    GV_CALL_SEEN = 1 << 6,           // gv_call_first was asked before
};

// Looked up once and kept with the function.
unsigned gv_call_kind(struct gv_trace_function *function);

// Whether this is asked for the first time.
bool gv_call_first(struct gv_trace_function *function);

// Whether the call only asks: what apitrace calls verbose.
bool gv_call_only_asks(const struct gv_trace_call *call);

#endif
