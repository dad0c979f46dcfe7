// The AeroGPU trace container: header, metadata, records, table of contents, footer.
//
// Errors name the check as the format's reference reader does ("InvalidMagic: ..."),
// with the byte offset in the file. Nothing here is allocated but the frame table.
#ifndef GV_GPU_TRACE_H
#define GV_GPU_TRACE_H

#include "resources/base/arena.h"
#include "resources/base/cursor.h"
#include "resources/base/error.h"

#define GV_TRACE_MAGIC "AEROGPUT"    // 8 bytes
#define GV_TRACE_HEADER_SIZE 32u     // and of the footer
#define GV_TRACE_RECORD_HEADER 8u    // bytes before a record's payload
#define GV_TRACE_BLOB_HEADER 16u     // bytes before a blob's data
#define GV_TRACE_SUBMISSION_SIZE 56u // smallest submission header
#define GV_TRACE_RANGE_SIZE 32u      // one memory range of a submission
#define GV_MAX_TRACE_FRAMES 65536u
#define GV_TRACE_ABI_APPENDIX_A 1u  // command_abi_version of the minimal packets
#define GV_TRACE_APPENDIX_A_DRAW 9u // opcode of theirs

enum gv_trace_record_type {
    GV_TRACE_BEGIN_FRAME = 1,
    GV_TRACE_PRESENT,
    GV_TRACE_PACKET,
    GV_TRACE_BLOB,
    GV_TRACE_SUBMISSION, // container version 2 only
};

enum gv_trace_blob_kind {
    GV_BLOB_BUFFER = 1,
    GV_BLOB_TEXTURE,
    GV_BLOB_DXBC,
    GV_BLOB_WGSL,
    GV_BLOB_GLSL,
    GV_BLOB_COMMANDS = 0x100,
    GV_BLOB_ALLOC_TABLE,
    GV_BLOB_MEMORY,
};

// One row of the table of contents. Offsets are absolute.
struct gv_trace_frame {
    uint32_t index;   // as the capture numbers it
    uint64_t start;   // its BeginFrame record
    uint64_t present; // its Present record, 0 = none
    uint64_t end;     // exclusive
};

struct gv_gpu_trace {
    struct gv_cursor file;         // all of it
    uint32_t version;              // 1 or 2
    uint32_t abi;                  // command_abi_version
    uint32_t meta_size;            // bytes of JSON behind the header, never parsed
    uint64_t records_begin;        // first record
    uint64_t records_end;          // exclusive: where the table of contents starts
    bool truncated;                // no usable footer: frames come from a scan
    struct gv_trace_frame *frames; // in table order
    size_t frame_count;
};

struct gv_trace_record {
    uint8_t type;           // enum gv_trace_record_type
    uint64_t offset;        // of its header
    const uint8_t *payload; // borrowed from the file
    uint32_t size;          // of the payload
    uint64_t next;          // offset behind it
};

struct gv_trace_blob {
    uint64_t id;
    uint32_t kind;   // enum gv_trace_blob_kind
    uint64_t offset; // of the data, in the file
    const uint8_t *data;
    uint32_t size;
};

struct gv_trace_submission {
    uint64_t offset; // of the record
    uint32_t flags, context_id, engine_id;
    uint64_t signal_fence, commands_blob, alloc_table_blob;
    uint32_t range_count;
    const uint8_t *ranges; // [range_count] of GV_TRACE_RANGE_SIZE bytes
    uint64_t ranges_offset;
};

struct gv_trace_range {
    uint32_t alloc_id, flags;
    uint64_t gpa, size, blob;
};

// Checks header, footer and table of contents. With `allow_truncated`, a file without
// a footer is scanned up to its last whole record instead. The frame table lives in
// `arena`. GV_ERR_FORMAT, GV_ERR_LIMIT.
bool gv_gpu_trace_open(struct gv_gpu_trace *trace, struct gv_cursor file,
                       bool allow_truncated, struct gv_arena *arena,
                       struct gv_error *err);

// The same of a file that is still coming, in two steps. The header and the metadata,
// which are there:
bool gv_gpu_trace_begin(struct gv_gpu_trace *trace, struct gv_cursor file,
                        struct gv_error *err);
// The rest, once all is there. The frames are those of the table of contents; with
// `allow_truncated`, a file without a footer has none, and is `truncated`.
bool gv_gpu_trace_end(struct gv_gpu_trace *trace, struct gv_cursor file,
                      bool allow_truncated, struct gv_arena *arena,
                      struct gv_error *err);
// Bytes that gv_gpu_trace_begin needs, of the first GV_TRACE_HEADER_SIZE.
uint64_t gv_gpu_trace_begin_bytes(const uint8_t *header);

// Whether the table of contents begins there.
bool gv_gpu_trace_is_toc(const struct gv_gpu_trace *trace, uint64_t at);

// Reads the record at `at`, which must end at or before `end`; checks its type and the
// length of fixed payloads.
bool gv_gpu_trace_record(const struct gv_gpu_trace *trace, uint64_t at, uint64_t end,
                         struct gv_trace_record *out, struct gv_error *err);

bool gv_trace_blob_decode(const struct gv_trace_record *record,
                          struct gv_trace_blob *out, struct gv_error *err);
bool gv_trace_submission_decode(const struct gv_trace_record *record,
                                struct gv_trace_submission *out, struct gv_error *err);
// Range `index` (< range_count) of a submission.
struct gv_trace_range gv_trace_submission_range(const struct gv_trace_submission *s,
                                                uint32_t index);

const char *gv_trace_record_name(unsigned type);    // never NULL
const char *gv_trace_blob_kind_name(uint32_t kind); // NULL: no such kind

#endif
