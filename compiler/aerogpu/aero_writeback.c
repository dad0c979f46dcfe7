// WRITEBACK_DST: copies that also change guest memory. In a replay that matters only to
// what the same submission reads from there again, so the copied bytes are kept on the
// GPU until it ends and laid over what is read.
#include "compiler/aerogpu/aero.h"

#include <string.h>

#include "resources/base/checked.h"

static bool check(struct gv_aero *a, const struct gv_aero_backing *backing,
                  uint64_t offset, uint64_t size, struct gv_error *err)
{
    if (!backing->alloc_id)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "WRITEBACK_DST into a resource without backing");
    const struct gv_aero_memory *m = gv_aero_memory_find(a, backing->alloc_id);
    if (!m || !gv_range_inside(backing->offset + offset, size, m->size))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "WRITEBACK_DST leaves allocation %u",
                            backing->alloc_id);
    if (m->read_only)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "WRITEBACK_DST into read-only allocation %u",
                            backing->alloc_id);
    return true;
}

struct gv_aero_writeback *gv_aero_writeback_add(struct gv_aero *a,
                                                const struct gv_aero_backing *backing,
                                                uint64_t offset, uint64_t size,
                                                struct gv_error *err)
{
    if (!check(a, backing, offset, size, err))
        return NULL;
    if (a->guest.writeback_count == GV_AERO_MAX_WRITEBACKS) {
        gv_aero_fail(a, GV_ERR_LIMIT, err, "more than %u in a submission",
                     GV_AERO_MAX_WRITEBACKS);
        return NULL;
    }
    if (!a->guest.writebacks)
        a->guest.writebacks = gv_arena_array(a->arena, GV_AERO_MAX_WRITEBACKS,
                                             sizeof *a->guest.writebacks);
    if (!a->guest.writebacks) {
        gv_out_of_memory(err);
        return NULL;
    }
    struct gv_aero_writeback *w = &a->guest.writebacks[a->guest.writeback_count++];
    *w = (struct gv_aero_writeback){
        .alloc_id = backing->alloc_id,
        .begin = backing->offset + offset,
        .end = backing->offset + offset + size,
        .copy = gv_emit(gv_lower_transfer(&a->pass), buffer_create,
                        .size = (size + 3) & ~3ull, .usage = GV_BUFFER_USAGE_STORAGE),
    };
    return w;
}

void gv_aero_writeback_clear(struct gv_aero *a)
{
    for (uint32_t i = 0; i < a->guest.writeback_count; i++)
        gv_emit(a->b, buffer_destroy, .buffer = a->guest.writebacks[i].copy);
    a->guest.writeback_count = 0;
}

static bool overlaps(const struct gv_aero_writeback *w, uint32_t alloc_id,
                     uint64_t begin, uint64_t end)
{
    return w->alloc_id == alloc_id && begin < w->end && end > w->begin;
}

bool gv_aero_written_back(const struct gv_aero *a,
                          const struct gv_aero_backing *backing, uint64_t offset,
                          uint64_t size)
{
    uint64_t begin = backing->offset + offset;
    for (uint32_t i = 0; i < a->guest.writeback_count; i++)
        if (overlaps(&a->guest.writebacks[i], backing->alloc_id, begin, begin + size))
            return true;
    return false;
}

void gv_aero_writeback_apply(struct gv_aero *a, const struct gv_aero_backing *backing,
                             uint64_t offset, uint64_t size, struct gv_buffer target,
                             uint64_t target_offset)
{
    uint64_t begin = backing->offset + offset, end = begin + size;
    gv_lower_transfer(&a->pass);
    for (uint32_t i = 0; i < a->guest.writeback_count;
         i++) { // in order: the last one stays
        const struct gv_aero_writeback *w = &a->guest.writebacks[i];
        if (!overlaps(w, backing->alloc_id, begin, end))
            continue;
        uint64_t from = w->begin > begin ? w->begin : begin;
        uint64_t to = w->end < end ? w->end : end;
        gv_emit(a->b, buffer_copy, .dst = target,
                .dst_offset = target_offset + (from - begin), .src = w->copy,
                .src_offset = from - w->begin, .size = to - from);
    }
}
