#include "compiler/aerogpu/trace/alloc_table.h"

#include <stdlib.h>

#define ALOC_MAGIC 0x434F4C41u // "ALOC"
#define TABLE_HEADER 24u
#define ENTRY_SIZE 32u

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const struct gv_alloc_entry *)a)->alloc_id;
    uint32_t y = ((const struct gv_alloc_entry *)b)->alloc_id;
    return (x > y) - (x < y);
}

static bool check_header(const struct gv_cursor *bytes, uint64_t offset,
                         uint32_t *count, uint32_t *stride, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(bytes->data, bytes->size);
    uint32_t magic = gv_cursor_u32(&c), abi = gv_cursor_u32(&c);
    uint32_t size = gv_cursor_u32(&c);
    *count = gv_cursor_u32(&c);
    *stride = gv_cursor_u32(&c);
    gv_cursor_u32(&c);
    if (c.bad)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "BufferTooSmall: allocation table has no whole header");
    if (magic != ALOC_MAGIC)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "BadMagic: allocation table magic is not ALOC");
    if (abi >> 16 != 1)
        return gv_fail(err, GV_ERR_FORMAT, offset + 4,
                       "BadAbiVersion: allocation table of major version %u",
                       abi >> 16);
    if (size < TABLE_HEADER || size > bytes->size)
        return gv_fail(err, GV_ERR_FORMAT, offset + 8,
                       "BadSize: allocation table says %u bytes", size);
    if (size > GV_MAX_ALLOC_TABLE_BYTES)
        return gv_fail(err, GV_ERR_LIMIT, offset + 8,
                       "TooLarge: allocation table of %u bytes", size);
    if (*stride < ENTRY_SIZE)
        return gv_fail(err, GV_ERR_FORMAT, offset + 16,
                       "BadStride: entries of %u bytes", *stride);
    if ((uint64_t)*count * *stride > size - TABLE_HEADER)
        return gv_fail(err, GV_ERR_FORMAT, offset + 12,
                       "CountOutOfBounds: %u entries pass the table", *count);
    return true;
}

static bool check_entry(const struct gv_alloc_entry *e, uint64_t offset,
                        struct gv_error *err)
{
    if (!e->alloc_id || !e->size)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "InvalidEntry: allocation %u of %llu bytes", e->alloc_id,
                       (unsigned long long)e->size);
    if (e->gpa > UINT64_MAX - e->size)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "AddressOverflow: allocation %u passes the address space",
                       e->alloc_id);
    return true;
}

bool gv_alloc_table_decode(struct gv_cursor bytes, uint64_t offset,
                           struct gv_arena *arena, struct gv_alloc_table *out,
                           struct gv_error *err)
{
    uint32_t count, stride;
    *out = (struct gv_alloc_table){ 0 };
    if (!check_header(&bytes, offset, &count, &stride, err))
        return false;
    out->entries = gv_arena_array(arena, count, sizeof *out->entries);
    if (!out->entries)
        return gv_out_of_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = TABLE_HEADER + (uint64_t)i * stride;
        const uint8_t *p = bytes.data + at;
        out->entries[i] = (struct gv_alloc_entry){ .alloc_id = gv_load_u32(p),
                                                   .flags = gv_load_u32(p + 4),
                                                   .gpa = gv_load_u64(p + 8),
                                                   .size = gv_load_u64(p + 16) };
        if (!check_entry(&out->entries[i], offset + at, err))
            return false;
    }
    out->count = count;
    if (count)
        qsort(out->entries, count, sizeof *out->entries, by_id);
    for (uint32_t i = 1; i < count; i++)
        if (out->entries[i].alloc_id == out->entries[i - 1].alloc_id)
            return gv_fail(err, GV_ERR_FORMAT, offset,
                           "DuplicateAllocId: allocation %u appears twice",
                           out->entries[i].alloc_id);
    return true;
}

const struct gv_alloc_entry *gv_alloc_table_find(const struct gv_alloc_table *table,
                                                 uint32_t alloc_id)
{
    const struct gv_alloc_entry key = { .alloc_id = alloc_id };
    return table->count ? bsearch(&key, table->entries, table->count, sizeof key, by_id)
                        : NULL;
}
