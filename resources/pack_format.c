#include "resources/pack_format.h"

#include "resources/base/checked.h"
#include "resources/base/cursor.h"

#include <string.h>

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

static uint64_t rows_size(uint64_t rows)
{
    return (rows * GV_PACKFILE_ROW_BYTES + GV_PACKFILE_ALIGNMENT - 1) &
           ~(uint64_t)(GV_PACKFILE_ALIGNMENT - 1);
}

uint64_t gv_index_size(uint64_t rows)
{
    return rows_size(rows) + GV_PACKFILE_TRAILER_BYTES;
}

void gv_pack_put_header(struct gv_bytes *out)
{
    size_t from = out->size;
    gv_bytes_put(out, GV_PACKFILE_MAGIC, 8);
    gv_bytes_u16(out, GV_PACKFILE_MAJOR);
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
                          struct gv_error *err)
{
    const size_t guarded = GV_PACKFILE_HEADER_BYTES - sizeof(struct gv_hash);
    struct gv_hash hash = gv_hash_bytes(header, guarded);
    if (memcmp(header, GV_PACKFILE_MAGIC, 8) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0, "not a pack file");
    if (memcmp(hash.bytes, header + guarded, sizeof hash.bytes) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0, "the pack's header is damaged");
    uint16_t major = gv_load_u16(header + 8);
    if (major != GV_PACKFILE_MAJOR)
        return gv_fail(err, GV_ERR_UNSUPPORTED, 8, "unsupported: pack version %u",
                       major);
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
    bool known = record->kind == GV_RECORD_OBJECT || record->kind == GV_RECORD_INDEX;
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
    gv_bytes_u64(out, 0);
    put_check(out, from);
    gv_bytes_put(out, GV_PACKFILE_END_MAGIC, 8);
}

void gv_pack_put_index(struct gv_bytes *out, const struct gv_pack_row *rows,
                       size_t count, uint64_t offset)
{
    struct gv_bytes content = { 0 };
    for (size_t i = 0; i < count; i++) {
        gv_bytes_put(&content, rows[i].hash.bytes, sizeof rows[i].hash.bytes);
        gv_bytes_u64(&content, rows[i].offset);
        gv_bytes_u64(&content, rows[i].stored);
        gv_bytes_u64(&content, rows[i].raw_size);
    }
    const struct gv_record record = {
        .kind = GV_RECORD_INDEX,
        .size = gv_index_size(count),
        .raw_size = count,
        .hash = gv_hash_bytes(content.data, content.size),
    };
    const struct gv_pack_trailer trailer = {
        .index = offset,
        .file_size = offset + GV_PACKFILE_RECORD_BYTES + record.size,
        .rows = count,
        .hash = record.hash,
    };
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
    if (memcmp(bytes + GV_PACKFILE_TRAILER_BYTES - 8, GV_PACKFILE_END_MAGIC, 8) != 0 ||
        gv_cursor_u64(&c) != 0 || !check_holds(bytes, guarded))
        return false;
    // The index and what is before it fill the file: all sums below are bounded by it.
    uint64_t fixed = GV_PACKFILE_RECORD_BYTES + GV_PACKFILE_TRAILER_BYTES;
    return trailer->index >= GV_PACKFILE_HEADER_BYTES &&
           trailer->index % GV_PACKFILE_ALIGNMENT == 0 &&
           trailer->index <= trailer->file_size &&
           trailer->rows <= trailer->file_size / GV_PACKFILE_ROW_BYTES &&
           trailer->file_size - trailer->index == fixed + rows_size(trailer->rows);
}

// Whether the row's record ends where the index begins, or before.
static bool row_fits(const struct gv_pack_row *row, uint64_t index)
{
    uint64_t stride = gv_record_stride(row->stored);
    return stride && row->offset >= GV_PACKFILE_HEADER_BYTES &&
           row->offset % GV_PACKFILE_ALIGNMENT == 0 &&
           gv_range_inside(row->offset, stride, index);
}

bool gv_pack_read_rows(const uint8_t *bytes, const struct gv_pack_trailer *trailer,
                       struct gv_pack_row *rows, struct gv_error *err)
{
    const size_t size = (size_t)trailer->rows * GV_PACKFILE_ROW_BYTES;
    const uint64_t at = trailer->index + GV_PACKFILE_RECORD_BYTES;
    struct gv_hash hash = gv_hash_bytes(bytes, size);
    struct gv_cursor c = gv_cursor_make(bytes, size);
    if (!gv_hash_equal(&hash, &trailer->hash))
        return gv_fail(err, GV_ERR_FORMAT, at, "the pack's index is damaged");
    for (size_t i = 0; i < trailer->rows; i++) {
        struct gv_pack_row *row = &rows[i];
        *row = (struct gv_pack_row){ .hash = take_hash(&c) };
        row->offset = gv_cursor_u64(&c);
        row->stored = gv_cursor_u64(&c);
        row->raw_size = gv_cursor_u64(&c);
        if (!row_fits(row, trailer->index))
            return gv_fail(err, GV_ERR_FORMAT, at + i * GV_PACKFILE_ROW_BYTES,
                           "an object leaves the pack");
        if (i && gv_hash_compare(&rows[i - 1].hash, &row->hash) >= 0)
            return gv_fail(err, GV_ERR_FORMAT, at + i * GV_PACKFILE_ROW_BYTES,
                           "the pack's index does not ascend");
    }
    return true;
}
