// Streams: bytes that draws read - vertices, indices - brought to the device in few
// uploads, ahead of the passes that read them, so that no upload breaks a pass. What
// comes again in a later stretch stays on the device, found by its content.
//
// A stretch lasts from the first write to gv_lower_stream_flush, at the latest to the
// frame's end; its bytes stand in a few buffers that every stretch overwrites, but for
// parts of large pieces that are there already.
#ifndef GV_LOWER_STREAM_H
#define GV_LOWER_STREAM_H

#include "compiler/lower/lower_pass.h"
#include "resources/hash.h"

#define GV_STREAM_CHUNK (1u << 20) // bytes of a buffer, unless one piece is larger
#define GV_STREAM_KEPT ((uint64_t)128 << 20)   // bytes kept at most
#define GV_STREAM_PENDING ((uint64_t)64 << 20) // bytes of a stretch, then it ends
#define GV_STREAM_KNOWN (1u << 18)             // pieces remembered

struct gv_lower_streamed {
    struct gv_buffer buffer;
    uint64_t offset; // bytes
};

struct gv_stream_chunk {
    struct gv_buffer gpu;
    uint8_t *bytes; // owned; of kept chunks until they are full
    uint64_t size, used, uploaded;
    uint64_t there; // `bytes` up to here are what the device has, but for what waits
};

struct gv_stream_piece {
    struct gv_hash hash;
    uint64_t size, stretch; // size 0: no entry
    struct gv_lower_streamed at;
    uint32_t align;
    bool kept;
};

struct gv_stream_chunks {
    struct gv_stream_chunk *list; // owned
    size_t count, capacity;
};

// Zeroed but for `pass`, which must have `streams` set.
struct gv_lower_stream {
    struct gv_lower_pass *pass;
    struct gv_stream_chunks passing, kept;
    uint64_t stretch;              // counts flushes
    uint64_t pending, kept_bytes;  // bytes of this stretch; of kept chunks
    struct gv_stream_piece *known; // owned; open addressing
    uint32_t known_count, known_size;
    uint64_t uploads; // so far, for figures
    uint64_t written; // bytes that were not there already, so far
};

// Where `data` will be for all draws of this stretch, at a multiple of `align` (1 to
// 4096) bytes. The bytes are copied. Closes the pass only where a stretch has become
// too long. `hash` gets that of the bytes. GV_ERR_SYSTEM (memory), GV_ERR_LIMIT (a
// piece of 1 GiB and more).
bool gv_lower_stream_write(struct gv_lower_stream *s, const void *data, uint64_t size,
                           uint32_t align, struct gv_hash *hash,
                           struct gv_lower_streamed *out, struct gv_error *err);

// The same of bytes whose hash is known, in two steps: whether they will be there
// anyway, and else writing them. The first one has the same effects as a write.
struct gv_lower_content {
    struct gv_hash hash;
    uint64_t size;  // bytes, below 1 GiB
    uint32_t align; // as above
};
bool gv_lower_stream_find(struct gv_lower_stream *s, const struct gv_lower_content *c,
                          struct gv_lower_streamed *out);
bool gv_lower_stream_add(struct gv_lower_stream *s, const struct gv_lower_content *c,
                         const void *data, struct gv_lower_streamed *out,
                         struct gv_error *err);

// Ends the stretch: before a frame ends, before the capture does. No pass may be open
// unless nothing was written since it opened.
void gv_lower_stream_flush(struct gv_lower_stream *s);

void gv_lower_stream_finish(struct gv_lower_stream *s);

#endif
