// Calls as plain text for comparisons: everything that the reader says of them.
#ifndef TRACE_PRINT_H
#define TRACE_PRINT_H

#include "compiler/apitrace/trace/trace_reader.h"
#include "resources/base/bytes.h"

void trace_print_value(struct gv_bytes *out, const struct gv_trace_value *v);
void trace_print_call(struct gv_bytes *out, const struct gv_trace_call *call);

// All calls of a file; returns how many. `err` as gv_trace_next left it.
size_t trace_print_file(struct gv_bytes *out, const void *file, size_t size,
                        bool allow_truncated, struct gv_error *err);

#endif
