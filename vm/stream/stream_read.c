// Segments as they come through the pipe, in the order of need.
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/checked.h"
#include "vm/payload/payload_segments.h"
#include "vm/stream/stream.h"
#include "vm/stream/stream_groups.h"
#include "vm/stream/stream_verify.h"

#define STEP_BYTES ((size_t)256 * 1024) // read, or passed on to the file, at once
#define WAIT_MS 1000

struct gv_stream {
    struct gv_stream_params params;
    struct gv_payload payload;
    struct gv_stream_groups *groups;
    struct gv_stream_verifier *verifier;
    uint8_t head[GV_STREAM_HEAD];
    size_t head_size, head_used;
    uint64_t offset;         // of the next byte
    struct gv_bytes content; // of the segment at hand
    // The directory's rows, which are checked by their hash.
    struct gv_hash_stream *directory;
    uint32_t segment_count;
    struct gv_debug_walk debug;
    struct gv_arena debug_names;
    uint32_t most_first_resource; // that a chunk has named
    bool in_code, ended;
    struct gv_error *err;
};

// ---- bytes ----

static bool fail(struct gv_stream *s, uint64_t at, const char *what)
{
    return gv_fail(s->err, GV_ERR_FORMAT, at, "%s", what);
}

// Waits until something has come, or the end. False: nobody wants it.
static bool await(struct gv_stream *s)
{
    for (;;) {
        const int watch = s->params.watch ? s->params.watch(s->params.context) : -1;
        struct pollfd either[] = { { .fd = s->params.fd, .events = POLLIN },
                                   { .fd = watch, .events = POLLIN } };
        const int stirred = poll(either, 2, WAIT_MS);
        if (stirred < 0 || either[0].revents)
            return true;
        if (s->params.waiting && !s->params.waiting(s->params.context))
            return gv_fail(s->err, GV_ERR_SYSTEM, GV_NO_OFFSET,
                           "the rest of the stream is not wanted");
    }
}

// What has come of `size` bytes, at least one; 0 at the end. False: `err`.
static bool read_some(struct gv_stream *s, uint8_t *out, size_t size, size_t *got)
{
    size_t left = s->head_size - s->head_used;
    *got = left < size ? left : size;
    memcpy(out, s->head + s->head_used, *got);
    s->head_used += *got;
    while (*got == 0) {
        if (!await(s))
            return false;
        ssize_t n = read(s->params.fd, out, size);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return gv_fail(s->err, GV_ERR_SYSTEM, GV_NO_OFFSET,
                           "cannot read the payload: %s", strerror(errno));
        if (n == 0)
            return true;
        *got = (size_t)n;
    }
    s->offset += *got;
    return true;
}

static bool read_exactly(struct gv_stream *s, uint8_t *out, size_t size)
{
    for (size_t done = 0, got; done < size; done += got) {
        if (!read_some(s, out + done, size - done, &got))
            return false;
        if (got == 0)
            return fail(s, s->offset, "the payload is cut off");
    }
    return true;
}

static bool read_padding(struct gv_stream *s, size_t alignment)
{
    uint8_t bytes[GV_SEGMENT_ALIGNMENT];
    uint64_t at = s->offset;
    size_t size = (size_t)(-at & (uint64_t)(alignment - 1));
    return read_exactly(s, bytes, size) &&
           (gv_bytes_are_zero(bytes, size) || fail(s, at, "padding is not zero"));
}

// The content of a segment, into memory that grows as it comes.
static bool read_content(struct gv_stream *s, uint64_t size)
{
    s->content.size = 0;
    while (s->content.size < size) {
        uint64_t left = size - s->content.size;
        size_t step = left < STEP_BYTES ? (size_t)left : STEP_BYTES;
        uint8_t *at = gv_bytes_grow(&s->content, step);
        if (!at)
            return gv_out_of_memory(s->err);
        if (!read_exactly(s, at, step))
            return false;
    }
    return true;
}

// ---- segments ----

static bool pass_on(struct gv_stream *s, uint64_t size)
{
    s->content.size = 0;
    if (size && !gv_bytes_grow(&s->content, STEP_BYTES))
        return gv_out_of_memory(s->err);
    for (uint64_t left = size; left > 0;) {
        size_t step = left < STEP_BYTES ? (size_t)left : STEP_BYTES, got;
        if (!read_some(s, s->content.data, step, &got))
            return false;
        if (got == 0)
            return fail(s, s->offset, "the payload is cut off");
        if (!gv_stream_groups_put(s->groups, s->content.data, got, s->err))
            return false;
        left -= got;
    }
    return true;
}

// One group of a RESOURCE_BYTES segment that has `left` bytes to come.
static bool read_group(struct gv_stream *s, size_t number, uint64_t left)
{
    struct gv_group *group = &s->payload.groups[number];
    uint64_t padded = 0;
    if (!gv_align_u64(group->stored_size, GV_GROUP_ALIGNMENT, &padded) || padded > left)
        return fail(s, s->offset, "a group does not fit the resource bytes");
    group->file_offset = s->offset;
    return gv_payload_charge(s->payload.private, GV_GROUP_NODE, s->err) &&
           pass_on(s, group->stored_size) &&
           gv_stream_groups_add(s->groups, &s->payload, number, s->err) &&
           read_padding(s, GV_GROUP_ALIGNMENT);
}

