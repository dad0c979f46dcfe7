#include "compiler/gfxr/gfxr_blocks.h"

#include "compiler/gfxr/gfxr_lz4.h"
#include "resources/codec.h"
#include "resources/inflate.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_HEADER 12u
#define COMPRESSED (UINT32_C(1) << 31) // bit of a block's type
#define NEWEST_MINOR 1u
#define OPTION_COMPRESSION 1u
#define MOST_OPTIONS 64u

enum codec { CODEC_NONE, CODEC_LZ4, CODEC_ZLIB, CODEC_ZSTD, CODEC_COUNT };

struct gv_gfxr_reader {
    struct gv_cursor input;
    struct gv_gfxr_params params;
    uint32_t major, minor, codec;
    uint64_t block; // number of the last one
    uint64_t raw_bytes;
    bool cut;
    uint8_t *room; // owned; what was unpacked last
    size_t capacity;
    struct gv_codec_state *zstd; // owned; made when first needed
};

bool gv_gfxr_bad(const struct gv_vk_place *place, struct gv_error *err,
                 const char *what)
{
    gv_fail(err, GV_ERR_FORMAT, place->offset, "block %llu: %s",
            (unsigned long long)place->block, what);
    return gv_error_at_command(err, place->block);
}

static bool refuse(const struct gv_vk_place *place, struct gv_error *err,
                   const char *what)
{
    gv_fail(err, GV_ERR_UNSUPPORTED, place->offset, "unsupported: %s (block %llu)",
            what, (unsigned long long)place->block);
    return gv_error_at_command(err, place->block);
}

// ---- header ----

static bool read_options(struct gv_gfxr_reader *r, uint32_t count, struct gv_error *err)
{
    struct gv_cursor *c = &r->input;
    if (count > MOST_OPTIONS)
        return gv_fail(err, GV_ERR_FORMAT, 12, "header: %u options (limit %u)", count,
                       MOST_OPTIONS);
    gv_input_read_want(r->params.read, c, 16 + (uint64_t)count * 8);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t key = gv_cursor_u32(c), value = gv_cursor_u32(c);
        if (key == OPTION_COMPRESSION)
            r->codec = value;
    }
    if (c->bad)
        return gv_fail(err, GV_ERR_FORMAT, 16, "header: the file ends in its options");
    return r->codec < CODEC_COUNT ||
           gv_fail(err, GV_ERR_FORMAT, 16, "header: compression %u, which there is not",
                   r->codec);
}

static bool read_header(struct gv_gfxr_reader *r, struct gv_error *err)
{
    struct gv_cursor *c = &r->input;
    gv_input_read_want(r->params.read, c, 16);
    const uint8_t *magic = gv_cursor_take(c, 4);
    if (!magic || memcmp(magic, GV_GFXR_MAGIC, 4) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0, "header: no \"" GV_GFXR_MAGIC "\"");
    r->major = gv_cursor_u32(c);
    r->minor = gv_cursor_u32(c);
    const uint32_t options = gv_cursor_u32(c);
    if (c->bad)
        return gv_fail(err, GV_ERR_FORMAT, 4, "header: the file ends in it");
    if (r->major || r->minor > NEWEST_MINOR)
        return gv_fail(err, GV_ERR_FORMAT, 4,
                       "header: version %u.%u (the newest known is 0.%u)", r->major,
                       r->minor, NEWEST_MINOR);
    return read_options(r, options, err);
}

struct gv_gfxr_reader *gv_gfxr_open(struct gv_cursor input,
                                    const struct gv_gfxr_params *params,
                                    struct gv_error *err)
{
    struct gv_gfxr_reader *r = calloc(1, sizeof *r);
    if (!r) {
        gv_out_of_memory(err);
        return NULL;
    }
    r->input = input;
    r->params = *params;
    if (read_header(r, err))
        return r;
    gv_gfxr_close(r);
    return NULL;
}

void gv_gfxr_close(struct gv_gfxr_reader *r)
{
    if (!r)
        return;
    gv_codec_destroy(r->zstd);
    free(r->room);
    free(r);
}

// ---- what is packed ----

