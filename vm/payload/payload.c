// Opening a payload: the fixed records at both ends, the directory, and each segment in
// turn through its decoder.
#include "vm/payload/payload.h"

#include "resources/base/cancel.h"
#include "resources/base/checked.h"
#include "resources/base/read_some.h"
#include "vm/payload/payload_segments.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- the fixed records ----

bool gv_bytes_are_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

static bool hash_is(const void *data, size_t size, const uint8_t *stored)
{
    struct gv_hash hash = gv_hash_bytes(data, size);
    return memcmp(hash.bytes, stored, sizeof hash.bytes) == 0;
}

// magic[8] u16 major u16 minor u32 flags u32 level, zeros, XXH3-128 of the first 48.
bool gv_payload_read_header(struct gv_payload *payload, const uint8_t *h,
                            struct gv_error *err)
{
    if (memcmp(h, GV_PAYLOAD_MAGIC, GV_PAYLOAD_MAGIC_BYTES) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0, "not a payload: wrong magic");
    uint16_t major = gv_load_u16(h + 8);
    uint16_t minor = gv_load_u16(h + 10);
    uint32_t flags = gv_load_u32(h + 12);
    uint32_t level = gv_load_u32(h + 16);
    if (!hash_is(h, 48, h + 48))
        return gv_fail(err, GV_ERR_FORMAT, 48, "the header is damaged");
    if (major < GV_PAYLOAD_OLDEST_MAJOR || major > GV_PAYLOAD_MAJOR)
        return gv_fail(err, GV_ERR_UNSUPPORTED, 8, "unsupported: payload version %u.%u",
                       major, minor);
    if (flags & ~GV_HEADER_THIN)
        return gv_fail(err, GV_ERR_UNSUPPORTED, 12, "unsupported: header flags 0x%x",
                       flags);
    if (level < GV_CODEC_MIN_LEVEL || level > GV_CODEC_MAX_LEVEL ||
        !gv_bytes_are_zero(h + 20, 28))
        return gv_fail(err, GV_ERR_FORMAT, 16, "the header is malformed");
    payload->thin = flags & GV_HEADER_THIN;
    payload->level = (int)level;
    payload->major = major;
    payload->minor = minor;
    return true;
}

// u64 directory u64 file size u32 flags u32 segments u64 commands u64 zero, XXH3-128 of
// those 40 bytes, magic[8].
bool gv_payload_read_trailer(struct gv_payload *payload, const uint8_t *t, uint64_t at,
                             struct gv_trailer *out, struct gv_error *err)
{
    if (memcmp(t + 56, GV_TRAILER_MAGIC, 8) != 0)
        return gv_fail(err, GV_ERR_FORMAT, at, "the payload is cut off: no trailer");
    uint32_t flags = gv_load_u32(t + 16);
    if (!hash_is(t, 40, t + 40))
        return gv_fail(err, GV_ERR_FORMAT, at, "the trailer is damaged");
    if (gv_load_u64(t + 8) != at + GV_TRAILER_BYTES || !gv_bytes_are_zero(t + 32, 8))
        return gv_fail(err, GV_ERR_FORMAT, at, "the trailer is malformed");
    if (flags & ~(GV_TRAILER_COMPLETE | GV_TRAILER_JOINED))
        return gv_fail(err, GV_ERR_UNSUPPORTED, at, "unsupported: trailer flags 0x%x",
                       flags);
    *out = (struct gv_trailer){ gv_load_u64(t), gv_load_u32(t + 20) };
    payload->complete = flags & GV_TRAILER_COMPLETE;
    payload->joined = flags & GV_TRAILER_JOINED;
    payload->command_count = gv_load_u64(t + 24);
    return true;
}

// u16 kind u16 flags u32 raw size u64 size hash[16].
struct gv_segment_info gv_segment_load(const uint8_t *h, uint64_t offset)
{
    struct gv_segment_info s = {
        .kind = gv_load_u16(h),
        .flags = gv_load_u16(h + 2),
        .raw_size = gv_load_u32(h + 4),
        .offset = offset,
        .size = gv_load_u64(h + 8),
    };
    memcpy(s.hash.bytes, h + 16, sizeof s.hash.bytes);
    return s;
}

