#include "compiler/apitrace/trace/trace_container.h"

#include "compiler/apitrace/trace/trace_brotli.h"
#include "compiler/apitrace/trace/trace_probe.h"
#include "compiler/apitrace/trace/trace_snappy.h"
#include "resources/codec.h"
#include "resources/inflate.h"

#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES ((size_t)256 * 1024)
#define SEEK_TABLE_MAGIC 0x8F92EAB1u

// ---- which it is ----

static bool begins(const uint8_t *file, size_t size, const char *magic, size_t length)
{
    return size >= length && memcmp(file, magic, length) == 0;
}

enum gv_trace_container gv_trace_container_detect(const uint8_t *file, size_t size)
{
    if (begins(file, size, "at", 2))
        return GV_TRACE_SNAPPY;
    if (begins(file, size, "\x1f\x8b", 2))
        return GV_TRACE_GZIP;
    if (begins(file, size, "\x28\xb5\x2f\xfd", 4))
        return gv_load_u32(file + size - 4) == SEEK_TABLE_MAGIC ? GV_TRACE_ZSTD_SEEKABLE
                                                                : GV_TRACE_ZSTD;
    return gv_trace_is_stream(file, size) ? GV_TRACE_RAW : GV_TRACE_BROTLI;
}

const char *gv_trace_container_name(enum gv_trace_container container)
{
    static const char *const names[] = { "raw",  "snappy",        "gzip",
                                         "zstd", "zstd-seekable", "brotli" };
    return names[container];
}

// ---- unpacking ----

struct gv_trace_unpacker {
    enum gv_trace_container container;
    struct gv_cursor file;
    struct gv_inflow *inflow; // borrowed; NULL: the file is all there
    void *stream;             // owned; gv_inflate, gv_codec_state or gv_brotli
    bool inside, begun;       // a member or frame is not complete; there was one
};

static bool create_stream(struct gv_trace_unpacker *u)
{
    switch (u->container) {
    case GV_TRACE_GZIP:
        u->stream = gv_inflate_create();
        break;
    case GV_TRACE_ZSTD:
    case GV_TRACE_ZSTD_SEEKABLE:
        u->stream = gv_codec_create();
        break;
    case GV_TRACE_BROTLI:
        u->stream = gv_brotli_create();
        break;
    default:
        return true;
    }
    return u->stream != NULL;
}

struct gv_trace_unpacker *gv_trace_unpacker_create(enum gv_trace_container container,
                                                   struct gv_cursor file,
                                                   struct gv_inflow *inflow)
{
    struct gv_trace_unpacker *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->container = container;
    u->file = file;
    u->inflow = inflow;
    if (container == GV_TRACE_SNAPPY)
        gv_cursor_take(&u->file, 2);
    if (create_stream(u))
        return u;
    free(u);
    return NULL;
}

void gv_trace_unpacker_destroy(struct gv_trace_unpacker *u)
{
    if (!u)
        return;
    if (u->container == GV_TRACE_GZIP)
        gv_inflate_destroy(u->stream);
    else if (u->container == GV_TRACE_BROTLI)
        gv_brotli_destroy(u->stream);
    else
        gv_codec_destroy(u->stream);
    free(u);
}

size_t gv_trace_unpacker_taken(const struct gv_trace_unpacker *u)
{
    return u->file.pos;
}

// Waits for so many bytes at the place; false: there are fewer, and that is all.
static bool await(struct gv_trace_unpacker *u, size_t size)
{
    if (u->inflow) {
        gv_inflow_want(u->inflow, (uint64_t)u->file.pos + size);
        u->file.size = u->inflow->size;
    }
    return gv_cursor_left(&u->file) >= size;
}

static enum gv_trace_pull fail(struct gv_error *err, enum gv_status status, size_t at,
                               const char *what)
{
    gv_fail(err, status, at, "%s", what);
    return GV_TRACE_FAILED;
}

// What there is of the last chunk.
static enum gv_trace_pull salvage(struct gv_trace_unpacker *u, size_t at,
                                  const struct gv_trace_room *room,
                                  struct gv_error *err)
{
    size_t size = gv_cursor_left(&u->file), unpacked;
    const uint8_t *packed = gv_cursor_take(&u->file, size);
    // Of what is missing nobody knows how much it would make.
    if (size == 0 || !gv_snappy_stated(packed, size, &unpacked))
        return GV_TRACE_CUT;
    if (unpacked / GV_SNAPPY_MAX_RATIO > size)
        unpacked = GV_SNAPPY_MAX_RATIO * size;
    uint8_t *to = room->take(room->context, unpacked);
    if (!to)
        return fail(err, GV_ERR_LIMIT, at, "no memory for a chunk");
    room->piece(room->context, at);
    room->made(room->context, gv_snappy_salvage(packed, size, to, unpacked));
    return GV_TRACE_CUT;
}

