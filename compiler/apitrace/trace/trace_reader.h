// Reading a trace of apitrace: a mapped file goes in, calls come out one by one, in the
// order of their leave events. Of the unpacked stream no more is in memory than a
// window and what calls that have not left yet hold.
#ifndef GV_TRACE_READER_H
#define GV_TRACE_READER_H

#include "compiler/apitrace/trace/trace_call.h"
#include "compiler/apitrace/trace/trace_container.h"
#include "resources/inflow.h"

// Limits on what a trace may ask for; trace_events.h, trace_signatures.h and
// trace_values.h have more.
#define GV_TRACE_MAX_PROPERTIES 1024u
#define GV_TRACE_MAX_PROPERTY_BYTES ((uint64_t)4 << 20) // of a value
#define GV_TRACE_VALUE_BYTES ((size_t)512 << 20)        // of values at a time

struct gv_trace_params {
    bool allow_truncated;     // a file that ends early is read as far as it goes
    uint64_t memory_limit;    // bytes; 0 = no limit beyond those named here
    struct gv_inflow *inflow; // the file is what comes through it; NULL: all is there
    bool nameless;            // no names of enumerants and bits, which are many
};

struct gv_trace_property {
    const char *name, *value; // terminated copies
};

struct gv_trace_header {
    unsigned version, semantic_version;
    enum gv_trace_container container;
    size_t property_count;
    const struct gv_trace_property *properties;
};

struct gv_trace_position {
    uint64_t stream;    // where the next event begins, bytes
    uint64_t chunk;     // where in the file the chunk, member or frame of it begins
    uint64_t file_read; // bytes of the file read so far
};

struct gv_trace_reader;

// `file` is borrowed until the reader is closed. NULL: GV_ERR_FORMAT, GV_ERR_LIMIT,
// GV_ERR_UNSUPPORTED (a newer version). Offsets of errors are those in the stream; the
// message names the chunk in the file.
struct gv_trace_reader *gv_trace_open(struct gv_cursor file,
                                      const struct gv_trace_params *params,
                                      struct gv_error *err);
void gv_trace_close(struct gv_trace_reader *reader); // NULL is fine

const struct gv_trace_header *gv_trace_header(const struct gv_trace_reader *reader);
// Of a name, or NULL.
const char *gv_trace_property(const struct gv_trace_reader *reader, const char *name);

// The next call, which lives until the next one is asked for; `*call` is NULL at the
// end. What never left comes last, as it was entered.
bool gv_trace_next(struct gv_trace_reader *reader, const struct gv_trace_call **call,
                   struct gv_error *err);

struct gv_trace_position gv_trace_position(const struct gv_trace_reader *reader);
// Whether the file ended early and was taken nevertheless; known at the end.
bool gv_trace_was_cut(const struct gv_trace_reader *reader);

#endif
