#include "compiler/aerogpu/trace/gpu_trace.h"

#include <string.h>

#include "resources/base/checked.h"
#include "resources/base/cut_hint.h"

#define TOC_MAGIC "AEROTOC\0"
#define TOC_HEADER_SIZE 16u
#define TOC_ENTRY_SIZE 32u
#define FOOTER_MAGIC "AEROGPUF"

const char *gv_trace_record_name(unsigned type)
{
    static const char *const names[] = { "?",      "BeginFrame", "Present",
                                         "Packet", "Blob",       "AerogpuSubmission" };
    return names[type <= GV_TRACE_SUBMISSION ? type : 0];
}

const char *gv_trace_blob_kind_name(uint32_t kind)
{
    switch (kind) {
    case GV_BLOB_BUFFER:
        return "buffer";
    case GV_BLOB_TEXTURE:
        return "texture";
    case GV_BLOB_DXBC:
        return "dxbc";
    case GV_BLOB_WGSL:
        return "wgsl";
    case GV_BLOB_GLSL:
        return "glsl";
    case GV_BLOB_COMMANDS:
        return "commands";
    case GV_BLOB_ALLOC_TABLE:
        return "alloc-table";
    case GV_BLOB_MEMORY:
        return "memory";
    default:
        return NULL;
    }
}

// Rows 1 to 5 of the reader's checks.
static bool open_header(struct gv_gpu_trace *t, struct gv_error *err)
{
    struct gv_cursor *c = &t->file;
    const uint8_t *magic = gv_cursor_take(c, 8);
    uint32_t header_size = gv_cursor_u32(c);
    t->version = gv_cursor_u32(c);
    t->abi = gv_cursor_u32(c);
    gv_cursor_u32(c); // flags
    t->meta_size = gv_cursor_u32(c);
    gv_cursor_u32(c); // reserved
    if (c->bad)
        return gv_fail(err, GV_ERR_FORMAT, c->size, "Io: file ends inside the header");
    if (memcmp(magic, GV_TRACE_MAGIC, 8) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0,
                       "InvalidMagic: header magic is not AEROGPUT");
    if (header_size != GV_TRACE_HEADER_SIZE)
        return gv_fail(err, GV_ERR_FORMAT, 8,
                       "UnsupportedHeaderSize(%u): header size is not 32", header_size);
    if (t->version < 1 || t->version > 2)
        return gv_fail(err, GV_ERR_FORMAT, 12,
                       "UnsupportedContainerVersion(%u): version is not 1 or 2",
                       t->version);
    if (!gv_range_inside(GV_TRACE_HEADER_SIZE, t->meta_size, c->size))
        return gv_fail(err, GV_ERR_FORMAT, 24,
                       "RecordOutOfBounds: metadata passes the end of the file");
    t->records_begin = GV_TRACE_HEADER_SIZE + (uint64_t)t->meta_size;
    return true;
}

static bool has_footer(const struct gv_gpu_trace *t)
{
    return !memcmp(t->file.data + t->file.size - GV_TRACE_HEADER_SIZE, FOOTER_MAGIC, 8);
}

// Rows 6 to 11: the footer, and where it puts the table of contents.
static bool open_footer(struct gv_gpu_trace *t, uint64_t *toc_size,
                        struct gv_error *err)
{
    uint64_t at = t->file.size - GV_TRACE_HEADER_SIZE;
    struct gv_cursor c = gv_cursor_slice(&t->file, at, GV_TRACE_HEADER_SIZE);
    gv_cursor_take(&c, 8);
    uint32_t footer_size = gv_cursor_u32(&c);
    uint32_t version = gv_cursor_u32(&c);
    uint64_t toc_offset = gv_cursor_u64(&c);
    *toc_size = gv_cursor_u64(&c);
    if (!has_footer(t))
        return gv_fail(err, GV_ERR_FORMAT, at,
                       "InvalidMagic: footer magic is not AEROGPUF" GV_CUT_HINT);
    if (footer_size != GV_TRACE_HEADER_SIZE)
        return gv_fail(err, GV_ERR_FORMAT, at + 8,
                       "UnsupportedFooterSize(%u): footer size is not 32", footer_size);
    if (version != t->version)
        return gv_fail(err, GV_ERR_FORMAT, at + 12,
                       "UnsupportedContainerVersion(%u): footer and header differ",
                       version);
    if (!gv_range_inside(toc_offset, *toc_size, t->file.size))
        return gv_fail(err, GV_ERR_FORMAT, at + 16,
                       "TocOutOfBounds: table of contents passes the end of the file");
    if (toc_offset < t->records_begin)
        return gv_fail(err, GV_ERR_FORMAT, at + 16,
                       "TocOutOfBounds: table of contents starts before the records");
    if (*toc_size < TOC_HEADER_SIZE)
        return gv_fail(err, GV_ERR_FORMAT, at + 24,
                       "TocOutOfBounds: table of contents is shorter than its header");
    t->records_end = toc_offset;
    return true;
}