// No codec makes more of a byte: what says so is damaged, and takes no memory.
static uint64_t most_from(uint32_t codec, uint64_t stored)
{
    static const uint64_t ratio[] = { 1, 256, 1040, 1 << 17 };
    const uint64_t slack = 1024;
    return stored > UINT64_MAX / ratio[codec] - slack ? UINT64_MAX
                                                      : stored * ratio[codec] + slack;
}

static bool make_room(struct gv_gfxr_reader *r, size_t size)
{
    if (size <= r->capacity)
        return true;
    free(r->room);
    r->room = malloc(size);
    r->capacity = r->room ? size : 0;
    return r->room != NULL;
}

static bool run_codec(struct gv_gfxr_reader *r, struct gv_span stored, size_t raw_size)
{
    switch ((enum codec)r->codec) {
    case CODEC_LZ4:
        return gv_gfxr_lz4(stored.data, stored.size, r->room, raw_size);
    case CODEC_ZLIB:
        return gv_inflate_whole(stored.data, stored.size, r->room, raw_size);
    case CODEC_ZSTD:
        if (!r->zstd)
            r->zstd = gv_codec_create();
        return r->zstd && gv_codec_decompress(r->zstd, stored, r->room, raw_size, NULL);
    case CODEC_NONE:
    case CODEC_COUNT:
        break;
    }
    return false;
}

static bool can_unpack(const struct gv_gfxr_reader *r, const struct gv_vk_place *place,
                       struct gv_span stored, uint64_t raw_size, struct gv_error *err)
{
    if (r->codec == CODEC_NONE)
        return gv_gfxr_bad(place, err, "compressed, in a file without compression");
    return raw_size <= most_from(r->codec, stored.size) ||
           gv_gfxr_bad(place, err, "more bytes than can come out of it");
}

static bool unpack(struct gv_gfxr_reader *r, const struct gv_vk_place *place,
                   struct gv_span stored, uint64_t raw_size, struct gv_span *out,
                   struct gv_error *err)
{
    if (!can_unpack(r, place, stored, raw_size, err))
        return false;
    if (raw_size > r->params.memory_limit) {
        gv_fail(err, GV_ERR_LIMIT, place->offset, "block %llu unpacks to %llu bytes",
                (unsigned long long)place->block, (unsigned long long)raw_size);
        return gv_error_at_command(err, place->block);
    }
    if (!make_room(r, (size_t)raw_size ? (size_t)raw_size : 1))
        return gv_out_of_memory(err);
    if (!run_codec(r, stored, (size_t)raw_size))
        return gv_gfxr_bad(place, err, "its compressed bytes are damaged");
    r->raw_bytes += raw_size;
    *out = (struct gv_span){ r->room, (size_t)raw_size };
    return true;
}

bool gv_gfxr_bulk(struct gv_gfxr_reader *r, struct gv_gfxr_block *block,
                  uint64_t raw_size, struct gv_span *bytes, struct gv_error *err)
{
    const size_t left = gv_cursor_left(&block->body);
    *bytes = (struct gv_span){ gv_cursor_take(&block->body, left), left };
    if (block->packed && !r->params.sizes_only)
        return unpack(r, &block->place, *bytes, raw_size, bytes, err);
    if (block->packed ? !can_unpack(r, &block->place, *bytes, raw_size, err)
                      : raw_size != left && !gv_gfxr_bad(&block->place, err,
                                                         "its bytes are not as many as "
                                                         "it says"))
        return false;
    r->raw_bytes += raw_size;
    if (r->params.sizes_only)
        *bytes = (struct gv_span){ NULL, (size_t)raw_size };
    return true;
}

// ---- blocks ----

static bool read_call(struct gv_gfxr_reader *r, struct gv_gfxr_block *b, bool packed,
                      struct gv_error *err)
{
    b->id = gv_cursor_u32(&b->body);
    b->place.thread = gv_cursor_u64(&b->body);
    const uint64_t raw_size = packed ? gv_cursor_u64(&b->body) : 0;
    if (b->body.bad)
        return gv_gfxr_bad(&b->place, err, "too short for a call");
    const size_t left = gv_cursor_left(&b->body);
    struct gv_span bytes = { gv_cursor_take(&b->body, left), left };
    if (packed && !unpack(r, &b->place, bytes, raw_size, &bytes, err))
        return false;
    r->raw_bytes += packed ? 0 : left;
    b->body = gv_cursor_make(bytes.data, bytes.size);
    return true;
}

