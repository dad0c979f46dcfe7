// A payload that is run while it comes through a pipe: each segment is read when it
// arrives, each chunk verified before it runs, and what has run is forgotten. In memory
// stay the tables that later code may name (docs/payload/stream.md) and the
// constants; the bytes of resources wait in a file without a name.
#ifndef GV_STREAM_H
#define GV_STREAM_H

#include "vm/payload/payload.h"

struct gv_stream_params {
    int fd;           // read from; borrowed
    const void *head; // bytes that were read from it before; copied
    size_t head_size; // at most GV_STREAM_HEAD
    int spill;        // a file for the bytes of resources, read and written; borrowed
    uint64_t spill_limit;     // bytes that it may have
    const char *spill_option; // that sets the limit, for messages
    uint64_t memory_limit;    // private bytes, for tables and the segment at hand
    uint64_t declared_limit;  // bytes that a payload may declare; 0 = none
    // Told about once a second while nothing comes, and when something can be read at
    // `watch` meanwhile. False: nothing more is wanted, which ends the stream with
    // GV_ERR_SYSTEM. May be NULL.
    bool (*waiting)(void *context);
    // Asked before each wait: what else to wait for, or -1. May be NULL.
    int (*watch)(void *context);
    void *context;
};

#define GV_STREAM_HEAD 64

struct gv_stream;

// Reads the header. NULL: GV_ERR_FORMAT, GV_ERR_SYSTEM, GV_ERR_LIMIT.
struct gv_stream *gv_stream_open(const struct gv_stream_params *params,
                                 struct gv_error *err);
void gv_stream_close(struct gv_stream *stream); // NULL is fine

// What has come so far, as the VM takes it (gv_vm_params.stream): chunks, blocks, uses
// and frames are those of the last gv_stream_next alone. Lives as long as the stream.
struct gv_payload *gv_stream_payload(struct gv_stream *stream);

// Where the resources that have come are fetched from; likewise.
struct gv_source *gv_stream_source(struct gv_stream *stream);

// Forgets the code there is, which must have run, and reads on until there is more,
// which is verified. `*more` is false at the end: then all of the payload was in order.
// Errors are those of gv_payload_open and gv_verify; gv_stream_in_code tells which:
// whether an error's offset is one of code.
bool gv_stream_next(struct gv_stream *stream, bool *more, struct gv_error *err);
bool gv_stream_in_code(const struct gv_stream *stream);

#endif
