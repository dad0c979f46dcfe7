// The payload file: what `compile` writes and `run` reads. docs/payload.md is the
// format, exact enough to reimplement; this is its form in memory and how it is opened.
//
// Layout: header (64 bytes), segments in the order of need (64-byte aligned; each with
// kind, flags, size and XXH3-128), directory segment, trailer (64 bytes). A file is
// opened by its trailer and mapped; a pipe is read segment by segment. The bytes are
// the same.
#ifndef GV_PAYLOAD_H
#define GV_PAYLOAD_H

#include "resources/base/cursor.h"
#include "resources/base/error.h"
#include "resources/base/file.h"
#include "resources/hash.h"
#include "resources/source.h"
#include "vm/calls.h"
#include "vm/command_kinds.h"

#include <stdatomic.h>

#define GV_PAYLOAD_MAGIC "GPUVM\r\n\0" // finds text-mode damage
#define GV_PAYLOAD_MAGIC_BYTES 8
#define GV_PAYLOAD_MAJOR 2
#define GV_PAYLOAD_OLDEST_MAJOR 1 // that is read
#define GV_PAYLOAD_MINOR 0

// Kinds of segments, in the order of need.
enum gv_segment {
#define GV_SEGMENT(name, number, ...) GV_SEGMENT_##name = (number),
#define GV_LAST_SEGMENT(name, number, ...) GV_SEGMENT_##name = (number),
#include "vm/segments.def"
    GV_SEGMENT_COUNT = GV_SEGMENT_KEYFRAMES + 1, // kinds are below
};

// "requirements", "code", ...; NULL of a number this version does not know.
const char *gv_segment_name(uint32_t kind);

// Where a kind stands in a batch, counted from 0. One that this version does not know
// stands behind all others.
size_t gv_segment_place(uint32_t kind);

// Flags of a segment.
enum {
    GV_SEGMENT_ZSTD = 0x0001,     // the content is one zstd frame of `raw_size` bytes
    GV_SEGMENT_OPTIONAL = 0x8000, // a reader that does not know the kind may ignore it
};

// Everything a payload may use. Each segment may only raise them.
struct gv_limits {
    uint64_t volatile_bytes;
    uint64_t map_bytes; // all mapped shadows together
    uint32_t stack_cells;
    uint32_t objects;      // live at once
    uint64_t instructions; // executed, loops counted out
    uint64_t object_bytes; // estimate of buffers and images live at once
};

// One segment as the directory lists it.
struct gv_segment_info {
    uint16_t kind;           // enum gv_segment, or a number this version does not know
    uint16_t flags;          // GV_SEGMENT_ZSTD, GV_SEGMENT_OPTIONAL
    uint32_t raw_size;       // of the content if GV_SEGMENT_ZSTD, else 0
    uint64_t offset;         // of its header in the file
    uint64_t size;           // of its content, which follows the header
    struct gv_hash hash;     // of the content as stored; zero for RESOURCE_BYTES
    size_t rows;             // table rows (groups, blocks) it added; not in the file
    struct gv_limits limits; // of a LIMITS segment
};

enum gv_requirement_kind {
    GV_REQUIRE_FEATURE,   // name of a Vulkan feature bit ("geometryShader")
    GV_REQUIRE_EXTENSION, // name of a device extension
    GV_REQUIRE_LIMIT,     // name of a VkPhysicalDeviceLimits member, or of a property
                          // behind it, and a value that it meets (vm/device_limits.def)
    GV_REQUIRE_FORMAT, // name of a format; `value` = VkFormatFeatureFlags bits (optimal
                       // tiling; buffer features shifted left by 32)
    GV_REQUIRE_MEMORY, // `value` bytes of device memory at peak; name empty
};

// What a miss means.
enum gv_requirement_strength {
    GV_NEEDED,      // the payload does not run
    GV_PREFERRED,   // it runs, and what it makes differs
    GV_ALTERNATIVE, // it runs another way (MEETS), and makes the same
    GV_STRENGTH_COUNT,
};

struct gv_requirement {
    uint8_t kind;     // enum gv_requirement_kind
    uint8_t strength; // enum gv_requirement_strength
    const char *name; // NUL-terminated, as Vulkan spells it
    uint64_t value;
    const char *fallback; // of one that is not needed: what happens instead; else ""
};

// "needed", "preferred", "alternative", or NULL.
const char *gv_requirement_strength_name(uint8_t strength);

struct gv_import {
    uint32_t call; // enum gv_call
    uint64_t signature;
};

struct gv_slot_info {
    uint8_t kind;      // enum gv_kind, the same for the whole payload
    uint64_t map_size; // of a MAP slot: bytes every map stored there has
};

enum gv_codec {
    GV_CODEC_RAW,
    GV_CODEC_ZSTD,
    GV_CODEC_DICTIONARY, // zstd, with the last bytes of another group as dictionary
};

