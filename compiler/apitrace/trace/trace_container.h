// The compressed files that hold a trace's stream: snappy chunks, gzip, brotli, zstd,
// or nothing around it. They are unpacked piece by piece, forward.
#ifndef GV_TRACE_CONTAINER_H
#define GV_TRACE_CONTAINER_H

#include "resources/base/cursor.h"
#include "resources/base/error.h"
#include "resources/inflow.h"

enum gv_trace_container {
    GV_TRACE_RAW,
    GV_TRACE_SNAPPY,
    GV_TRACE_GZIP,
    GV_TRACE_ZSTD,
    GV_TRACE_ZSTD_SEEKABLE, // zstd with a table of its frames at the end
    GV_TRACE_BROTLI,        // which has no magic: what is nothing else
};

// By the first bytes, and for zstd the last four.
enum gv_trace_container gv_trace_container_detect(const uint8_t *file, size_t size);
const char *gv_trace_container_name(enum gv_trace_container container);

// A chunk of snappy unpacks to no more than this, in bytes.
#define GV_TRACE_MAX_CHUNK ((size_t)1 << 28)

// Where unpacked bytes go.
struct gv_trace_room {
    // Room for `size` further bytes behind those there are, or NULL.
    uint8_t *(*take)(void *context, size_t size);
    void (*made)(void *context, size_t size);           // so many of them are bytes now
    void (*piece)(void *context, uint64_t file_offset); // what follows comes from there
    void *context;
};

struct gv_trace_unpacker;

// `file` is borrowed; with `inflow` it is what has come of that by now. NULL when
// memory runs out. Not for GV_TRACE_RAW.
struct gv_trace_unpacker *gv_trace_unpacker_create(enum gv_trace_container container,
                                                   struct gv_cursor file,
                                                   struct gv_inflow *inflow);
void gv_trace_unpacker_destroy(struct gv_trace_unpacker *u);

enum gv_trace_pull {
    GV_TRACE_PULLED, // something was made
    GV_TRACE_ENDED,  // there is no more
    GV_TRACE_CUT,    // the file ended early; something may have been made
    GV_TRACE_FAILED, // `err` tells; its offset is in the file
};

// Unpacks the next piece: a chunk, or some 256 KiB.
enum gv_trace_pull gv_trace_unpacker_pull(struct gv_trace_unpacker *u,
                                          const struct gv_trace_room *room,
                                          struct gv_error *err);

// Bytes of the file that were taken so far.
size_t gv_trace_unpacker_taken(const struct gv_trace_unpacker *u);

#endif