// The bytes of groups are not read but put aside: they are hashed when they are used.
static bool read_resource_bytes(struct gv_stream *s, const struct gv_segment_info *seg)
{
    struct gv_payload *p = &s->payload;
    size_t *placed = &p->private->groups_placed;
    uint64_t end = s->offset + seg->size;
    if (!gv_bytes_are_zero(seg->hash.bytes, sizeof seg->hash.bytes))
        return fail(s, seg->offset, "resource bytes with a hash of their own");
    if (p->thin || *placed == p->group_count)
        return fail(s, seg->offset, "resource bytes that no table names");
    for (; *placed < p->group_count; ++*placed)
        if (!read_group(s, *placed, end - s->offset))
            return false;
    return s->offset == end || fail(s, s->offset, "bytes after the last block");
}

// Rows of the debug map are judged, and forgotten: what they tell comes behind the
// code.
static bool walk_debug(struct gv_stream *s, const struct gv_segment_info *seg)
{
    struct gv_payload_private *private = s->payload.private;
    s->debug.c = gv_cursor_make(private->debug.data, private->debug.size);
    while (gv_cursor_left(&s->debug.c) > 0)
        if (!gv_debug_walk_next(&s->debug, &s->debug_names))
            return fail(s, seg->offset, "the debug map is malformed");
    private->memory_used -= private->debug.size;
    private->debug.size = 0;
    return true;
}

static bool read_table(struct gv_stream *s, struct gv_segment_info *seg)
{
    struct gv_payload_private *private = s->payload.private;
    if (!gv_payload_charge(private, seg->size, s->err))
        return false;
    bool ok = read_content(s, seg->size) &&
              gv_payload_read_segment(&s->payload, seg, s->content.data, s->err);
    private->memory_used -= seg->size;
    return ok && (seg->kind != GV_SEGMENT_DEBUG || walk_debug(s, seg));
}

// As the directory lists it.
static void list(struct gv_stream *s, const uint8_t *header, uint64_t offset)
{
    uint8_t row[GV_DIRECTORY_ROW_BYTES];
    memcpy(row, header, 8);
    for (unsigned i = 0; i < 8; i++)
        row[8 + i] = (uint8_t)(offset >> 8 * i);
    memcpy(row + 16, header + 8, 24);
    gv_hash_stream_add(s->directory, row, sizeof row);
    s->segment_count++;
}

// ---- the end ----

static bool check_tables(struct gv_stream *s)
{
    const struct gv_payload *p = &s->payload;
    const struct gv_payload_private *private = p->private;
    if (private->chunks_placed != p->chunk_count)
        return fail(s, GV_NO_OFFSET, "chunks without their code");
    if (!p->thin && private->groups_placed != p->group_count)
        return fail(s, GV_NO_OFFSET, "resources without their bytes");
    if (s->most_first_resource > p->resource_count ||
        (p->code_size && private->last_chunk.first_command >= p->command_count))
        return fail(s, GV_NO_OFFSET,
                    "a chunk starts past the last resource or command");
    if (private->last_frame.command_end > p->command_count)
        return fail(s, GV_NO_OFFSET, "a frame passes the last command");
    if (s->debug.rows && s->debug.row.command >= p->command_count)
        return fail(s, GV_NO_OFFSET, "the debug map passes the last command");
    return true;
}

static bool read_trailer(struct gv_stream *s, uint64_t directory)
{
    uint8_t bytes[GV_TRAILER_BYTES], extra;
    struct gv_trailer trailer;
    size_t got;
    if (!read_padding(s, GV_SEGMENT_ALIGNMENT))
        return false;
    uint64_t at = s->offset;
    if (!read_exactly(s, bytes, sizeof bytes) ||
        !gv_payload_read_trailer(&s->payload, bytes, at, &trailer, s->err))
        return false;
    if (trailer.directory != directory || trailer.segment_count != s->segment_count)
        return fail(s, at, "the trailer names no directory");
    if (!read_some(s, &extra, 1, &got))
        return false;
    return got == 0 || fail(s, s->offset - 1, "bytes after the trailer");
}

static bool read_directory(struct gv_stream *s, const struct gv_segment_info *seg)
{
    struct gv_hash rows = gv_hash_stream_result(s->directory);
    if (seg->flags || seg->size != (uint64_t)s->segment_count * GV_DIRECTORY_ROW_BYTES)
        return fail(s, seg->offset, "the directory is malformed");
    if (!gv_hash_equal(&rows, &seg->hash))
        return fail(s, seg->offset, "directory and segment headers differ");
    struct gv_hash_stream *content = gv_hash_stream_create();
    bool ok = content || gv_out_of_memory(s->err);
    for (uint64_t left = seg->size; ok && left > 0;) {
        size_t step = left < STEP_BYTES ? (size_t)left : STEP_BYTES;
        ok = read_content(s, step);
        if (ok)
            gv_hash_stream_add(content, s->content.data, step);
        left -= step;
    }
    if (ok) {
        rows = gv_hash_stream_result(content);
        ok = gv_hash_equal(&rows, &seg->hash) ||
             fail(s, seg->offset, "the directory is damaged: its hash differs");
    }
    gv_hash_stream_destroy(content);
    return ok;
}