// A group is what is stored and fetched as one object: a large resource or some small
// neighbours in use order.
struct gv_group {
    struct gv_hash hash; // of the raw bytes of the whole group
    uint64_t raw_size, stored_size;
    uint8_t codec;       // enum gv_codec
    uint32_t dictionary; // of GV_CODEC_DICTIONARY: number of that group, an earlier one
    uint64_t file_offset; // of the stored bytes in the payload; 0 = not in it (thin)
};

// A resource is named by its index and is a range of a group. Only groups have content
// ids: sixteen incompressible bytes for every small range would outweigh the ranges.
struct gv_resource {
    uint32_t group;
    uint64_t offset, size; // in the group's raw bytes
};

struct gv_chunk {
    uint64_t block;         // which zstd block of the code segments holds it
    uint32_t offset, size;  // in the decompressed block
    uint64_t first_command; // the command at its start; it may have begun before
    uint64_t code_offset; // of its first byte, counted over all chunks: error positions
    uint32_t
        first_resource; // RES_NEXT state at its start: the next RES_NEXT names this
};

struct gv_block {
    uint64_t file_offset;
    uint32_t stored_size, raw_size; // equal sizes: stored raw
    const uint8_t *code; // of a code block: its stored bytes, copied from the file
};

struct gv_frame {
    uint32_t chunk_begin, chunk_end; // chunks [begin, end)
    uint64_t command_begin, command_end;
    uint32_t width, height; // 0 = no picture
    uint64_t schedule;      // cursor into the schedule at its start
};

// How frames were shown where they come from: from `frame` on each for `per` / `rate`
// seconds (a rate of 0: nobody knows), in the shape of `width`:`height` (0: their
// pixels are square).
struct gv_pace {
    uint64_t frame;
    uint32_t rate, per, width, height;
};

// Code that makes what stands where a frame begins, in place of all that comes before
// it (docs/keyframes.md).
struct gv_keyframe {
    uint64_t frame;              // > 0; keyframes ascend
    uint32_t stack_cells;        // that the code needs
    uint32_t size;               // bytes
    const uint8_t *code;         // ends with END; its first RES_NEXT names resource 0
    uint64_t code_offset;        // of its first byte, counted on behind all chunks
    const char *device, *driver; // that its contents were read from
    bool exact;                  // any device would have made the same contents
    bool exports;                // it has what exports need, too
};

struct gv_export {
    const char *name;
    uint8_t kind; // GV_KIND_BUFFER or GV_KIND_IMAGE
    uint32_t
        format; // GV_FORMAT_* of the texels; of a buffer: how .png conversion reads it
    uint32_t width, height; // 0 = not a picture
};

enum gv_severity { GV_NOTE, GV_WARNING, GV_UNSUPPORTED };

struct gv_diagnostic {
    uint8_t severity; // enum gv_severity
    const char *code; // stable word: "unknown-opcode", "unsupported"
    const char *text;
    uint64_t command, offset; // of the first occurrence
    uint64_t count;
};

// All tables, in file order. Arrays and strings live until gv_payload_finish.
struct gv_payload {
    struct gv_file file;   // the whole payload; owned unless opened from memory
    int level;             // of compression, as stated in the header
    uint16_t major, minor; // version, likewise
    bool thin;             // resource bytes are elsewhere
    bool remote; // they are in the file, which is elsewhere: zeros are here. Set by who
                 // opened it; sources have the groups
    bool
        streamed; // tables grow as it comes, and lose what has run (vm/stream/stream.h)
    struct gv_segment_info *segments;
    struct gv_requirement *requirements;
    struct gv_import *imports;
    struct gv_limits limits; // the final ones
    struct gv_slot_info *slots;
    struct gv_block *constant_blocks; // decompressed into `constants` at open
    uint8_t *constants;
    struct gv_group *groups;
    struct gv_resource *resources;
    struct gv_block *code_blocks;
    struct gv_chunk *chunks;
    struct gv_export *exports;
    struct gv_frame *frames;
    struct gv_pace *paces; // frames ascend
    struct gv_keyframe *keyframes;
    struct gv_diagnostic *diagnostics;
    uint32_t *schedule; // resource index per use, in order
    // Counts, each in elements of the array of that name.
    size_t requirement_count, import_count, slot_count, constant_size, group_count,
        resource_count, code_block_count, chunk_count, export_count, frame_count,
        diagnostic_count, schedule_count, constant_block_count, segment_count,
        pace_count, keyframe_count;
    uint64_t last_keyframe;     // frame of the last row read, also in a stream; 0: none
    size_t dictionary_count;    // different groups that others have as dictionary
    uint64_t uses_run;          // of a stream: uses that `schedule` has lost
    uint64_t first_frame;       // that runs: of a view (below); else 0
    uint64_t code_size;         // raw bytes of all chunks
    uint64_t instruction_count; // in the code; 0 until gv_verify has counted them
    uint64_t command_count;     // source commands are numbered below
    uint32_t tail_begin;        // first chunk after the last frame; chunk_count if none
    const char *provenance;     // JSON text
    bool complete;              // false: calls were skipped (GL without --strict)
    bool joined;            // work of several commands may stand with the last of them
    struct gv_cursor debug; // all debug segments, decompressed; empty when stripped
    struct gv_payload_private *private; // parser's arena and segment list
};