enum place {
    PLACE_NONE,
#define GV_SEGMENT(name, ...) PLACE_##name,
#define GV_LAST_SEGMENT(name, ...) PLACE_##name,
#include "vm/segments.def"
    PLACE_UNKNOWN,
};

static const struct {
    const char *name; // NULL of numbers that no row has
    bool bulk;        // never zstd as a whole
    uint8_t place;    // in a batch, counted from 1; 0: none
    uint8_t since;    // which version has it
} kinds[GV_SEGMENT_COUNT] = {
#define BULK_TABLE false
#define BULK_SPARE false
#define BULK_BULK true
#define SINCE_TABLE GV_PAYLOAD_OLDEST_MAJOR
#define SINCE_SPARE 2
#define SINCE_BULK GV_PAYLOAD_OLDEST_MAJOR
#define GV_SEGMENT(name, number, listed, form, ...) \
    [number] = { listed, BULK_##form, PLACE_##name, SINCE_##form },
#define GV_LAST_SEGMENT(name, number, listed, ...) \
    [number] = { listed, true, PLACE_##name, GV_PAYLOAD_OLDEST_MAJOR },
#include "vm/segments.def"
};

const char *gv_segment_name(uint32_t kind)
{
    return kind < GV_SEGMENT_COUNT ? kinds[kind].name : NULL;
}

size_t gv_segment_place(uint32_t kind)
{
    return gv_segment_name(kind) ? kinds[kind].place : (size_t)PLACE_UNKNOWN;
}

// What can be said about a segment from its header alone.
bool gv_segment_check(const struct gv_segment_info *s, struct gv_error *err)
{
    if (s->flags & ~(GV_SEGMENT_ZSTD | GV_SEGMENT_OPTIONAL))
        return gv_fail(err, GV_ERR_UNSUPPORTED, s->offset,
                       "unsupported: segment flags 0x%x", s->flags);
    if (!gv_segment_name(s->kind))
        return (s->flags & GV_SEGMENT_OPTIONAL) ||
               gv_fail(err, GV_ERR_UNSUPPORTED, s->offset,
                       "unsupported: segment kind %u", s->kind);
    if ((s->flags & GV_SEGMENT_ZSTD ? kinds[s->kind].bulk : s->raw_size != 0) ||
        s->raw_size > GV_MAX_TABLE_BYTES || s->size == 0)
        return gv_fail(err, GV_ERR_FORMAT, s->offset, "segment header is malformed");
    return true;
}

static bool hash_matches(const struct gv_segment_info *s, const uint8_t *content,
                         struct gv_error *err)
{
    bool ok = s->kind == GV_SEGMENT_RESOURCE_BYTES
                  ? gv_bytes_are_zero(s->hash.bytes, sizeof s->hash.bytes)
                  : hash_is(content, (size_t)s->size, s->hash.bytes);
    return ok || gv_fail(err, GV_ERR_FORMAT, s->offset,
                         "segment kind %u is damaged: its hash differs", s->kind);
}

// ---- the directory ----

// Checks that a segment starts where the one before has ended, padding apart.
static bool follows(const struct gv_payload *p, const struct gv_segment_info *s,
                    uint64_t *end, struct gv_error *err)
{
    uint64_t start = (*end + GV_SEGMENT_ALIGNMENT - 1) & ~(uint64_t)63;
    uint64_t limit = p->file.size - GV_TRAILER_BYTES;
    if (s->offset != start || !gv_range_inside(start, GV_SEGMENT_HEADER_BYTES, limit) ||
        !gv_range_inside(start + GV_SEGMENT_HEADER_BYTES, s->size, limit))
        return gv_fail(err, GV_ERR_FORMAT, s->offset,
                       "a segment does not follow the one before");
    if (!gv_bytes_are_zero(p->file.data + *end, (size_t)(start - *end)))
        return gv_fail(err, GV_ERR_FORMAT, *end, "padding is not zero");
    *end = start + GV_SEGMENT_HEADER_BYTES + s->size;
    return true;
}

static bool list_segments(struct gv_payload *p, const struct gv_trailer *trailer,
                          const uint8_t *rows, uint64_t at, struct gv_error *err)
{
    uint64_t end = GV_HEADER_BYTES;
    uint64_t bytes = (uint64_t)trailer->segment_count * sizeof *p->segments;
    if (!gv_payload_charge(p->private, bytes, err))
        return false;
    p->segments = calloc(trailer->segment_count + 1u, sizeof *p->segments);
    if (!p->segments)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < trailer->segment_count; i++) {
        // A row is a segment's header with the offset before the size.
        const uint8_t *row = rows + i * GV_DIRECTORY_ROW_BYTES;
        uint8_t header[GV_SEGMENT_HEADER_BYTES];
        memcpy(header, row, 8);
        memcpy(header + 8, row + 16, 24);
        struct gv_segment_info s = gv_segment_load(header, gv_load_u64(row + 8));
        if (!follows(p, &s, &end, err))
            return false;
        if (memcmp(header, p->file.data + s.offset, sizeof header) != 0)
            return gv_fail(err, GV_ERR_FORMAT, at + i * GV_DIRECTORY_ROW_BYTES,
                           "directory and segment header differ");
        if (s.kind == GV_SEGMENT_DIRECTORY)
            return gv_fail(err, GV_ERR_FORMAT, s.offset, "a directory inside");
        p->segments[p->segment_count++] = s;
    }
    if (trailer->directory - end >= GV_SEGMENT_ALIGNMENT ||
        !gv_bytes_are_zero(p->file.data + end, (size_t)(trailer->directory - end)))
        return gv_fail(err, GV_ERR_FORMAT, end, "bytes that no segment owns");
    return true;
}

static bool read_directory(struct gv_payload *p, const struct gv_trailer *trailer,
                           struct gv_error *err)
{
    uint64_t limit = p->file.size - GV_TRAILER_BYTES;
    uint64_t at = trailer->directory;
    uint64_t size = (uint64_t)trailer->segment_count * GV_DIRECTORY_ROW_BYTES;
    if (trailer->segment_count == 0 || trailer->segment_count > GV_MAX_SEGMENTS ||
        at < GV_HEADER_BYTES || at % GV_SEGMENT_ALIGNMENT ||
        !gv_range_inside(at, GV_SEGMENT_HEADER_BYTES + size, limit) ||
        limit - at - GV_SEGMENT_HEADER_BYTES - size >= GV_SEGMENT_ALIGNMENT)
        return gv_fail(err, GV_ERR_FORMAT, limit, "the trailer names no directory");
    struct gv_segment_info s = gv_segment_load(p->file.data + at, at);
    uint64_t rows = at + GV_SEGMENT_HEADER_BYTES;
    if (s.kind != GV_SEGMENT_DIRECTORY || s.flags || s.raw_size || s.size != size)
        return gv_fail(err, GV_ERR_FORMAT, at, "the directory is malformed");
    if (!gv_bytes_are_zero(p->file.data + rows + size, (size_t)(limit - rows - size)))
        return gv_fail(err, GV_ERR_FORMAT, rows + size, "padding is not zero");
    return hash_matches(&s, p->file.data + rows, err) &&
           list_segments(p, trailer, p->file.data + rows, rows, err);
}

// ---- segments ----

static bool decode(struct gv_reader *r, struct gv_segment_info *s)
{
    struct gv_payload *p = r->payload;
    size_t before;
    bool ok = true;
    switch ((enum gv_segment)r->segment->kind) {
#define GV_SEGMENT(name, number, listed, form, reader, writer, count, ...) \
    case GV_SEGMENT_##name:                                                \
        before = (size_t)(count);                                          \
        ok = gv_read_##reader(r);                                          \
        s->rows = (size_t)(count)-before;                                  \
        break;
#include "vm/segments.def"
    case GV_SEGMENT_DIRECTORY:
    case GV_SEGMENT_COUNT:
        break; // a number this version does not know, flagged optional
    }
    if (s->kind == GV_SEGMENT_LIMITS)
        s->limits = p->limits;
    return ok;
}

// Keyframes stand behind all of what they are keyframes of.
static bool follows_keyframes(const struct gv_payload *p,
                              const struct gv_segment_info *s)
{
    return p->private->keyframes_began &&
           (s->kind == GV_SEGMENT_FRAMES || s->kind == GV_SEGMENT_CHUNKS ||
            s->kind == GV_SEGMENT_CODE);
}

// Reads one segment: its content as it stands, or decompressed for as long as needed.
bool gv_payload_read_segment(struct gv_payload *p, struct gv_segment_info *s,
                             const uint8_t *content, struct gv_error *err)
{
    struct gv_reader r = {
        .payload = p, .private = p->private, .segment = s, .err = err
    };
    if (!hash_matches(s, content, err))
        return false;
    if (!gv_segment_name(s->kind))
        return true;
    if (p->major < kinds[s->kind].since)
        return gv_fail(err, GV_ERR_FORMAT, s->offset, "%s in a payload of version %u",
                       kinds[s->kind].name, p->major);
    if (follows_keyframes(p, s))
        return gv_fail(err, GV_ERR_FORMAT, s->offset, "%s behind keyframes",
                       kinds[s->kind].name);
    p->private->keyframes_began |= s->kind == GV_SEGMENT_KEYFRAMES;
    if (!(s->flags & GV_SEGMENT_ZSTD)) {
        r.c = gv_cursor_make(content, (size_t)s->size);
        return decode(&r, s);
    }
    struct gv_error mine = GV_ERROR_INIT;
    if (!gv_payload_charge(p->private, s->raw_size, err))
        return false;
    uint8_t *raw = malloc(s->raw_size ? s->raw_size : 1);
    if (!raw)
        return gv_out_of_memory(err);
    r.c = gv_cursor_make(raw, s->raw_size);
    const struct gv_span stored = { content, (size_t)s->size };
    bool ok = gv_codec_decompress(p->private->codec, stored, raw, s->raw_size, &mine)
                  ? decode(&r, s)
                  : gv_fail(err, mine.status, s->offset, "segment kind %u: %s", s->kind,
                            mine.message);
    free(raw);
    p->private->memory_used -= s->raw_size;
    return ok;
}

// ---- what only the whole can show ----

// Walks the rows of one debug segment, which ends at byte `end` of the whole map.
static bool count_debug_rows(struct gv_segment_info *s, struct gv_debug_walk *walk,
                             struct gv_arena *names, size_t end)
{
    uint64_t before = walk->rows;
    while (walk->c.pos < end)
        if (!gv_debug_walk_next(walk, names))
            return false;
    s->rows = (size_t)(walk->rows - before);
    return walk->c.pos == end;
}

static bool check_debug(struct gv_payload *p, struct gv_error *err)
{
    struct gv_debug_walk walk = { .c = p->debug };
    struct gv_arena names = { 0 };
    size_t end = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < p->segment_count; i++) {
        struct gv_segment_info *s = &p->segments[i];
        if (s->kind != GV_SEGMENT_DEBUG)
            continue;
        end += s->rows; // bytes, as its reader has left it
        ok = count_debug_rows(s, &walk, &names, end) ||
             gv_fail(err, GV_ERR_FORMAT, s->offset, "the debug map is malformed");
    }
    if (ok && walk.rows && walk.row.command >= p->command_count)
        ok = gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                     "the debug map passes the last command");
    gv_debug_walk_finish(&walk);
    gv_arena_finish(&names);
    return ok;
}

