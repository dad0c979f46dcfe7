// Whether bytes are a trace of apitrace, by their beginning.
#ifndef GV_TRACE_PROBE_H
#define GV_TRACE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_TRACE_NEWEST_VERSION 6u

// The stream itself, with nothing around it: a header, then the first event, which
// enters a function that is defined there.
bool gv_trace_is_stream(const uint8_t *data, size_t size);

// "at", then a chunk of snappy that can begin.
bool gv_trace_is_snappy(const uint8_t *data, size_t size);

// brotli that unpacks to a stream.
bool gv_trace_is_brotli(const uint8_t *data, size_t size);

#endif