// Opens a payload file by its trailer. Checks header, trailer, directory, segment
// hashes (not resource bytes), and the shape of every table; not yet the code
// (vm/verify/verify.h). `memory_limit` bounds private memory in bytes (GV_ERR_LIMIT).
bool gv_payload_open(struct gv_payload *payload, const char *path,
                     uint64_t memory_limit, struct gv_error *err);

// The same over bytes in memory, borrowed.
bool gv_payload_open_memory(struct gv_payload *payload, const void *data, size_t size,
                            uint64_t memory_limit, struct gv_error *err);

// The same from a pipe, read segment by segment to its trailer. `cancel` is looked at
// while nothing comes, and may be NULL.
bool gv_payload_read_fd(struct gv_payload *payload, int fd, uint64_t memory_limit,
                        const atomic_bool *cancel, struct gv_error *err);

void gv_payload_finish(struct gv_payload *payload);

// The private memory that its tables take, in bytes.
uint64_t gv_payload_memory(const struct gv_payload *payload);

// The frame that has a command. Behind the last command of one the next has begun;
// frame_count: the end.
uint32_t gv_payload_frame_of(const struct gv_payload *payload, uint64_t command);

// The pace of a frame; all zeros where nothing is said of it.
struct gv_pace gv_payload_pace(const struct gv_payload *payload, uint64_t frame);

// Decompresses the code of one chunk into a buffer it keeps (one block cached).
// Returns the chunk's bytes, valid until the next call, or NULL.
const uint8_t *gv_payload_chunk(struct gv_payload *payload, size_t chunk,
                                struct gv_error *err);

// The last keyframe that is not behind a frame, or payload->keyframe_count.
size_t gv_payload_keyframe(const struct gv_payload *payload, uint64_t frame);

// Whether its contents are another device's: not what this one would have made.
bool gv_keyframe_is_foreign(const struct gv_keyframe *keyframe, const char *device,
                            const char *driver);

// The payload as it runs from a keyframe on: the frames before it are empty, and its
// code stands in front of the frame's. Borrows all else. False: GV_ERR_LIMIT.
bool gv_payload_view(struct gv_payload *view, const struct gv_payload *payload,
                     size_t keyframe, struct gv_error *err);
void gv_payload_view_finish(struct gv_payload *view); // fine on a zeroed one

// The byte offset in the capture of a source command, GV_NO_OFFSET if stripped or
// unknown; `name` (may be NULL) receives the command's name or "". Ascending questions
// are cheap, others start from the beginning. Not for two threads at once.
uint64_t gv_payload_source(const struct gv_payload *payload, uint64_t command,
                           const char **name);

// "draw", "frame", "target": of 1 << `kind`.
const char *gv_command_kind_name(unsigned kind);

#define GV_MAX_COMMAND_NUMBER (UINT64_C(1) << 48) // sources' own numbers are below

// The next row of the debug map, in ascending order of command; start with
// `*position` 0. False at the end.
struct gv_source_row {
    uint64_t command, offset;
    const char *name; // lives as long as the payload
    uint64_t number;  // what the source itself calls it; mostly the command
    uint8_t kinds;    // GV_COMMAND_*
};
bool gv_payload_source_next(const struct gv_payload *payload, uint64_t *position,
                            struct gv_source_row *row);

// The groups that travel in the payload as a source (resources/source.h), named
// "payload". Groups stored raw can be borrowed. The payload must outlive it; the caller
// destroys it. NULL: GV_ERR_LIMIT.
struct gv_source *gv_payload_open_source(const struct gv_payload *payload,
                                         struct gv_error *err);

// Counts memory that is taken for the payload's sake towards the limit that it was
// opened with (GV_ERR_LIMIT), and no longer.
bool gv_payload_hold(const struct gv_payload *payload, uint64_t bytes,
                     struct gv_error *err);
void gv_payload_release(const struct gv_payload *payload, uint64_t bytes);

// The raw bytes of one group, whose hash is checked; held (above) until the caller
// drops them. NULL as gv_payload_verify_deep.
uint8_t *gv_payload_read_group(const struct gv_payload *payload,
                               const struct gv_group *group,
                               struct gv_source *const *sources, size_t source_count,
                               struct gv_error *err);
void gv_payload_drop_group(const struct gv_payload *payload,
                           const struct gv_group *group, uint8_t *raw);

// Decompresses every group and checks its hash: of the payload, or of the first source
// that has it. GV_ERR_FORMAT with the file offset of the group; GV_ERR_FETCH for one
// that does not travel in the payload and no source has, or has damaged.
bool gv_payload_verify_deep(const struct gv_payload *payload,
                            struct gv_source *const *sources, size_t source_count,
                            struct gv_error *err);

#endif
