// What payload reader and writer share: the fixed records and the limits of the format
// (docs/payload.md). Nothing outside vm/payload/ and vm/stream/ includes this.
#ifndef GV_PAYLOAD_SEGMENTS_H
#define GV_PAYLOAD_SEGMENTS_H

#include "resources/base/arena.h"
#include "resources/codec.h"
#include "resources/dictionaries.h"
#include "vm/machine.h"
#include "vm/payload/payload.h"

#define GV_HEADER_BYTES 64
#define GV_TRAILER_BYTES 64
#define GV_TRAILER_MAGIC "GPUVMEND" // 8 bytes
#define GV_SEGMENT_ALIGNMENT 64
#define GV_SEGMENT_HEADER_BYTES 32
#define GV_DIRECTORY_ROW_BYTES 40
#define GV_GROUP_ALIGNMENT 16 // of stored groups in a RESOURCE_BYTES segment
#define GV_RESOURCE_ALIGNMENT \
    4 // of resources in a group: SPIR-V words can be read in place

// Header flags.
#define GV_HEADER_THIN 0x1u
// Trailer flags.
#define GV_TRAILER_COMPLETE 0x1u
#define GV_TRAILER_JOINED 0x2u

// Flags of a keyframe.
#define GV_KEYFRAME_EXACT 0x1u
#define GV_KEYFRAME_EXPORTS 0x2u

// Limits of what a file can ask for; those of slots, resources and chunks are the
// machine's (vm/machine.h), so that nothing is written that cannot run. Memory as a
// whole is bounded by the caller's limit.
#define GV_MAX_SEGMENTS ((size_t)1 << 20)
#define GV_MAX_TABLE_BYTES ((uint32_t)1 << 28) // of a decompressed table segment
#define GV_MAX_PROVENANCE_BYTES ((size_t)1 << 20)
#define GV_MAX_NAME_BYTES ((size_t)256)
#define GV_MAX_TEXT_BYTES ((size_t)4096)
#define GV_MAX_REQUIREMENTS ((size_t)65536)
#define GV_MAX_EXPORTS ((size_t)65536)
#define GV_MAX_DIAGNOSTICS ((size_t)65536)
#define GV_MAX_BLOCK_BYTES ((uint32_t)1 << 30) // raw, of code or constants
#define GV_MAX_GROUP_BYTES ((uint64_t)1 << 32) // raw
#define GV_MAX_CONSTANT_BYTES ((uint64_t)1 << 31)
#define GV_MAX_DEBUG_NAMES ((size_t)65536)
#define GV_MAX_DEBUG_SHAPES ((size_t)65536) // later shapes are spelled out every time

// The debug map is a row per command, most of them one byte: the index of a "shape",
// which is what stood in an earlier row.
struct gv_debug_shape {
    uint64_t command_delta; // from the row before
    int64_t offset_delta;   // likewise
    uint32_t name;          // index in order of first appearance
    int64_t number_delta;   // from the row's own command
    uint8_t kinds;          // GV_COMMAND_*
};

// Where a walk over the debug map is.
struct gv_debug_walk {
    struct gv_cursor c;
    struct gv_source_row row; // the last one returned
    struct gv_debug_shape *shapes;
    const char **names;
    size_t shape_count, shape_capacity, name_count, name_capacity;
    uint64_t rows; // returned so far
};

// The next row, or false at the end (c.bad tells a malformed map; `failed` memory).
bool gv_debug_walk_next(struct gv_debug_walk *walk, struct gv_arena *names);
void gv_debug_walk_finish(struct gv_debug_walk *walk);

