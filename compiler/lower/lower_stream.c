#include "compiler/lower/lower_stream.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/cursor.h"

#define MAX_PIECE ((uint64_t)1 << 30)

// ---- pieces that are known ----

static struct gv_stream_piece *find_piece(const struct gv_lower_stream *s,
                                          const struct gv_hash *hash)
{
    uint64_t at = gv_load_u64(hash->bytes);
    for (;; at++) {
        struct gv_stream_piece *piece = &s->known[at & (s->known_size - 1)];
        if (!piece->size || gv_hash_equal(&piece->hash, hash))
            return piece;
    }
}

// A table of `size` places with the entries that are still worth it.
static bool rebuild_known(struct gv_lower_stream *s, uint32_t size)
{
    struct gv_stream_piece *old = s->known;
    uint32_t old_size = s->known_size;
    bool crowded = s->known_count >= GV_STREAM_KNOWN;
    s->known = calloc(size, sizeof *s->known);
    if (!s->known) {
        s->known = old;
        return false;
    }
    s->known_size = size;
    s->known_count = 0;
    for (uint32_t i = 0; i < old_size; i++) {
        if (!old[i].size || (crowded && !old[i].kept && old[i].stretch != s->stretch))
            continue;
        *find_piece(s, &old[i].hash) = old[i];
        s->known_count++;
    }
    free(old);
    return true;
}

static bool make_room(struct gv_lower_stream *s)
{
    if (s->known_count >= GV_STREAM_KNOWN) {
        // If most of them are kept or new, what they say is forgotten.
        if (!rebuild_known(s, s->known_size))
            return false;
        if (s->known_count >= GV_STREAM_KNOWN / 2) {
            memset(s->known, 0, s->known_size * sizeof *s->known);
            s->known_count = 0;
        }
    }
    return s->known_count * 2 < s->known_size ||
           rebuild_known(s, s->known_size ? s->known_size * 2 : 256);
}

// ---- chunks ----

static uint64_t align_up(uint64_t value, uint32_t align)
{
    return (value + align - 1) / align * align;
}

// A place ahead of everything that reads this stretch.
static struct gv_builder *reach_place(struct gv_lower_stream *s)
{
    if (!gv_builder_place_is_open(s->pass->b))
        gv_builder_place_open(gv_lower_transfer(s->pass));
    return s->pass->b;
}

static struct gv_stream_chunk *add_chunk(struct gv_lower_stream *s,
                                         struct gv_stream_chunks *c, uint64_t size)
{
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? c->capacity * 2 : 8;
        struct gv_stream_chunk *grown = realloc(c->list, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        c->list = grown;
        c->capacity = capacity;
    }
    struct gv_stream_chunk *chunk = &c->list[c->count];
    *chunk = (struct gv_stream_chunk){ .size = size, .bytes = malloc((size_t)size) };
    if (!chunk->bytes)
        return NULL;
    c->count++;
    gv_builder_place_begin(s->pass->b);
    chunk->gpu = gv_emit(s->pass->b, buffer_create, .size = size,
                         .usage = GV_BUFFER_USAGE_VERTEX | GV_BUFFER_USAGE_INDEX);
    gv_builder_place_end(s->pass->b);
    return chunk;
}

static bool has_room(const struct gv_stream_chunk *c, uint64_t size, uint32_t align)
{
    uint64_t at = align_up(c->used, align);
    return c->bytes && at <= c->size && size <= c->size - at;
}

// A chunk with room for a piece; NULL: out of memory.
static struct gv_stream_chunk *chunk_for(struct gv_lower_stream *s,
                                         struct gv_stream_chunks *c, uint64_t size,
                                         uint32_t align)
{
    // Those at the end were made last; of the kept ones only the last has room.
    size_t from = c == &s->kept && c->count ? c->count - 1 : 0;
    for (size_t i = from; i < c->count; i++)
        if (has_room(&c->list[i], size, align))
            return &c->list[i];
    uint64_t capacity = GV_STREAM_CHUNK;
    while (capacity < size)
        capacity *= 2;
    return add_chunk(s, c, capacity);
}

// ---- large pieces ----

// Pieces of one array that overlap (a range of vertices, and the next one) are large
// and mostly equal. They are uploaded in parts that end where their content says so,
// wherever that lies in a piece: what is equal is stored once, and what a stretch
// before left at the same place is not uploaded again.
#define LARGE_PIECE ((uint64_t)64 << 10)
#define LEAST_PART ((uint64_t)4 << 10)
#define MOST_PART ((uint64_t)64 << 10)
#define PART_ENDS (UINT64_C(0x3ff) << 54) // bits that are 0: every 4 KiB of words
#define SUMMED UINT64_C(64)               // words that the sum has, a bit each
#define MIX UINT64_C(0x9e3779b97f4a7c15)

// How long the part is that begins here. A word counts in the sum until SUMMED - 1 more
// came, so those in front of the last ones of the least part need not be read.
static uint64_t part_size(const uint8_t *bytes, uint64_t size)
{
    uint64_t sum = 0, at = LEAST_PART - SUMMED * sizeof(uint32_t);
    if (size < LEAST_PART)
        return size;
    while (at + 4 <= size && at < MOST_PART) {
        uint32_t word;
        memcpy(&word, bytes + at, sizeof word);
        sum = (sum << 1) + (word + UINT32_C(1)) * MIX;
        at += 4;
        if (at >= LEAST_PART && !(sum & PART_ENDS))
            return at;
    }
    return size - at < 4 ? size : at;
}

static void upload(struct gv_lower_stream *s, struct gv_stream_chunk *c)
{
    const uint64_t size = c->used - c->uploaded;
    if (!size)
        return;
    gv_emit(s->pass->b, buffer_upload, .buffer = c->gpu, .offset = c->uploaded,
            .data = gv_data(c->bytes + c->uploaded), .size = size);
    c->uploaded = c->used;
    c->there = c->there > c->used ? c->there : c->used;
    s->uploads++;
}

