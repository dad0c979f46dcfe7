// Calls as text, as `apitrace dump` prints them.
#ifndef GV_APITRACE_TEXT_H
#define GV_APITRACE_TEXT_H

#include "compiler/apitrace/trace/trace_call.h"
#include "resources/base/bytes.h"

// One call and a newline, its back-trace if it has one; a blank line behind one that
// ends a frame.
void gv_apitrace_put_call(struct gv_bytes *out, const struct gv_trace_call *call);
// A text in quotation marks.
void gv_apitrace_put_text(struct gv_bytes *out, const char *text);

#endif
