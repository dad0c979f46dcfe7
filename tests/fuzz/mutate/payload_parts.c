#include "tests/fuzz/mutate/payload_parts.h"

#include "resources/base/cursor.h"
#include "resources/codec.h"
#include "resources/dictionaries.h"
#include "resources/hash.h"

#include <stdlib.h>
#include <string.h>

#define MOST_RAW ((uint64_t)16 << 20) // bytes of one content, decompressed

// Appends what is stored as it is or, where the sizes differ, decompressed.
static bool put_raw(struct gv_bytes *out, struct gv_codec_frame frame,
                    uint64_t raw_size)
{
    if (!frame.stored.data || raw_size > MOST_RAW)
        return false;
    uint8_t *raw = gv_bytes_grow(out, raw_size);
    if (!raw)
        return false;
    if (frame.stored.size == raw_size) {
        memcpy(raw, frame.stored.data, raw_size);
        return true;
    }
    struct gv_codec_state *codec = gv_codec_create();
    bool ok = codec && gv_codec_decompress_with(codec, &frame, raw, raw_size, NULL);
    gv_codec_destroy(codec);
    return ok;
}

// CODE and CONSTANTS: blocks, each raw from now on.
static bool unpack_blocks(struct payload_part *part)
{
    struct gv_cursor table = { .data = part->content.data, .size = part->content.size };
    struct gv_bytes raw = { 0 };
    uint32_t count = gv_cursor_count(&table, 8);
    struct gv_cursor data = table;
    gv_cursor_take(&data, (size_t)count * 8);
    gv_bytes_u32(&raw, count);
    part->fixed = 4 + (size_t)count * 8;
    gv_bytes_grow(&raw, part->fixed - 4);
    bool ok = !data.bad && !raw.failed;
    for (uint32_t i = 0; ok && i < count; i++) {
        uint32_t stored_size = gv_cursor_u32(&table), raw_size = gv_cursor_u32(&table);
        const struct gv_codec_frame frame = {
            .stored = { gv_cursor_take(&data, stored_size), stored_size }
        };
        ok = put_raw(&raw, frame, raw_size);
        for (size_t k = 0; ok && k < 8; k++)
            raw.data[4 + i * 8 + k] = (uint8_t)(raw_size >> (8 * (k % 4)));
    }
    gv_bytes_finish(&part->content);
    part->content = raw;
    return ok;
}

// A row of RESOURCES, and its group in RESOURCE_BYTES.
struct row {
    uint64_t dictionary; // number + 1, or 0
    uint64_t stored_size, raw_size, count;
    const uint8_t *hash;
    size_t sizes, end; // where those of its resources are
};

static bool read_row(struct gv_cursor *c, struct row *row)
{
    *row = (struct row){ 0 };
    if (gv_cursor_u8(c) == GV_CODEC_DICTIONARY)
        row->dictionary = gv_cursor_uleb(c) + 1;
    row->stored_size = gv_cursor_uleb(c);
    row->hash = gv_cursor_take(c, 16);
    row->count = gv_cursor_uleb(c);
    row->sizes = c->pos;
    for (uint64_t i = 0; !c->bad && i < row->count; i++)
        row->raw_size = (row->raw_size + 3) / 4 * 4 + gv_cursor_uleb(c);
    row->end = c->pos;
    return !c->bad && row->raw_size <= MOST_RAW;
}

// Where the groups of a batch are in its raw bytes.
struct places {
    struct {
        size_t at, size;
    } groups[256];
    size_t count;
};

// `raw` moves while it grows, so that the dictionary is copied.
static bool put_group(struct places *places, const struct row *row,
                      const uint8_t *stored, struct gv_bytes *raw)
{
    struct gv_codec_frame frame = { .stored = { stored, row->stored_size } };
    const size_t at = raw->size, number = row->dictionary - 1;
    uint8_t *copy = NULL;
    if (row->dictionary) {
        if (number >= places->count)
            return false; // of another batch
        const struct gv_span all = { raw->data + places->groups[number].at,
                                     places->groups[number].size };
        frame.dictionary = gv_dictionary_of(all);
        copy = malloc(frame.dictionary.size + 1);
        if (!copy)
            return false;
        memcpy(copy, frame.dictionary.data, frame.dictionary.size);
        frame.dictionary.data = copy;
    }
    bool ok = put_raw(raw, frame, row->raw_size);
    free(copy);
    if (places->count < sizeof places->groups / sizeof *places->groups) {
        places->groups[places->count].at = at;
        places->groups[places->count++].size = row->raw_size;
    }
    return ok;
}

