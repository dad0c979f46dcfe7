// A window over a trace's stream: so much of it as is being looked at, in one piece.
#ifndef GV_TRACE_WINDOW_H
#define GV_TRACE_WINDOW_H

#include "compiler/apitrace/trace/trace_container.h"
#include "resources/inflow.h"

// Where a chunk, member or frame of the file begins in the stream.
struct gv_trace_piece {
    uint64_t stream, file;
};

struct gv_trace_window {
    const uint8_t *data; // [size]
    size_t size;
    uint64_t start;         // where data[0] is in the stream
    bool ended;             // there is no more behind it
    bool cut;               // the file ended early
    struct gv_error damage; // why it ended; its offset is in the file
    // ---- its own ----
    enum gv_trace_container container;
    struct gv_cursor file;
    struct gv_inflow *inflow; // borrowed; NULL: the file is all there
    uint8_t *owned;           // [capacity]; NULL: `data` is the file
    size_t capacity, limit;
    struct gv_trace_unpacker *unpacker; // owned
    struct gv_trace_piece *pieces;      // owned; ascending
    size_t piece_count, piece_capacity;
    bool failed; // memory ran out
};

// `limit`: bytes the window may hold. `file` is borrowed; with `inflow` it is what has
// come of that by now.
bool gv_trace_window_init(struct gv_trace_window *w, struct gv_cursor file,
                          struct gv_inflow *inflow, size_t limit, struct gv_error *err);
void gv_trace_window_finish(struct gv_trace_window *w);

// Forgets the first `used` bytes and unpacks until there are at least `wanted`, or the
// stream ends, or is damaged. Moves the bytes. False: out of memory.
bool gv_trace_window_advance(struct gv_trace_window *w, size_t used, size_t wanted,
                             struct gv_error *err);

// Where in the file the chunk, member or frame begins that holds a byte of the window.
uint64_t gv_trace_window_chunk(const struct gv_trace_window *w, uint64_t stream_offset);

// Bytes of the file that were read so far.
size_t gv_trace_window_read(const struct gv_trace_window *w);

#endif
