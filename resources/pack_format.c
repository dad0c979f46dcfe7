#include "resources/pack_format.h"

#include "resources/base/checked.h"
#include "resources/base/cursor.h"
#include "resources/object.h"

#include <stdlib.h>
#include <string.h>

#define ROW_BYTES 40u           // of an index
#define DEPENDENT_ROW_BYTES 44u // from version 2 on
#define CHECK_BYTES 8 // of the hash that guards a record's header or a trailer

static void put_check(struct gv_bytes *out, size_t from)
{
    if (out->failed)
        return;
    struct gv_hash hash = gv_hash_bytes(out->data + from, out->size - from);
    gv_bytes_put(out, hash.bytes, CHECK_BYTES);
}

static bool check_holds(const uint8_t *bytes, size_t size)
{
    struct gv_hash hash = gv_hash_bytes(bytes, size);
    return memcmp(bytes + size, hash.bytes, CHECK_BYTES) == 0;
}

static struct gv_hash take_hash(struct gv_cursor *c)
{
    struct gv_hash hash = { 0 };
    const uint8_t *bytes = gv_cursor_take(c, sizeof hash.bytes);
    if (bytes)
        memcpy(hash.bytes, bytes, sizeof hash.bytes);
    return hash;
}

int gv_hash_compare(const struct gv_hash *a, const struct gv_hash *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

uint64_t gv_record_stride(uint64_t size)
{
    uint64_t stride;
    return gv_align_u64(size, GV_PACKFILE_ALIGNMENT, &stride) &&
                   gv_add_u64(stride, GV_PACKFILE_RECORD_BYTES, &stride)
               ? stride
               : 0;
}

static uint64_t row_bytes(unsigned version)
{
    return version == GV_PACKFILE_PLAIN ? ROW_BYTES : DEPENDENT_ROW_BYTES;
}

uint64_t gv_pack_rows_size(const struct gv_pack_trailer *trailer)
{
    return trailer->rows * row_bytes(trailer->version);
}

// Of an index's record behind its header: rows, padding and trailer.
static uint64_t index_size(const struct gv_pack_trailer *trailer)
{
    uint64_t rows = gv_pack_rows_size(trailer) + GV_PACKFILE_ALIGNMENT - 1;
    return (rows & ~(uint64_t)(GV_PACKFILE_ALIGNMENT - 1)) + GV_PACKFILE_TRAILER_BYTES;
}

uint64_t gv_pack_lead(const struct gv_pack_row *row)
{
    return row->dictionary ? GV_PACKFILE_NAME_BYTES : 0;
}

uint64_t gv_pack_frame_at(const struct gv_pack_row *row)
{
    return row->offset + GV_PACKFILE_RECORD_BYTES + gv_pack_lead(row);
}

void gv_pack_put_header(struct gv_bytes *out, unsigned version)
{
    size_t from = out->size;
    gv_bytes_put(out, GV_PACKFILE_MAGIC, 8);
    gv_bytes_u16(out, (uint16_t)version);
    gv_bytes_u16(out, 0);
    gv_bytes_u32(out, 0);
    for (int i = 0; i < 4; i++)
        gv_bytes_u64(out, 0);
    if (out->failed)
        return;
    struct gv_hash hash = gv_hash_bytes(out->data + from, out->size - from);
    gv_bytes_put(out, hash.bytes, sizeof hash.bytes);
}

bool gv_pack_check_header(const uint8_t header[GV_PACKFILE_HEADER_BYTES],
                          unsigned *version, struct gv_error *err)
{
    const size_t guarded = GV_PACKFILE_HEADER_BYTES - sizeof(struct gv_hash);
    struct gv_hash hash = gv_hash_bytes(header, guarded);
    if (memcmp(header, GV_PACKFILE_MAGIC, 8) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0, "not a pack file");
    if (memcmp(hash.bytes, header + guarded, sizeof hash.bytes) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0, "the pack's header is damaged");
    *version = gv_load_u16(header + 8);
    if (*version != GV_PACKFILE_MAJOR && *version != GV_PACKFILE_PLAIN)
        return gv_fail(err, GV_ERR_UNSUPPORTED, 8, "unsupported: pack version %u",
                       *version);
    for (size_t i = 12; i < guarded; i++)
        if (header[i])
            return gv_fail(err, GV_ERR_UNSUPPORTED, i, "unsupported: pack flags");
    return true;
}

void gv_pack_put_record(struct gv_bytes *out, const struct gv_record *record)
{
    size_t from = out->size;
    gv_bytes_u32(out, record->kind);
    gv_bytes_u32(out, 0);
    gv_bytes_u64(out, record->size);
    gv_bytes_u64(out, record->raw_size);
    gv_bytes_put(out, record->hash.bytes, sizeof record->hash.bytes);
    put_check(out, from);
    if (record->kind == GV_RECORD_DEPENDENT)
        gv_bytes_put(out, record->dictionary.bytes, sizeof record->dictionary.bytes);
}

bool gv_pack_read_record(const uint8_t bytes[GV_PACKFILE_RECORD_BYTES],
                         struct gv_record *record)
{
    struct gv_cursor c = gv_cursor_make(bytes, GV_PACKFILE_RECORD_BYTES);
    record->kind = gv_cursor_u32(&c);
    uint32_t flags = gv_cursor_u32(&c);
    record->size = gv_cursor_u64(&c);
    record->raw_size = gv_cursor_u64(&c);
    record->hash = take_hash(&c);
    bool known =
        record->kind == GV_RECORD_OBJECT || record->kind == GV_RECORD_INDEX ||
        (record->kind == GV_RECORD_DEPENDENT && record->size >= GV_PACKFILE_NAME_BYTES);
    return known && flags == 0 &&
           check_holds(bytes, GV_PACKFILE_RECORD_BYTES - CHECK_BYTES);
}

static void put_trailer(struct gv_bytes *out, const struct gv_pack_trailer *trailer)
{
    size_t from = out->size;
    gv_bytes_u64(out, trailer->index);
    gv_bytes_u64(out, trailer->file_size);
    gv_bytes_u64(out, trailer->rows);
    gv_bytes_put(out, trailer->hash.bytes, sizeof trailer->hash.bytes);
    gv_bytes_u64(out, trailer->version == GV_PACKFILE_PLAIN ? 0 : trailer->version);
    put_check(out, from);
    gv_bytes_put(out, GV_PACKFILE_END_MAGIC, 8);
}

// ---- dictionaries ----

uint32_t gv_pack_dictionary_place(struct gv_pack_index *index, const struct gv_hash *id)
{
    size_t place = 0;
    while (place < index->dictionary_count &&
           !gv_hash_equal(&index->dictionaries[place], id))
        place++;
    if (place == GV_DICTIONARY_MOST)
        return GV_PACK_BEYOND;
    if (place == index->dictionary_count)
        index->dictionaries[index->dictionary_count++] = *id;
    return (uint32_t)place + 1;
}

const char *gv_pack_dictionary_fault(const struct gv_pack_row *row,
                                     const struct gv_pack_row *other)
{
    if (row->dictionary == GV_PACK_BEYOND)
        return "too many dictionaries";
    if (!other)
        return "its dictionary is not there";
    if (other->dictionary)
        return "its dictionary needs one itself";
    if (other->raw_size > GV_DICTIONARY_OBJECT)
        return "its dictionary is too large";
    if (!other->stored || other->stored > gv_object_most_stored(other->raw_size))
        return "its dictionary has another size";
    return other->offset >= row->offset ? "its dictionary is behind it" : NULL;
}

static int compare_id(const void *id, const void *row)
{
    return gv_hash_compare(id, &((const struct gv_pack_row *)row)->hash);
}

const struct gv_pack_row *gv_pack_find(const struct gv_pack_row *rows, size_t count,
                                       const struct gv_hash *id)
{
    return count ? bsearch(id, rows, count, sizeof *rows, compare_id) : NULL;
}

// ---- an index ----

static void put_row(struct gv_bytes *out, const struct gv_pack_index *index,
                    const struct gv_pack_row *row)
{
    const struct gv_pack_row *other =
        row->dictionary ? gv_pack_find(index->rows, index->count,
                                       &index->dictionaries[row->dictionary - 1])
                        : NULL;
    gv_bytes_put(out, row->hash.bytes, sizeof row->hash.bytes);
    gv_bytes_u64(out, row->offset);
    gv_bytes_u64(out, row->stored);
    gv_bytes_u64(out, row->raw_size);
    if (index->version != GV_PACKFILE_PLAIN)
        gv_bytes_u32(out, other ? (uint32_t)(other - index->rows) + 1 : 0);
}

void gv_pack_put_index(struct gv_bytes *out, const struct gv_pack_index *index,
                       uint64_t offset)
{
    struct gv_bytes content = { 0 };
    for (size_t i = 0; i < index->count; i++)
        put_row(&content, index, &index->rows[i]);
    struct gv_pack_trailer trailer = {
        .version = index->version,
        .index = offset,
        .rows = index->count,
        .hash = gv_hash_bytes(content.data, content.size),
    };
    const struct gv_record record = {
        .kind = GV_RECORD_INDEX,
        .size = index_size(&trailer),
        .raw_size = index->count,
        .hash = trailer.hash,
    };
    trailer.file_size = offset + GV_PACKFILE_RECORD_BYTES + record.size;
    gv_bytes_zero_to(&content, GV_PACKFILE_ALIGNMENT);
    gv_pack_put_record(out, &record);
    gv_bytes_put(out, content.data, content.size);
    put_trailer(out, &trailer);
    out->failed = out->failed || content.failed;
    gv_bytes_finish(&content);
}

bool gv_pack_read_trailer(const uint8_t bytes[GV_PACKFILE_TRAILER_BYTES],
                          struct gv_pack_trailer *trailer)
{
    const size_t guarded = GV_PACKFILE_TRAILER_BYTES - 8 - CHECK_BYTES;
    struct gv_cursor c = gv_cursor_make(bytes, guarded);
    trailer->index = gv_cursor_u64(&c);
    trailer->file_size = gv_cursor_u64(&c);
    trailer->rows = gv_cursor_u64(&c);
    trailer->hash = take_hash(&c);
    uint64_t version = gv_cursor_u64(&c);
    if (memcmp(bytes + GV_PACKFILE_TRAILER_BYTES - 8, GV_PACKFILE_END_MAGIC, 8) != 0 ||
        (version && version != GV_PACKFILE_MAJOR) || !check_holds(bytes, guarded))
        return false;
    trailer->version = version ? (unsigned)version : GV_PACKFILE_PLAIN;
    // The index and what is before it fill the file: all sums below are bounded by it.
    return trailer->index >= GV_PACKFILE_HEADER_BYTES &&
           trailer->index % GV_PACKFILE_ALIGNMENT == 0 &&
           trailer->index <= trailer->file_size &&
           trailer->rows <= trailer->file_size / row_bytes(trailer->version) &&
           trailer->file_size - trailer->index ==
               GV_PACKFILE_RECORD_BYTES + index_size(trailer);
}

// Whether the row's record ends where the index begins, or before.
static bool row_fits(const struct gv_pack_row *row, uint64_t index)
{
    uint64_t size, stride = 0;
    if (gv_add_u64(row->stored, gv_pack_lead(row), &size))
        stride = gv_record_stride(size);
    return stride && row->offset >= GV_PACKFILE_HEADER_BYTES &&
           row->offset % GV_PACKFILE_ALIGNMENT == 0 &&
           gv_range_inside(row->offset, stride, index);
}

// Rows name others by number, which becomes a place among those that are named. Where
// the first fault is; the count of rows if there is none.
static size_t resolve(struct gv_pack_index *index, const char **fault)
{
    struct gv_pack_row *const rows = index->rows;
    for (size_t i = 0; i < index->count; i++) {
        struct gv_pack_row *row = &rows[i];
        const uint32_t number = row->dictionary;
        if (!number)
            continue;
        const struct gv_pack_row *other =
            number <= index->count ? &rows[number - 1] : NULL;
        if (other)
            row->dictionary = gv_pack_dictionary_place(index, &other->hash);
        *fault = gv_pack_dictionary_fault(row, other);
        if (*fault)
            return i;
    }
    return index->count;
}

bool gv_pack_read_rows(const uint8_t *bytes, const struct gv_pack_trailer *trailer,
                       struct gv_pack_index *index, struct gv_error *err)
{
    const size_t size = (size_t)gv_pack_rows_size(trailer);
    const uint64_t step = row_bytes(trailer->version);
    const uint64_t at = trailer->index + GV_PACKFILE_RECORD_BYTES;
    struct gv_hash hash = gv_hash_bytes(bytes, size);
    struct gv_cursor c = gv_cursor_make(bytes, size);
    const char *fault = NULL;
    if (!gv_hash_equal(&hash, &trailer->hash))
        return gv_fail(err, GV_ERR_FORMAT, at, "the pack's index is damaged");
    for (size_t i = 0; i < trailer->rows; i++) {
        struct gv_pack_row *row = &index->rows[i];
        *row = (struct gv_pack_row){ .hash = take_hash(&c) };
        row->offset = gv_cursor_u64(&c);
        row->stored = gv_cursor_u64(&c);
        row->raw_size = gv_cursor_u64(&c);
        if (trailer->version != GV_PACKFILE_PLAIN)
            row->dictionary = gv_cursor_u32(&c);
        if (!row_fits(row, trailer->index))
            return gv_fail(err, GV_ERR_FORMAT, at + i * step,
                           "an object leaves the pack");
        if (i && gv_hash_compare(&index->rows[i - 1].hash, &row->hash) >= 0)
            return gv_fail(err, GV_ERR_FORMAT, at + i * step,
                           "the pack's index does not ascend");
    }
    index->version = trailer->version;
    index->count = (size_t)trailer->rows;
    index->dictionary_count = 0;
    size_t wrong = resolve(index, &fault);
    return !fault || gv_fail(err, GV_ERR_FORMAT, at + wrong * step,
                             "the pack's index: %s", fault);
}
