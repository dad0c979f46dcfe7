// Values of a trace.
#ifndef GV_TRACE_VALUES_H
#define GV_TRACE_VALUES_H

#include "compiler/apitrace/trace/trace_call.h"
#include "compiler/apitrace/trace/trace_parse.h"

#define GV_TRACE_MAX_DEPTH 64u                 // of arrays in arrays
#define GV_TRACE_MAX_ITEMS ((uint64_t)1 << 22) // of one array, characters of a text
#define GV_TRACE_MAX_BLOB ((uint64_t)1 << 30)  // bytes of a string or a blob

// Strings and blobs are borrowed from the window.
bool gv_parse_value(struct gv_trace_parse *p, struct gv_trace_value *out);

// Makes copies in `pool` of what `v` borrows from the `size` bytes at `window`. False:
// out of memory.
bool gv_trace_value_detach(struct gv_trace_value *v, const uint8_t *window, size_t size,
                           struct gv_trace_pool *pool);

#endif