static bool check_tables(const struct gv_payload *p, struct gv_error *err)
{
    if (p->private->chunks_placed != p->chunk_count)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "chunks without their code");
    if (!p->thin && p->private->groups_placed != p->group_count)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "resources without their bytes");
    for (size_t i = 0; i < p->chunk_count; i++)
        if (p->chunks[i].first_resource > p->resource_count ||
            p->chunks[i].first_command >= p->command_count)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "chunk %zu starts past the last resource or command", i);
    const struct gv_frame *last = p->frames ? &p->frames[p->frame_count - 1] : NULL;
    if (last &&
        (last->chunk_end > p->chunk_count || last->schedule > p->schedule_count ||
         last->command_end > p->command_count))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a frame passes the last chunk, use or command");
    if (p->last_keyframe && p->last_keyframe >= p->frame_count)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a keyframe of no frame that there is");
    return true;
}

static bool read_all(struct gv_payload *p, struct gv_error *err)
{
    struct gv_trailer trailer = { 0 };
    if (p->file.size < GV_HEADER_BYTES + GV_TRAILER_BYTES)
        return gv_fail(err, GV_ERR_FORMAT, p->file.size, "too short for a payload");
    uint64_t end = p->file.size - GV_TRAILER_BYTES;
    if (!gv_payload_read_header(p, p->file.data, err) ||
        !gv_payload_read_trailer(p, p->file.data + end, end, &trailer, err) ||
        !read_directory(p, &trailer, err))
        return false;
    for (size_t i = 0; i < p->segment_count; i++) {
        struct gv_segment_info *s = &p->segments[i];
        if (!gv_segment_check(s, err) ||
            !gv_payload_read_segment(
                p, s, p->file.data + s->offset + GV_SEGMENT_HEADER_BYTES, err))
            return false;
    }
    p->debug = gv_cursor_make(p->private->debug.data, p->private->debug.size);
    p->tail_begin = p->frame_count ? p->frames[p->frame_count - 1].chunk_end : 0;
    return check_tables(p, err) && check_debug(p, err);
}