// A chunk: u32 size, then so many bytes of raw snappy. One of no bytes is the end.
static enum gv_trace_pull pull_snappy(struct gv_trace_unpacker *u,
                                      const struct gv_trace_room *room,
                                      struct gv_error *err)
{
    size_t at = u->file.pos, unpacked;
    if (!await(u, 1))
        return GV_TRACE_ENDED;
    if (!await(u, 4)) {
        gv_cursor_seek(&u->file, u->file.size);
        return GV_TRACE_CUT;
    }
    size_t size = gv_cursor_u32(&u->file);
    if (size == 0)
        return GV_TRACE_ENDED;
    if (!await(u, size))
        return salvage(u, at, room, err);
    const uint8_t *packed = gv_cursor_take(&u->file, size);
    if (!gv_snappy_stated(packed, size, &unpacked) ||
        unpacked / GV_SNAPPY_MAX_RATIO > size)
        return fail(err, GV_ERR_FORMAT, at, "a chunk states a size it cannot have");
    if (unpacked > GV_TRACE_MAX_CHUNK)
        return fail(err, GV_ERR_LIMIT, at, "a chunk of over 256 MiB");
    uint8_t *to = room->take(room->context, unpacked);
    if (!to)
        return fail(err, GV_ERR_LIMIT, at, "no memory for a chunk");
    if (!gv_snappy_unpack(packed, size, to, unpacked))
        return fail(err, GV_ERR_FORMAT, at, "a chunk is damaged");
    room->piece(room->context, at);
    room->made(room->context, unpacked);
    return GV_TRACE_PULLED;
}

static enum gv_step step(struct gv_trace_unpacker *u, struct gv_step_io *io)
{
    if (u->container == GV_TRACE_GZIP)
        return gv_inflate_step(u->stream, io);
    if (u->container == GV_TRACE_BROTLI)
        return gv_brotli_step(u->stream, io);
    return gv_codec_step(u->stream, io);
}

// One step: true if it is to be asked again.
static bool step_stream(struct gv_trace_unpacker *u, uint8_t *to, size_t size,
                        const struct gv_trace_room *room, enum gv_trace_pull *result,
                        struct gv_error *err)
{
    size_t at = u->file.pos;
    if (!await(u, 1) && !u->inside) {
        *result = u->begun ? GV_TRACE_ENDED : GV_TRACE_CUT;
        return false;
    }
    if (!u->inside)
        room->piece(room->context, at);
    struct gv_step_io io = { u->file.data + at, u->file.size - at, to, size };
    enum gv_step how = step(u, &io);
    size_t made = size - io.out_size;
    gv_cursor_seek(&u->file, u->file.size - io.in_size);
    room->made(room->context, made);
    u->inside = how != GV_STEP_ENDED;
    u->begun = true;
    *result = GV_TRACE_PULLED;
    if (how == GV_STEP_MEMORY)
        *result = fail(err, GV_ERR_LIMIT, u->file.pos, "unpacking: out of memory");
    else if (how == GV_STEP_DAMAGED)
        *result =
            fail(err, GV_ERR_FORMAT, u->file.pos, "the compressed data is damaged");
    else if (how == GV_STEP_ENDED && u->container == GV_TRACE_BROTLI && io.in_size)
        *result =
            fail(err, GV_ERR_FORMAT, u->file.pos, "bytes follow the brotli stream");
    else if (made == 0 && u->file.pos == at && how == GV_STEP_MORE &&
             !await(u, gv_cursor_left(&u->file) + 1))
        *result = GV_TRACE_CUT;
    else
        return made == 0;
    return false;
}

enum gv_trace_pull gv_trace_unpacker_pull(struct gv_trace_unpacker *u,
                                          const struct gv_trace_room *room,
                                          struct gv_error *err)
{
    if (u->container == GV_TRACE_SNAPPY)
        return pull_snappy(u, room, err);
    uint8_t *to = room->take(room->context, PIECE_BYTES);
    enum gv_trace_pull result = GV_TRACE_PULLED;
    if (!to)
        return fail(err, GV_ERR_LIMIT, u->file.pos, "no memory for unpacking");
    while (step_stream(u, to, PIECE_BYTES, room, &result, err))
        ;
    return result;
}
