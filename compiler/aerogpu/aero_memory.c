// Guest memory as the running submission shows it.
#include "compiler/aerogpu/aero.h"

#include <stdlib.h>

#include "resources/base/checked.h"

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const struct gv_aero_memory *)a)->alloc_id;
    uint32_t y = ((const struct gv_aero_memory *)b)->alloc_id;
    return (x > y) - (x < y);
}

const struct gv_aero_memory *gv_aero_memory_find(const struct gv_aero *a,
                                                 uint32_t alloc_id)
{
    const struct gv_aero_memory key = { .alloc_id = alloc_id };
    return a->guest.memory_count ? bsearch(&key, a->guest.memory, a->guest.memory_count,
                                           sizeof key, by_id)
                                 : NULL;
}

// Where a byte of guest memory stands in the builder's space 0. Allocations without an
// address get one of their own, far above real guest addresses.
static uint64_t address_of(const struct gv_aero_memory *m, uint64_t offset)
{
    return (m->gpa ? m->gpa : (uint64_t)m->alloc_id << 40 | 1ull << 39) + offset;
}

const uint8_t *gv_aero_memory_read(struct gv_aero *a,
                                   const struct gv_aero_backing *backing,
                                   uint64_t offset, uint64_t size,
                                   struct gv_contents *observed, struct gv_error *err)
{
    const struct gv_aero_memory *m = gv_aero_memory_find(a, backing->alloc_id);
    uint64_t at = backing->offset + offset; // a resource is at most 1 GiB
    uint64_t end = at + size;
    if (!m) {
        gv_aero_fail(a, GV_ERR_FORMAT, err,
                     "allocation %u is not among the submission's memory",
                     backing->alloc_id);
        return NULL;
    }
    if (!gv_range_inside(at, size, m->size)) {
        gv_aero_fail(a, GV_ERR_FORMAT, err,
                     "bytes %llu to %llu pass allocation %u of %llu bytes",
                     (unsigned long long)at, (unsigned long long)end, backing->alloc_id,
                     (unsigned long long)m->size);
        return NULL;
    }
    if (observed)
        *observed = gv_builder_observe(a->b, 0, address_of(m, at), m->data + at, size);
    return m->data + at;
}

// One range of a submission: its blob must hold exactly its bytes.
static bool load_range(struct gv_aero *a, const struct gv_trace_range *r,
                       uint64_t offset, struct gv_aero_memory *out,
                       struct gv_error *err)
{
    const struct gv_aero_blob *blob =
        gv_aero_blob_get(&a->blobs, r->blob, GV_BLOB_MEMORY, offset, err);
    if (!blob)
        return false;
    if (blob->size != r->size)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "memory range of %llu bytes, but blob %llu has %u",
                       (unsigned long long)r->size, (unsigned long long)r->blob,
                       blob->size);
    if (r->gpa > UINT64_MAX - r->size)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "AddressOverflow: memory range passes the address space");
    const struct gv_alloc_entry *e =
        gv_alloc_table_find(&a->guest.alloc_table, r->alloc_id);
    *out = (struct gv_aero_memory){ .alloc_id = r->alloc_id,
                                    .read_only = e && (e->flags & GV_ALLOC_READONLY),
                                    .gpa = r->gpa,
                                    .size = r->size,
                                    .data = blob->data };
    return true;
}

bool gv_aero_memory_load(struct gv_aero *a, const struct gv_trace_submission *s,
                         struct gv_error *err)
{
    a->guest.memory_count = 0;
    gv_aero_writeback_clear(a);
    if (s->range_count > a->guest.memory_capacity) {
        a->guest.memory =
            gv_arena_array(a->arena, s->range_count, sizeof *a->guest.memory);
        if (!a->guest.memory)
            return gv_out_of_memory(err);
        a->guest.memory_capacity = s->range_count;
    }
    for (uint32_t i = 0; i < s->range_count; i++) {
        const struct gv_trace_range r = gv_trace_submission_range(s, i);
        uint64_t offset = s->ranges_offset + (uint64_t)i * GV_TRACE_RANGE_SIZE;
        if (!load_range(a, &r, offset, &a->guest.memory[i], err))
            return false;
    }
    if (s->range_count)
        qsort(a->guest.memory, s->range_count, sizeof *a->guest.memory, by_id);
    for (uint32_t i = 1; i < s->range_count; i++)
        if (a->guest.memory[i].alloc_id == a->guest.memory[i - 1].alloc_id)
            return gv_fail(err, GV_ERR_FORMAT, s->offset,
                           "DuplicateAllocId: allocation %u has two memory ranges",
                           a->guest.memory[i].alloc_id);
    a->guest.memory_count = s->range_count;
    return true;
}