// ---- life ----

bool gv_payload_begin(struct gv_payload *p, uint64_t memory_limit, struct gv_error *err)
{
    *p = (struct gv_payload){ .provenance = "" };
    p->private = calloc(1, sizeof *p->private);
    struct gv_codec_state *codec = gv_codec_create();
    if (!p->private || !codec) {
        gv_codec_destroy(codec);
        free(p->private);
        p->private = NULL;
        gv_out_of_memory(err);
        return false;
    }
    p->private->memory_limit = memory_limit;
    p->private->codec = codec;
    p->private->block_index = UINT64_MAX;
    return true;
}

static bool finish_if_not(bool ok, struct gv_payload *p)
{
    if (!ok)
        gv_payload_finish(p);
    return ok;
}

bool gv_payload_open(struct gv_payload *payload, const char *path,
                     uint64_t memory_limit, struct gv_error *err)
{
    return gv_payload_begin(payload, memory_limit, err) &&
           finish_if_not(gv_file_open(&payload->file, path, err) &&
                             read_all(payload, err),
                         payload);
}

bool gv_payload_open_memory(struct gv_payload *payload, const void *data, size_t size,
                            uint64_t memory_limit, struct gv_error *err)
{
    if (!gv_payload_begin(payload, memory_limit, err))
        return false;
    payload->private->borrowed = true;
    payload->file =
        (struct gv_file){ .data = size ? data : (const void *)"", .size = size };
    return finish_if_not(read_all(payload, err), payload);
}