// Row 14.
static bool open_entry(const struct gv_gpu_trace *t, struct gv_cursor *c,
                       struct gv_trace_frame *out, struct gv_error *err)
{
    uint64_t at = t->records_end + c->pos;
    out->index = gv_cursor_u32(c);
    gv_cursor_u32(c); // flags
    out->start = gv_cursor_u64(c);
    out->present = gv_cursor_u64(c);
    out->end = gv_cursor_u64(c);
    if (out->start < t->records_begin || out->start > t->records_end)
        return gv_fail(err, GV_ERR_FORMAT, at + 8,
                       "TocOutOfBounds: frame starts outside the records");
    if (out->end < out->start || out->end > t->records_end)
        return gv_fail(err, GV_ERR_FORMAT, at + 24,
                       "TocOutOfBounds: frame ends outside the records");
    if (out->present && (out->present < out->start || out->present > out->end))
        return gv_fail(err, GV_ERR_FORMAT, at + 16,
                       "TocOutOfBounds: present record is outside its frame");
    return true;
}

// Rows 12 to 14.
static bool open_toc(struct gv_gpu_trace *t, uint64_t toc_size, struct gv_arena *arena,
                     struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_slice(&t->file, t->records_end, toc_size);
    const uint8_t *magic = gv_cursor_take(&c, 8);
    uint32_t version = gv_cursor_u32(&c);
    uint32_t count = gv_cursor_u32(&c);
    if (memcmp(magic, TOC_MAGIC, 8) != 0)
        return gv_fail(err, GV_ERR_FORMAT, t->records_end,
                       "InvalidMagic: table of contents magic is not AEROTOC");
    if (version != 1)
        return gv_fail(err, GV_ERR_FORMAT, t->records_end + 8,
                       "UnsupportedTocVersion(%u): version is not 1", version);
    if (toc_size != TOC_HEADER_SIZE + (uint64_t)count * TOC_ENTRY_SIZE)
        return gv_fail(err, GV_ERR_FORMAT, t->records_end + 12,
                       "TocOutOfBounds: %u frames do not fill the table of contents",
                       count);
    if (count > GV_MAX_TRACE_FRAMES)
        return gv_fail(err, GV_ERR_LIMIT, t->records_end + 12, "more than %u frames",
                       GV_MAX_TRACE_FRAMES);
    t->frames = gv_arena_array(arena, count, sizeof *t->frames);
    if (!t->frames)
        return gv_out_of_memory(err);
    for (uint32_t i = 0; i < count; i++)
        if (!open_entry(t, &c, &t->frames[i], err))
            return false;
    t->frame_count = count;
    return true;
}

bool gv_gpu_trace_is_toc(const struct gv_gpu_trace *t, uint64_t at)
{
    return t->file.size - at >= 8 && !memcmp(t->file.data + at, TOC_MAGIC, 8);
}

static bool whole_record_at(const struct gv_gpu_trace *t, uint64_t at)
{
    return t->file.size - at >= GV_TRACE_RECORD_HEADER &&
           gv_load_u32(t->file.data + at + 4) <=
               t->file.size - at - GV_TRACE_RECORD_HEADER;
}