// Adds a part. A stretch before may have left the same bytes at the same place.
static void put_part(struct gv_lower_stream *s, struct gv_stream_chunk *c,
                     const uint8_t *data, uint64_t size)
{
    uint8_t *to = c->bytes + c->used;
    const bool same = c->used + size <= c->there && !memcmp(to, data, (size_t)size);
    c->used += size;
    if (same) {
        c->uploaded = c->used;
        return;
    }
    memcpy(to, data, (size_t)size);
    upload(s, c);
}

// What waits in the chunk goes first, for what is in front of a part is uploaded.
static void put_large(struct gv_lower_stream *s, struct gv_stream_chunk *c,
                      const uint8_t *data, uint64_t size)
{
    gv_builder_place_begin(s->pass->b);
    upload(s, c);
    for (uint64_t at = 0, part; at < size; at += part) {
        part = part_size(data + at, size - at);
        put_part(s, c, data + at, part);
    }
    gv_builder_place_end(s->pass->b);
}

// ---- writing ----

static bool put(struct gv_lower_stream *s, struct gv_stream_chunks *chunks,
                const void *data, struct gv_stream_piece *piece)
{
    struct gv_stream_chunk *chunk = chunk_for(s, chunks, piece->size, piece->align);
    if (!chunk)
        return false;
    uint64_t at = align_up(chunk->used, piece->align);
    memset(chunk->bytes + chunk->used, 0, (size_t)(at - chunk->used));
    piece->at = (struct gv_lower_streamed){ chunk->gpu, at };
    chunk->used = at;
    if (piece->size >= LARGE_PIECE) {
        put_large(s, chunk, data, piece->size);
    } else {
        memcpy(chunk->bytes + at, data, (size_t)piece->size);
        chunk->used += piece->size;
    }
    s->pending += piece->size;
    s->written += piece->size;
    return true;
}

static bool is_there(const struct gv_lower_stream *s,
                     const struct gv_stream_piece *piece, uint32_t align)
{
    return piece->size && (piece->kept || piece->stretch == s->stretch) &&
           piece->at.offset % align == 0;
}

static bool keep(struct gv_lower_stream *s, const struct gv_stream_piece *piece)
{
    return piece->size && piece->stretch != s->stretch && !piece->kept &&
           s->kept_bytes + piece->size <= GV_STREAM_KEPT;
}

// Ends a stretch that has become too long.
static void end_long(struct gv_lower_stream *s)
{
    if (s->pending < GV_STREAM_PENDING && !gv_builder_place_is_far(s->pass->b))
        return;
    gv_lower_transfer(s->pass);
    gv_lower_stream_flush(s);
}

bool gv_lower_stream_find(struct gv_lower_stream *s, const struct gv_lower_content *c,
                          struct gv_lower_streamed *out)
{
    end_long(s);
    if (!make_room(s))
        return false;
    const struct gv_stream_piece *known = find_piece(s, &c->hash);
    if (!is_there(s, known, c->align))
        return false;
    *out = known->at;
    return true;
}

bool gv_lower_stream_add(struct gv_lower_stream *s, const struct gv_lower_content *c,
                         const void *data, struct gv_lower_streamed *out,
                         struct gv_error *err)
{
    if (!make_room(s))
        return gv_out_of_memory(err);
    struct gv_stream_piece *known = find_piece(s, &c->hash);
    struct gv_stream_piece piece = { .hash = c->hash,
                                     .size = c->size,
                                     .stretch = s->stretch,
                                     .align = c->align,
                                     .kept = keep(s, known) };
    reach_place(s);
    if (!put(s, piece.kept ? &s->kept : &s->passing, data, &piece))
        return gv_out_of_memory(err);
    s->kept_bytes += piece.kept ? c->size : 0;
    s->known_count += !known->size;
    *known = piece;
    *out = piece.at;
    return true;
}

bool gv_lower_stream_write(struct gv_lower_stream *s, const void *data, uint64_t size,
                           uint32_t align, struct gv_hash *hash,
                           struct gv_lower_streamed *out, struct gv_error *err)
{
    if (size >= MAX_PIECE)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "%llu bytes of vertices of one draw", (unsigned long long)size);
    *hash = gv_hash_bytes(data, (size_t)size);
    const struct gv_lower_content c = { *hash, size, align };
    return gv_lower_stream_find(s, &c, out) ||
           gv_lower_stream_add(s, &c, data, out, err);
}

// ---- uploads ----

void gv_lower_stream_flush(struct gv_lower_stream *s)
{
    if (gv_builder_place_is_open(s->pass->b)) {
        gv_builder_place_begin(s->pass->b);
        for (size_t i = 0; i < s->passing.count; i++) {
            upload(s, &s->passing.list[i]);
            s->passing.list[i].used = s->passing.list[i].uploaded = 0;
        }
        for (size_t i = 0; i < s->kept.count; i++) {
            struct gv_stream_chunk *c = &s->kept.list[i];
            upload(s, c);
            if (i + 1 < s->kept.count) { // nothing is added to it any more
                free(c->bytes);
                c->bytes = NULL;
            }
        }
        gv_builder_place_close(s->pass->b);
    }
    s->pending = 0;
    s->stretch++;
}

static void finish_chunks(struct gv_stream_chunks *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->list[i].bytes);
    free(c->list);
}

void gv_lower_stream_finish(struct gv_lower_stream *s)
{
    finish_chunks(&s->passing);
    finish_chunks(&s->kept);
    free(s->known);
    *s = (struct gv_lower_stream){ .pass = s->pass };
}