uint64_t gv_payload_memory(const struct gv_payload *payload)
{
    return payload->private ? payload->private->memory_used : 0;
}

static void finish_walk(struct gv_debug_walk *walk)
{
    if (walk)
        gv_debug_walk_finish(walk);
    free(walk);
}

const char *gv_requirement_strength_name(uint8_t strength)
{
    static const char *const names[GV_STRENGTH_COUNT] = { "needed", "preferred",
                                                          "alternative" };
    return strength < GV_STRENGTH_COUNT ? names[strength] : NULL;
}

void gv_payload_finish(struct gv_payload *payload)
{
    struct gv_payload_private *private = payload->private;
    free(payload->requirements);
    free(payload->imports);
    free(payload->slots);
    free(payload->constant_blocks);
    free(payload->constants);
    free(payload->groups);
    free(payload->resources);
    free(payload->code_blocks);
    free(payload->chunks);
    free(payload->exports);
    free(payload->frames);
    free(payload->paces);
    free(payload->keyframes);
    free(payload->diagnostics);
    free(payload->schedule);
    free(payload->segments);
    if (private) {
        if (!private->borrowed)
            gv_file_close(&payload->file);
        gv_bytes_finish(&private->debug);
        finish_walk(private->walk);
        finish_walk(private->next);
        gv_codec_destroy(private->codec);
        gv_dictionaries_finish(&private->dictionaries);
        free(private->block);
        gv_arena_finish(&private->arena);
        gv_arena_finish(&private->code);
        free(private);
    }
    *payload = (struct gv_payload){ 0 };
}