// Frames of a cut-off capture, from its records: each runs from a BeginFrame record to
// the next. With `frames` NULL it only counts.
static size_t scan_frames(struct gv_gpu_trace *t, struct gv_trace_frame *frames)
{
    size_t count = 0;
    uint64_t at = t->records_begin;
    while (at < t->file.size && !gv_gpu_trace_is_toc(t, at) && whole_record_at(t, at) &&
           count <= GV_MAX_TRACE_FRAMES) {
        uint8_t type = t->file.data[at];
        uint32_t size = gv_load_u32(t->file.data + at + 4);
        if (type == GV_TRACE_BEGIN_FRAME) {
            if (frames)
                frames[count] =
                    (struct gv_trace_frame){ .index = (uint32_t)count, .start = at };
            count++;
        }
        if (frames && count && type == GV_TRACE_PRESENT && !frames[count - 1].present)
            frames[count - 1].present = at;
        at += GV_TRACE_RECORD_HEADER + (uint64_t)size;
        if (frames && count)
            frames[count - 1].end = at;
    }
    t->records_end = at;
    return count;
}

static bool open_truncated(struct gv_gpu_trace *t, struct gv_arena *arena,
                           struct gv_error *err)
{
    t->truncated = true;
    size_t count = scan_frames(t, NULL);
    if (count > GV_MAX_TRACE_FRAMES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "more than %u frames",
                       GV_MAX_TRACE_FRAMES);
    t->frames = gv_arena_array(arena, count, sizeof *t->frames);
    if (!t->frames)
        return gv_out_of_memory(err);
    t->frame_count = scan_frames(t, t->frames);
    return true;
}

bool gv_gpu_trace_open(struct gv_gpu_trace *trace, struct gv_cursor file,
                       bool allow_truncated, struct gv_arena *arena,
                       struct gv_error *err)
{
    *trace = (struct gv_gpu_trace){ .file = gv_cursor_make(file.data, file.size) };
    if (!open_header(trace, err))
        return false;
    if (allow_truncated && !has_footer(trace))
        return open_truncated(trace, arena, err);
    uint64_t toc_size;
    return open_footer(trace, &toc_size, err) && open_toc(trace, toc_size, arena, err);
}

uint64_t gv_gpu_trace_begin_bytes(const uint8_t *header)
{
    return GV_TRACE_HEADER_SIZE + (uint64_t)gv_load_u32(header + 24);
}

bool gv_gpu_trace_begin(struct gv_gpu_trace *trace, struct gv_cursor file,
                        struct gv_error *err)
{
    *trace = (struct gv_gpu_trace){ .file = gv_cursor_make(file.data, file.size) };
    return open_header(trace, err);
}

bool gv_gpu_trace_end(struct gv_gpu_trace *trace, struct gv_cursor file,
                      bool allow_truncated, struct gv_arena *arena,
                      struct gv_error *err)
{
    uint64_t toc_size;
    trace->file = gv_cursor_make(file.data, file.size);
    trace->truncated = allow_truncated && !has_footer(trace);
    if (trace->truncated)
        return true;
    return open_footer(trace, &toc_size, err) && open_toc(trace, toc_size, arena, err);
}

bool gv_gpu_trace_record(const struct gv_gpu_trace *trace, uint64_t at, uint64_t end,
                         struct gv_trace_record *out, struct gv_error *err)
{
    if (at > end || end > trace->file.size || end - at < GV_TRACE_RECORD_HEADER)
        return gv_fail(err, GV_ERR_FORMAT, at,
                       "RecordOutOfBounds: record header passes its range");
    const uint8_t *p = trace->file.data + at;
    uint32_t size = gv_load_u32(p + 4);
    if (size > end - at - GV_TRACE_RECORD_HEADER)
        return gv_fail(err, GV_ERR_FORMAT, at,
                       "RecordOutOfBounds: record of %u bytes passes its range", size);
    *out = (struct gv_trace_record){ .type = p[0],
                                     .offset = at,
                                     .payload = p + GV_TRACE_RECORD_HEADER,
                                     .size = size,
                                     .next = at + GV_TRACE_RECORD_HEADER + size };
    if (out->type < GV_TRACE_BEGIN_FRAME || out->type > GV_TRACE_SUBMISSION ||
        (out->type == GV_TRACE_SUBMISSION && trace->version < 2))
        return gv_fail(err, GV_ERR_FORMAT, at,
                       "UnknownRecordType(%u): not a record of container version %u",
                       out->type, trace->version);
    if (out->type <= GV_TRACE_PRESENT && size != 4)
        return gv_fail(err, GV_ERR_FORMAT, at,
                       "RecordOutOfBounds: %s payload is %u bytes, not 4",
                       gv_trace_record_name(out->type), size);
    return true;
}