// ---- going on ----

static bool read_segment(struct gv_stream *s, bool *code)
{
    uint8_t header[GV_SEGMENT_HEADER_BYTES];
    if (!read_padding(s, GV_SEGMENT_ALIGNMENT))
        return false;
    uint64_t at = s->offset, end;
    if (!read_exactly(s, header, sizeof header))
        return false;
    struct gv_segment_info seg = gv_segment_load(header, at);
    if (!gv_segment_check(&seg, s->err))
        return false;
    if (!gv_add_u64(s->offset, seg.size, &end))
        return fail(s, at, "a segment passes the end");
    if (seg.kind == GV_SEGMENT_DIRECTORY) {
        s->ended = true;
        return read_directory(s, &seg) && read_trailer(s, at) && check_tables(s);
    }
    if (s->segment_count == GV_MAX_SEGMENTS)
        return gv_fail(s->err, GV_ERR_LIMIT, at, "over %zu segments", GV_MAX_SEGMENTS);
    list(s, header, at);
    *code = seg.kind == GV_SEGMENT_CODE;
    return seg.kind == GV_SEGMENT_RESOURCE_BYTES ? read_resource_bytes(s, &seg)
                                                 : read_table(s, &seg);
}

static void forget(struct gv_stream *s)
{
    struct gv_payload *p = &s->payload;
    struct gv_payload_private *private = p->private;
    for (size_t i = 0; i < p->chunk_count; i++)
        if (p->chunks[i].first_resource > s->most_first_resource)
            s->most_first_resource = p->chunks[i].first_resource;
    gv_stream_verifier_drop(s->verifier);
    p->chunk_count = p->code_block_count = private->chunks_placed = 0;
    private->block_index = UINT64_MAX;
    private->memory_used -= private->code_held;
    private->code_held = 0;
    gv_arena_finish(&private->code);
}

static bool next(struct gv_stream *s, bool *more)
{
    bool code = false;
    *more = false;
    s->in_code = false;
    forget(s);
    while (!code && !s->ended)
        if (!read_segment(s, &code))
            return false;
    *more = code;
    s->in_code = true;
    return code ? gv_stream_verify(s->verifier, s->err)
                : gv_stream_verify_end(s->verifier, s->err);
}

bool gv_stream_next(struct gv_stream *stream, bool *more, struct gv_error *err)
{
    stream->err = err;
    bool ok = next(stream, more);
    stream->err = NULL;
    return ok;
}

bool gv_stream_in_code(const struct gv_stream *stream)
{
    return stream->in_code;
}

// ---- life ----

static bool open_stream(struct gv_stream *s, struct gv_error *err)
{
    uint8_t header[GV_HEADER_BYTES];
    if (!gv_payload_begin(&s->payload, s->params.memory_limit, err))
        return false;
    s->payload.streamed = s->payload.complete = true; // the trailer knows
    s->directory = gv_hash_stream_create();
    if (!s->directory)
        return gv_out_of_memory(err);
    s->groups = gv_stream_groups_create(&s->params, err);
    s->verifier = s->groups ? gv_stream_verifier_create(&s->payload,
                                                        s->params.declared_limit, err)
                            : NULL;
    if (!s->verifier)
        return false;
    s->err = err;
    return read_exactly(s, header, sizeof header) &&
           gv_payload_read_header(&s->payload, header, err);
}

struct gv_stream *gv_stream_open(const struct gv_stream_params *params,
                                 struct gv_error *err)
{
    struct gv_stream *s = calloc(1, sizeof *s);
    if (!s || params->head_size > GV_STREAM_HEAD) {
        free(s);
        gv_out_of_memory(err);
        return NULL;
    }
    s->params = *params;
    s->head_size = params->head_size;
    if (s->head_size)
        memcpy(s->head, params->head, s->head_size);
    if (open_stream(s, err))
        return s;
    gv_stream_close(s);
    return NULL;
}

void gv_stream_close(struct gv_stream *s)
{
    if (!s)
        return;
    gv_stream_verifier_destroy(s->verifier);
    gv_stream_groups_destroy(s->groups);
    gv_hash_stream_destroy(s->directory);
    gv_debug_walk_finish(&s->debug);
    gv_arena_finish(&s->debug_names);
    gv_bytes_finish(&s->content);
    gv_payload_finish(&s->payload);
    free(s);
}

struct gv_payload *gv_stream_payload(struct gv_stream *stream)
{
    return &stream->payload;
}

struct gv_source *gv_stream_source(struct gv_stream *stream)
{
    return gv_stream_groups_source(stream->groups);
}
