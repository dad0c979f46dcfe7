// What a payload writer gathers between two flushes, and how it becomes segments.
// Nothing outside vm/payload/ includes this.
#ifndef GV_PAYLOAD_BATCH_H
#define GV_PAYLOAD_BATCH_H

#include "resources/base/bytes.h"
#include "resources/dictionary_offers.h"
#include "vm/payload/payload_writer.h"
#include "vm/payload/worker_pool.h"

// A run of raw bytes that is hashed and compressed as one: a group of resources, a
// block of code or of constants.
struct gv_pack {
    struct gv_work work; // first: the pool hands it back
    struct gv_pack *next;
    struct gv_bytes raw;    // freed once `stored` replaces it
    struct gv_bytes stored; // the zstd frame; empty = stored raw
    struct gv_bytes rows;   // of its table: resource sizes or chunks
    uint64_t raw_size;
    uint32_t row_count;
    uint64_t end; // padded size so far of the bytes in `raw`
    int level;
    const struct gv_dictionary_offers *offers; // what groups may be compressed with,
    size_t offers_first, offers_end;           // of those,
    bool exact;          // or rather have to, if they are compressed at all
    uint32_t dictionary; // number + 1 of the group that it was; 0: none
    bool hashed;         // wants a content id (groups)
    bool thin;           // goes to a store: always a frame, and `raw` is kept
    struct gv_hash hash;
    struct gv_error error;
};

struct gv_pack_list {
    struct gv_pack *first, *last;
    uint32_t count;
};

// All that is new since the last batch. Tables hold finished content.
struct gv_batch {
    struct gv_bytes tables[GV_SEGMENT_COUNT];
    struct gv_pack_list constants, groups, code;
    size_t raw_bytes; // gathered in packs
};

// Where segments go.
struct gv_segment_sink {
    gv_write_fn write;
    void *context;
    uint64_t offset;           // bytes written so far
    struct gv_bytes directory; // rows of the segments written
    uint32_t segment_count;
    int level;
    uint16_t major, minor; // version
    bool thin;
    struct gv_store *store;
    struct gv_codec_state *codec; // of the writing thread
};

struct gv_pack *gv_pack_create(int level, bool hashed, bool thin); // NULL: memory
void gv_pack_list_add(struct gv_pack_list *list, struct gv_pack *pack);

struct gv_batch *gv_batch_create(void);
void gv_batch_destroy(struct gv_batch *batch, struct gv_pool *pool); // waits

// Waits for the packs and writes the segments of a batch, in the order of need.
bool gv_batch_write(struct gv_batch *batch, struct gv_pool *pool,
                    struct gv_segment_sink *sink, struct gv_error *err);

// Bytes, and zeros up to an alignment that is a power of two.
bool gv_sink_put(struct gv_segment_sink *sink, const void *data, size_t size,
                 struct gv_error *err);
bool gv_sink_pad(struct gv_segment_sink *sink, size_t alignment, struct gv_error *err);

// Writes the header of a segment at the next boundary, which becomes `s->offset`, and
// lists it; its content is to follow.
bool gv_sink_begin(struct gv_segment_sink *sink, struct gv_segment_info *s,
                   struct gv_error *err);
// The row of a keyframe behind that of frame `last` (0: none).
void gv_keyframe_put(struct gv_bytes *table, const struct gv_keyframe *k,
                     uint64_t last);

// Writes a table, compressed where that gains enough. An empty one is left out.
bool gv_sink_rows(struct gv_segment_sink *sink, enum gv_segment kind,
                  const struct gv_bytes *table, struct gv_error *err);

// What a group of so many stored bytes takes in a RESOURCE_BYTES segment.
uint64_t gv_sink_group_bytes(uint64_t size);

// Header, directory and trailer.
bool gv_sink_header(struct gv_segment_sink *sink, struct gv_error *err);
// `flags`: GV_TRAILER_*.
bool gv_sink_close(struct gv_segment_sink *sink, uint32_t flags, uint64_t command_count,
                   struct gv_error *err);

#endif