// The rows of RESOURCES with the groups of RESOURCE_BYTES, each raw from now on.
static bool unpack_groups(struct payload_part *table, struct payload_part *bytes)
{
    struct gv_cursor c = { .data = table->content.data, .size = table->content.size };
    struct gv_cursor stored = { .data = bytes->content.data,
                                .size = bytes->content.size };
    struct gv_bytes rows = { 0 }, raw = { 0 };
    struct places places = { .count = 0 };
    bool ok = true;
    while (ok && c.pos < c.size) {
        struct row row;
        ok = read_row(&c, &row) &&
             put_group(&places, &row, gv_cursor_take(&stored, row.stored_size), &raw);
        if (!ok)
            break;
        gv_bytes_u8(&rows, GV_CODEC_RAW);
        gv_bytes_uleb(&rows, row.raw_size);
        gv_bytes_put(&rows, row.hash, 16);
        gv_bytes_uleb(&rows, row.count);
        gv_bytes_put(&rows, c.data + row.sizes, row.end - row.sizes);
        gv_bytes_zero_to(&raw, 16);
        while (stored.pos % 16 && !stored.bad)
            gv_cursor_u8(&stored);
    }
    gv_bytes_finish(&table->content);
    gv_bytes_finish(&bytes->content);
    table->content = rows;
    bytes->content = raw;
    return ok && !rows.failed && !raw.failed;
}

static bool unpack(struct payload_parts *parts, struct payload_part *part)
{
    if (part->kind == GV_SEGMENT_CODE || part->kind == GV_SEGMENT_CONSTANTS)
        return unpack_blocks(part);
    bool after_table = part > parts->items && part[-1].kind == GV_SEGMENT_RESOURCES;
    if (part->kind == GV_SEGMENT_RESOURCE_BYTES && after_table && !parts->keeps_groups)
        return unpack_groups(part - 1, part);
    return true;
}

static bool add_segment(struct payload_parts *parts, struct gv_cursor *c)
{
    if (parts->count == PAYLOAD_PARTS_MAX)
        return false;
    struct payload_part *part = &parts->items[parts->count++];
    uint16_t kind = gv_cursor_u16(c), flags = gv_cursor_u16(c);
    uint32_t raw_size = gv_cursor_u32(c);
    uint64_t size = gv_cursor_u64(c);
    gv_cursor_take(c, 16);
    const uint8_t *content = gv_cursor_take(c, size);
    if (c->bad)
        return false;
    *part = (struct payload_part){ .kind = kind,
                                   .flags = (uint16_t)(flags & ~GV_SEGMENT_ZSTD) };
    uint64_t whole = flags & GV_SEGMENT_ZSTD ? raw_size : size;
    const struct gv_codec_frame frame = { .stored = { content, size } };
    return put_raw(&part->content, frame, whole) && unpack(parts, part);
}

bool payload_parts_split(struct payload_parts *parts, const uint8_t *data, size_t size)
{
    struct gv_cursor c = { .data = data, .size = size };
    *parts = (struct payload_parts){ .keeps_groups = parts->keeps_groups };
    if (size < 192)
        return false;
    memcpy(parts->header, gv_cursor_take(&c, 64), 64);
    memcpy(parts->trailer, data + size - 64, 64);
    struct gv_cursor end = { .data = parts->trailer, .size = 64 };
    uint64_t directory = gv_cursor_u64(&end);
    while (c.pos < directory && c.pos < size - 64)
        if (!add_segment(parts, &c) || !gv_cursor_take(&c, (64 - c.pos % 64) % 64))
            return false;
    return parts->count > 0;
}

