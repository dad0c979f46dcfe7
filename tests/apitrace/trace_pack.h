// Containers around the stream of a trace.
#ifndef TRACE_PACK_H
#define TRACE_PACK_H

#include "compiler/apitrace/trace/trace_container.h"
#include "resources/base/bytes.h"

// A container that grows part by part: a chunk of snappy, a member of gzip, a frame of
// zstd each; brotli has one part, all of it. Zero-initialise but for the container.
struct trace_packer {
    enum gv_trace_container container;
    struct gv_bytes table; // of zstd's frames: sizes
    bool begun;
};

void trace_pack_part(struct trace_packer *p, const void *stream, size_t size,
                     struct gv_bytes *out);
// What stands at the end of the file.
void trace_pack_end(struct trace_packer *p, struct gv_bytes *out);

// All of a stream in parts of at most `part` bytes.
void trace_pack(enum gv_trace_container container, const struct gv_bytes *stream,
                size_t part, struct gv_bytes *out);

#endif