// ---- a pipe ----

#define READ_STEP ((size_t)256 * 1024)

struct pipe_reader {
    struct gv_payload *payload;
    struct gv_bytes bytes; // all read so far
    int fd;
    const atomic_bool *cancel; // may be NULL
    struct gv_error *err;
};

#define LOOK_MS 20 // so often the flag is looked at

// Until there is something to read, or an end.
static bool wait_for(const struct pipe_reader *r)
{
    struct pollfd poller = { .fd = r->fd, .events = POLLIN };
    while (r->cancel && poll(&poller, 1, LOOK_MS) == 0)
        if (gv_is_cancelled(r->cancel))
            break;
    return !gv_is_cancelled(r->cancel) || gv_fail_cancelled(r->err);
}

// Reads until `size` bytes are there; `size` is checked before memory is taken.
static bool read_to(struct pipe_reader *r, uint64_t size)
{
    if (size < r->bytes.size)
        return true;
    if (!gv_payload_charge(r->payload->private, size - r->bytes.size, r->err))
        return false;
    while (r->bytes.size < size) {
        if (!wait_for(r))
            return false;
        size_t step = (size_t)(size - r->bytes.size);
        step = step < READ_STEP ? step : READ_STEP;
        uint8_t *at = gv_bytes_grow(&r->bytes, step);
        if (!at)
            return gv_out_of_memory(r->err);
        ssize_t n = gv_read_some(r->fd, at, step);
        r->bytes.size -= n > 0 ? step - (size_t)n : step;
        if (n < 0)
            return gv_fail(r->err, GV_ERR_SYSTEM, GV_NO_OFFSET,
                           "cannot read the payload: %s", strerror(errno));
        if (n == 0)
            return gv_fail(r->err, GV_ERR_FORMAT, r->bytes.size,
                           "the payload is cut off");
    }
    return true;
}

// Reads the segment at the next boundary and checks it before going on.
static bool read_next_segment(struct pipe_reader *r, bool *last)
{
    struct gv_error *err = r->err;
    uint64_t at = (r->bytes.size + GV_SEGMENT_ALIGNMENT - 1) & ~(uint64_t)63;
    if (!read_to(r, at + GV_SEGMENT_HEADER_BYTES))
        return false;
    struct gv_segment_info s = gv_segment_load(r->bytes.data + at, at);
    uint64_t content = at + GV_SEGMENT_HEADER_BYTES;
    uint64_t end;
    if (!gv_add_u64(content, s.size, &end))
        return gv_fail(err, GV_ERR_FORMAT, at, "a segment passes the end");
    *last = s.kind == GV_SEGMENT_DIRECTORY;
    return gv_segment_check(&s, err) && read_to(r, end) &&
           hash_matches(&s, r->bytes.data + content, err);
}

static bool read_pipe(struct pipe_reader *r)
{
    bool last = false;
    uint8_t extra;
    if (!read_to(r, GV_HEADER_BYTES) ||
        !gv_payload_read_header(r->payload, r->bytes.data, r->err))
        return false;
    while (!last)
        if (!read_next_segment(r, &last))
            return false;
    uint64_t trailer = (r->bytes.size + GV_SEGMENT_ALIGNMENT - 1) & ~(uint64_t)63;
    if (!read_to(r, trailer + GV_TRAILER_BYTES))
        return false;
    if (!wait_for(r))
        return false;
    return gv_read_some(r->fd, &extra, 1) == 0 ||
           gv_fail(r->err, GV_ERR_FORMAT, r->bytes.size, "bytes after the trailer");
}

bool gv_payload_read_fd(struct gv_payload *payload, int fd, uint64_t memory_limit,
                        const atomic_bool *cancel, struct gv_error *err)
{
    if (!gv_payload_begin(payload, memory_limit, err))
        return false;
    struct pipe_reader r = {
        .payload = payload, .fd = fd, .cancel = cancel, .err = err
    };
    bool ok = read_pipe(&r);
    payload->file = (struct gv_file){ .data = r.bytes.data, .size = r.bytes.size };
    return finish_if_not(ok && read_all(payload, err), payload);
}
