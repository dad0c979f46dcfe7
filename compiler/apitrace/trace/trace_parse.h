// Reading primitives of a trace's stream out of a window that may end too early: then
// `lack` says how much more is wanted, and what was being read is read anew.
#ifndef GV_TRACE_PARSE_H
#define GV_TRACE_PARSE_H

#include "compiler/apitrace/trace/trace_pool.h"
#include "resources/base/cursor.h"
#include "resources/base/error.h"

#include <string.h>

struct gv_trace_signatures;

struct gv_trace_parse {
    const uint8_t *at, *end; // what is left of the window
    const uint8_t *data;     // the window
    uint64_t start;          // where that is in the stream
    size_t lack;             // bytes wanted behind `at`, if more than there are
    unsigned version;        // of the trace
    unsigned depth;          // of nested values
    struct gv_trace_pool *pool;
    struct gv_trace_signatures *signatures;
    struct gv_error *err;
};

static inline uint64_t gv_parse_offset(const struct gv_trace_parse *p)
{
    return p->start + (uint64_t)(p->at - p->data);
}

#define gv_parse_fail(p, status, ...) \
    gv_fail((p)->err, (status), gv_parse_offset(p), __VA_ARGS__)

// False, with `lack` set, unless `size` bytes are there.
static inline bool gv_parse_need(struct gv_trace_parse *p, size_t size)
{
    if (size <= (size_t)(p->end - p->at))
        return true;
    p->lack = size;
    return false;
}

bool gv_parse_long_uint(struct gv_trace_parse *p, uint64_t *out);

// "uint": 7 bits a byte, low group first; up to 10 bytes, bits past 64 are dropped.
static inline bool gv_parse_uint(struct gv_trace_parse *p, uint64_t *out)
{
    if (p->at < p->end && *p->at < 0x80) {
        *out = *p->at++;
        return true;
    }
    return gv_parse_long_uint(p, out);
}

static inline bool gv_parse_byte(struct gv_trace_parse *p, uint8_t *out)
{
    if (!gv_parse_need(p, 1))
        return false;
    *out = *p->at++;
    return true;
}

// A uint that is to be below or at `limit`; `what` for the error.
bool gv_parse_limited(struct gv_trace_parse *p, uint64_t limit, const char *what,
                      uint64_t *out);

// A count of things of one byte or more each, which are there.
bool gv_parse_count(struct gv_trace_parse *p, uint64_t limit, const char *what,
                    uint64_t *out);

// Bytes with their size in front; borrowed from the window.
bool gv_parse_bytes(struct gv_trace_parse *p, uint64_t limit, const char *what,
                    const uint8_t **bytes, uint64_t *size);

// "typed integer": how enumerations keep their values.
bool gv_parse_typed(struct gv_trace_parse *p, int64_t *out);

#endif