bool gv_trace_blob_decode(const struct gv_trace_record *record,
                          struct gv_trace_blob *out, struct gv_error *err)
{
    if (record->size < GV_TRACE_BLOB_HEADER)
        return gv_fail(err, GV_ERR_FORMAT, record->offset,
                       "MalformedBlob: blob payload of %u bytes has no header",
                       record->size);
    *out = (struct gv_trace_blob){
        .id = gv_load_u64(record->payload),
        .kind = gv_load_u32(record->payload + 8),
        .offset = record->offset + GV_TRACE_RECORD_HEADER + GV_TRACE_BLOB_HEADER,
        .data = record->payload + GV_TRACE_BLOB_HEADER,
        .size = record->size - GV_TRACE_BLOB_HEADER,
    };
    if (!gv_trace_blob_kind_name(out->kind))
        return gv_fail(err, GV_ERR_FORMAT, record->offset,
                       "UnknownBlobKind(%u): no such kind of blob", out->kind);
    return true;
}

bool gv_trace_submission_decode(const struct gv_trace_record *record,
                                struct gv_trace_submission *out, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(record->payload, record->size);
    *out = (struct gv_trace_submission){ .offset = record->offset };
    gv_cursor_u32(&c); // record_version: not checked
    uint32_t header_size = gv_cursor_u32(&c);
    out->flags = gv_cursor_u32(&c);
    out->context_id = gv_cursor_u32(&c);
    out->engine_id = gv_cursor_u32(&c);
    gv_cursor_u32(&c);
    out->signal_fence = gv_cursor_u64(&c);
    out->commands_blob = gv_cursor_u64(&c);
    out->alloc_table_blob = gv_cursor_u64(&c);
    out->range_count = gv_cursor_u32(&c);
    gv_cursor_u32(&c);
    if (c.bad)
        return gv_fail(err, GV_ERR_FORMAT, record->offset,
                       "RecordOutOfBounds: submission of %u bytes has no whole header",
                       record->size);
    if (header_size < GV_TRACE_SUBMISSION_SIZE || header_size > record->size)
        return gv_fail(err, GV_ERR_FORMAT, record->offset + GV_TRACE_RECORD_HEADER + 4,
                       "RecordOutOfBounds: submission header size %u", header_size);
    if ((uint64_t)out->range_count * GV_TRACE_RANGE_SIZE > record->size - header_size)
        return gv_fail(err, GV_ERR_FORMAT, record->offset + GV_TRACE_RECORD_HEADER + 48,
                       "RecordOutOfBounds: %u memory ranges pass the submission",
                       out->range_count);
    out->ranges = record->payload + header_size;
    out->ranges_offset = record->offset + GV_TRACE_RECORD_HEADER + header_size;
    return true;
}

struct gv_trace_range gv_trace_submission_range(const struct gv_trace_submission *s,
                                                uint32_t index)
{
    const uint8_t *p = s->ranges + (size_t)index * GV_TRACE_RANGE_SIZE;
    return (struct gv_trace_range){ .alloc_id = gv_load_u32(p),
                                    .flags = gv_load_u32(p + 4),
                                    .gpa = gv_load_u64(p + 8),
                                    .size = gv_load_u64(p + 16),
                                    .blob = gv_load_u64(p + 24) };
}