static void put_hash(uint8_t *at, const void *data, size_t size)
{
    struct gv_hash hash = gv_hash_bytes(data, size);
    memcpy(at, hash.bytes, sizeof hash.bytes);
}

// Ids of the groups, from their bytes, as far as rows and bytes agree.
static void seal_groups(struct payload_part *table, const struct payload_part *bytes)
{
    struct gv_cursor c = { .data = table->content.data, .size = table->content.size };
    struct gv_cursor raw = { .data = bytes->content.data, .size = bytes->content.size };
    while (c.pos < c.size && !c.bad) {
        gv_cursor_u8(&c);
        uint64_t size = gv_cursor_uleb(&c);
        size_t hash = c.pos;
        gv_cursor_take(&c, 16);
        uint64_t count = gv_cursor_uleb(&c);
        for (uint64_t i = 0; i < count && !c.bad; i++)
            gv_cursor_uleb(&c);
        const uint8_t *group = gv_cursor_take(&raw, size);
        if (!c.bad && group)
            put_hash(table->content.data + hash, group, size);
        while (raw.pos % 16 && !raw.bad)
            gv_cursor_u8(&raw);
    }
}

// A segment's header and content; its directory row is the header with the offset in
// it.
static void put_segment(struct gv_bytes *out, size_t begin, uint16_t kind,
                        uint16_t flags, const struct gv_bytes *content,
                        struct gv_bytes *directory)
{
    uint8_t hash[16] = { 0 };
    uint64_t offset = out->size - begin;
    size_t header = out->size;
    if (kind != GV_SEGMENT_RESOURCE_BYTES)
        put_hash(hash, content->data, content->size);
    gv_bytes_u16(out, kind);
    gv_bytes_u16(out, flags);
    gv_bytes_u32(out, 0);
    gv_bytes_u64(out, content->size);
    gv_bytes_put(out, hash, sizeof hash);
    if (directory && !out->failed) {
        gv_bytes_put(directory, out->data + header, 8);
        gv_bytes_u64(directory, offset);
        gv_bytes_put(directory, out->data + header + 8, 24);
    }
    gv_bytes_put(out, content->data, content->size);
}

static void pad(struct gv_bytes *out, size_t begin)
{
    static const uint8_t zeros[64];
    gv_bytes_put(out, zeros, (64 - (out->size - begin) % 64) % 64);
}

static void put_trailer(struct payload_parts *parts, struct gv_bytes *out, size_t begin,
                        uint64_t directory)
{
    uint64_t size = out->size - begin + 64;
    for (size_t i = 0; i < 8; i++) {
        parts->trailer[i] = (uint8_t)(directory >> (8 * i));
        parts->trailer[8 + i] = (uint8_t)(size >> (8 * i));
        if (i < 4)
            parts->trailer[20 + i] = (uint8_t)(parts->count >> (8 * i));
    }
    put_hash(parts->trailer + 40, parts->trailer, 40);
    gv_bytes_put(out, parts->trailer, 64);
}

void payload_parts_join(struct payload_parts *parts, struct gv_bytes *out)
{
    struct gv_bytes directory = { 0 };
    size_t begin = out->size;
    put_hash(parts->header + 48, parts->header, 48);
    gv_bytes_put(out, parts->header, 64);
    for (size_t i = 0; i < parts->count; i++) {
        struct payload_part *part = &parts->items[i];
        bool bytes_next =
            i + 1 < parts->count && part[1].kind == GV_SEGMENT_RESOURCE_BYTES;
        if (part->kind == GV_SEGMENT_RESOURCES && bytes_next && !parts->keeps_groups)
            seal_groups(part, part + 1);
        put_segment(out, begin, part->kind, part->flags, &part->content, &directory);
        pad(out, begin);
    }
    uint64_t at = out->size - begin;
    put_segment(out, begin, GV_SEGMENT_DIRECTORY, 0, &directory, NULL);
    pad(out, begin);
    put_trailer(parts, out, begin, at);
    gv_bytes_finish(&directory);
}

void payload_parts_finish(struct payload_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        gv_bytes_finish(&parts->items[i].content);
    parts->count = 0;
}