struct gv_payload_private {
    struct gv_arena arena; // strings and debug names
    uint64_t memory_limit; // bytes; 0 = none
    uint64_t memory_used;
    struct gv_codec_state *codec; // owned
    bool borrowed;                // payload->file is the caller's
    size_t requirement_capacity, import_capacity, slot_capacity,
        constant_block_capacity, group_capacity, resource_capacity, code_block_capacity,
        chunk_capacity, export_capacity, frame_capacity, diagnostic_capacity,
        schedule_capacity, pace_capacity, keyframe_capacity;
    size_t chunks_placed; // chunks whose CODE segment has been read
    bool keyframes_began; // frames, chunks and code are all there
    size_t groups_placed; // groups whose RESOURCE_BYTES segment has been read
    // Groups that others name as their dictionary, and the bytes of those that were
    // needed.
    uint32_t dictionary_groups[GV_DICTIONARY_MOST]; // [payload->dictionary_count]
    struct gv_dictionaries dictionaries;
    // The last rows read, from which deltas carry on.
    struct gv_chunk last_chunk;
    struct gv_frame last_frame;
    uint32_t next_use;    // what a schedule delta of 0 names
    struct gv_arena code; // stored bytes of code blocks
    uint64_t code_held;   // of `memory_used`
    struct gv_bytes debug;
    uint8_t *block; // the decompressed code block that was asked for last
    uint64_t block_index;
    size_t block_capacity;
    struct gv_debug_walk *walk; // of gv_payload_source
    struct gv_debug_walk *next; // of gv_payload_source_next
};

// One segment being decoded.
struct gv_reader {
    struct gv_payload *payload;
    struct gv_payload_private *private;
    const struct gv_segment_info *segment;
    struct gv_cursor c; // its content, decompressed
    struct gv_error *err;
};

// Fails with the file offset of what `r->c` reads (of the segment, if compressed).
bool gv_reader_fail(const struct gv_reader *r, enum gv_status status,
                    const char *format, ...) GV_PRINTF(3, 4);

// A group that travels in the payload is not what its row says: GV_ERR_FORMAT with its
// file offset, which stands in the message `in_run`: there offsets are of the code.
// False.
bool gv_group_damaged(const struct gv_group *group, bool in_run, const char *why,
                      struct gv_error *err);

// Counts `bytes` against the memory limit; GV_ERR_LIMIT.
bool gv_payload_charge(struct gv_payload_private *private, uint64_t bytes,
                       struct gv_error *err);

// Room for `more` further elements behind `count`; returns the (moved) array, or NULL.
void *gv_reader_grow(struct gv_reader *r, void *array, size_t count, size_t more,
                     size_t *capacity, size_t element);

// A uleb length of at most `limit` and that many bytes of UTF-8 without NUL, where they
// stand in the segment; false (and failed) otherwise.
bool gv_reader_text(struct gv_reader *r, size_t limit, struct gv_span *text);

// These bytes as a string of the payload's; NULL (and failed) otherwise.
const char *gv_reader_keep(struct gv_reader *r, struct gv_span text);

// gv_reader_text and gv_reader_keep.
const char *gv_reader_string(struct gv_reader *r, size_t limit);

// ---- the file as a whole (vm/payload/payload.c) ----

// An empty payload, to be read into. gv_payload_finish is due after success.
bool gv_payload_begin(struct gv_payload *payload, uint64_t memory_limit,
                      struct gv_error *err);

bool gv_bytes_are_zero(const uint8_t *bytes, size_t size);

// The first GV_HEADER_BYTES of a payload.
bool gv_payload_read_header(struct gv_payload *payload, const uint8_t *h,
                            struct gv_error *err);

struct gv_trailer {
    uint64_t directory;
    uint32_t segment_count;
};
// The last GV_TRAILER_BYTES, which begin at byte `at`.
bool gv_payload_read_trailer(struct gv_payload *payload, const uint8_t *t, uint64_t at,
                             struct gv_trailer *out, struct gv_error *err);

// GV_SEGMENT_HEADER_BYTES at byte `offset`, and what can be said of them alone.
struct gv_segment_info gv_segment_load(const uint8_t *h, uint64_t offset);
bool gv_segment_check(const struct gv_segment_info *s, struct gv_error *err);

// Checks the content of a segment, which has passed gv_segment_check, against its hash,
// and decodes it.
bool gv_payload_read_segment(struct gv_payload *payload, struct gv_segment_info *s,
                             const uint8_t *content, struct gv_error *err);

// Whether a pace can stand behind `last` (NULL: there is none): it says something else,
// of a later frame.
bool gv_pace_valid(const struct gv_pace *pace, const struct gv_pace *last);

// Decoders, gv_read_requirements and so on, one a segment: each reads all of `r->c`.
#define GV_SEGMENT(name, number, listed, form, reader, ...) \
    bool gv_read_##reader(struct gv_reader *r);
#include "vm/segments.def"

#endif