static bool read_meta(struct gv_gfxr_block *b, struct gv_error *err)
{
    b->id = gv_cursor_u32(&b->body);
    b->place.thread = gv_cursor_u64(&b->body);
    return !b->body.bad || gv_gfxr_bad(&b->place, err, "too short for meta-data");
}

// Only their sizes matter: an annotation is what the recorder says of itself.
static bool read_annotation(struct gv_gfxr_block *b, struct gv_error *err)
{
    b->id = gv_cursor_u32(&b->body);
    const uint32_t label = gv_cursor_u32(&b->body);
    const uint64_t data = gv_cursor_u64(&b->body);
    const size_t left = gv_cursor_left(&b->body);
    return (!b->body.bad && label <= left && data <= left - label) ||
           gv_gfxr_bad(&b->place, err, "an annotation longer than its block");
}

static bool read_body(struct gv_gfxr_reader *r, struct gv_gfxr_block *b, bool packed,
                      struct gv_error *err)
{
    b->packed = packed;
    switch (b->kind) {
    case GV_GFXR_CALL:
        return read_call(r, b, packed, err);
    case GV_GFXR_META:
        return read_meta(b, err);
    case GV_GFXR_METHOD:
        return refuse(&b->place, err, "D3D12 capture");
    case GV_GFXR_ANNOTATION:
        return read_annotation(b, err);
    case GV_GFXR_FRAME_MARKER:
    case GV_GFXR_STATE_MARKER:
        b->id = gv_cursor_u32(&b->body);
        gv_cursor_u64(&b->body); // number of the frame
        return !b->body.bad || gv_gfxr_bad(&b->place, err, "too short for a marker");
    default: // of a newer recorder; readers are to pass over it
        return true;
    }
}

// The file ends where a block does not.
static bool ends_in_block(struct gv_gfxr_reader *r, const struct gv_gfxr_block *b,
                          bool *ended, struct gv_error *err)
{
    r->cut = *ended = true;
    return r->params.allow_truncated ||
           gv_gfxr_bad(&b->place, err, "the file ends in it");
}

bool gv_gfxr_next(struct gv_gfxr_reader *r, struct gv_gfxr_block *block, bool *ended,
                  struct gv_error *err)
{
    struct gv_cursor *c = &r->input;
    gv_input_read_to(r->params.read, c->pos);
    *block = (struct gv_gfxr_block){ .place = { .offset = c->pos, .block = ++r->block },
                                     .memory_limit = r->params.memory_limit };
    *ended = false;
    gv_input_read_want(r->params.read, c, (uint64_t)c->pos + BLOCK_HEADER);
    if (!gv_cursor_left(c)) {
        *ended = true;
        return true;
    }
    if (gv_cursor_left(c) < BLOCK_HEADER)
        return ends_in_block(r, block, ended, err);
    const uint64_t size = gv_cursor_u64(c);
    const uint32_t type = gv_cursor_u32(c);
    if (size > SIZE_MAX / 2)
        return gv_gfxr_bad(&block->place, err, "no file holds as many bytes");
    if (!gv_input_read_want(r->params.read, c, c->pos + size))
        return ends_in_block(r, block, ended, err);
    block->body = gv_cursor_make(gv_cursor_take(c, (size_t)size), (size_t)size);
    block->kind = type & ~COMPRESSED;
    return read_body(r, block, (type & COMPRESSED) != 0, err);
}

// ---- about the file ----

const char *gv_gfxr_compression(const struct gv_gfxr_reader *r)
{
    static const char *const names[] = { "none", "lz4", "zlib", "zstd" };
    return names[r->codec];
}

uint32_t gv_gfxr_major(const struct gv_gfxr_reader *r)
{
    return r->major;
}

uint32_t gv_gfxr_minor(const struct gv_gfxr_reader *r)
{
    return r->minor;
}

bool gv_gfxr_was_cut(const struct gv_gfxr_reader *r)
{
    return r->cut;
}

uint64_t gv_gfxr_raw_bytes(const struct gv_gfxr_reader *r)
{
    return r->raw_bytes;
}
