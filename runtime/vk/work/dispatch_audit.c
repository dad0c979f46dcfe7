#include "runtime/vk/work/dispatch_audit.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer_content.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/transfer/readback.h"
#include "runtime/vk/work/draw_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- what may be written ----

// The place after the last one, in the order of sets, rows and elements.
static const struct gv_vk_row *next_place(const struct gv_vk_layout *layout,
                                          struct gv_vk_writable *w)
{
    for (; w->set < layout->set_count; w->set++) {
        const struct gv_vk_set_layout *set = layout->sets[w->set];
        for (; w->row < set->row_count; w->row++) {
            if (w->next_element < set->rows[w->row].count) {
                w->element = w->next_element++;
                return &set->rows[w->row];
            }
            w->next_element = 0;
        }
        w->row_start += set->row_count;
        w->row = 0;
    }
    return NULL;
}

bool gv_vk_next_writable(struct gv_vk_draw_state *state, struct gv_vk_writable *w)
{
    const struct gv_vk_pipeline *pipeline = state->compute.pipeline;
    const struct gv_vk_row *row;
    while (pipeline->writes_storage && (row = next_place(pipeline->layout, w))) {
        const struct gv_vk_need *need = &pipeline->needs[w->row_start + w->row];
        if (!need->used || !need->writable)
            continue;
        w->binding = row->binding;
        w->bound = gv_vk_bound_at(state, w->set, row->binding, w->element, false);
        if (w->bound && (w->bound->buffer || w->bound->image))
            return true;
    }
    return false;
}

// ---- before ----

// A buffer, from the first to the last byte that a binding reaches.
struct gv_vk_audited {
    struct gv_vk_buffer *buffer;
    uint64_t begin, end;
    struct gv_vk_readback before, after;
    // On noise: what each byte is said to be, and what came out.
    uint8_t *says; // owned; READS and WRITES
    struct gv_vk_readback noisy[2];
    struct gv_vk_index_bounds indices; // of the buffer, as they were
};

enum { READS = 1, WRITES = 2 };

static bool add_buffer(struct gv_vk_dispatch_audit *audit,
                       const struct gv_vk_bound *bound, struct gv_error *err)
{
    uint64_t end = bound->offset + bound->size;
    for (size_t i = 0; i < audit->count; i++) {
        struct gv_vk_audited *a = &audit->items[i];
        if (a->buffer != bound->buffer)
            continue;
        a->begin = bound->offset < a->begin ? bound->offset : a->begin;
        a->end = end > a->end ? end : a->end;
        return true;
    }
    struct gv_vk_audited *items =
        realloc(audit->items, (audit->count + 1) * sizeof *items);
    if (!items)
        return gv_out_of_memory(err);
    audit->items = items;
    items[audit->count++] = (struct gv_vk_audited){ .buffer = bound->buffer,
                                                    .begin = bound->offset,
                                                    .end = end };
    return true;
}

static bool written_whole(const struct gv_vk_dispatch_audit *audit,
                          const struct gv_vk_buffer *buffer)
{
    for (size_t i = 0; i < audit->range_count; i++) {
        const struct gv_vk_range *r = &audit->ranges[i];
        if (r->buffer == buffer && r->write && !r->row_bytes)
            return true;
    }
    return false;
}

static bool consider(struct gv_vk_dispatch_audit *audit,
                     const struct gv_vk_bound *bound, struct gv_error *err)
{
    return !bound->buffer || !bound->size || written_whole(audit, bound->buffer) ||
           add_buffer(audit, bound, err);
}

static bool read_back(struct gv_runtime *rt, const struct gv_vk_audited *a,
                      struct gv_vk_readback *out, struct gv_error *err)
{
    return gv_vk_readback_buffer(
        rt, out, (struct gv_vk_bytes){ a->buffer, a->begin, a->end - a->begin }, err);
}

bool gv_vk_audit_begin(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                       bool sure, struct gv_error *err)
{
    struct gv_vk_writable w = { 0 };
    audit->on_noise = sure && rt->device->check_effects;
    while (gv_vk_next_writable(rt->draw_state, &w)) {
        audit->on_noise &= !w.bound->image; // which would be written more than once
        if (!consider(audit, w.bound, err))
            return false;
    }
    for (size_t i = 0; audit->on_noise && i < audit->bound_count; i++)
        if (!consider(audit, audit->bound[i], err))
            return false;
    for (size_t i = 0; i < audit->count; i++) {
        struct gv_vk_audited *a = &audit->items[i];
        // What is not looked at is at least seen whole by the layer's own check: the
        // dispatch waits for all others.
        if (a->end - a->begin > GV_VK_MAX_AUDIT)
            rt->barriers->worked = true;
        else if (!read_back(rt, a, &a->before, err))
            return false;
    }
    return true;
}

// ---- on noise ----

static void say_rows(struct gv_vk_audited *a, const struct gv_vk_range *r, uint8_t set,
                     uint8_t clear)
{
    for (uint64_t row = 0; row < r->rows; row++) {
        uint8_t *at = a->says + (r->offset - a->begin) + row * r->stride;
        for (uint64_t i = 0; i < r->row_bytes; i++)
            at[i] = (uint8_t)((at[i] & ~clear) | set);
    }
}

// READ counts, then OVERWRITE, then WRITE.
static void say_ranges(const struct gv_vk_dispatch_audit *audit,
                       struct gv_vk_audited *a)
{
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < audit->range_count; i++) {
            const struct gv_vk_range *r = &audit->ranges[i];
            int of = !r->write ? 2 : r->overwrite ? 1 : 0;
            if (r->buffer != a->buffer || of != pass)
                continue;
            if (!r->row_bytes) // only of reading: written whole is not looked at
                memset(a->says, READS, a->end - a->begin);
            else
                say_rows(a, r,
                         pass == 0   ? READS | WRITES
                         : pass == 1 ? WRITES
                                     : READS,
                         pass == 1 ? READS : 0);
        }
}

static uint8_t noise_at(uint64_t byte, int turn)
{
    uint8_t noise = (uint8_t)((byte * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
    return turn ? (uint8_t)~noise : noise;
}

// Puts back what was there where it is read, and noise elsewhere; turn -1: all as it
// was.
static bool put(struct gv_runtime *rt, struct gv_vk_audited *a, int turn,
                struct gv_error *err)
{
    const uint64_t size = a->end - a->begin;
    const uint8_t *before = gv_vk_readback_wait(rt, &a->before, err);
    uint8_t *bytes = before ? malloc(size) : NULL;
    if (!bytes)
        return before ? gv_out_of_memory(err) : false;
    memcpy(bytes, before, size);
    for (uint64_t i = 0; turn >= 0 && i < size; i++)
        if (!(a->says[i] & READS))
            bytes[i] = noise_at(i, turn);
    bool ok = gv_vk_buffer_upload(rt, (struct gv_vk_bytes){ a->buffer, a->begin, size },
                                  bytes, err);
    free(bytes);
    return ok;
}

bool gv_vk_audit_noise(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                       int turn, struct gv_error *err)
{
    for (size_t i = 0; i < audit->count; i++) {
        struct gv_vk_audited *a = &audit->items[i];
        if (!a->before.buffer)
            continue;
        if (!a->says) {
            a->indices = a->buffer->indices;
            a->says = calloc(1, a->end - a->begin);
            if (!a->says)
                return gv_out_of_memory(err);
            say_ranges(audit, a);
        }
        if (!put(rt, a, turn, err))
            return false;
    }
    return true;
}

// What the dispatch wrote is written, whatever its ranges say.
static void note_written(struct gv_vk_barriers *barriers, const struct gv_vk_audited *a)
{
    gv_vk_barriers_wrote_buffer(barriers, a->buffer,
                                VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
}

bool gv_vk_audit_keep(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                      int turn, struct gv_error *err)
{
    for (size_t i = 0; i < audit->count; i++) {
        struct gv_vk_audited *a = &audit->items[i];
        if (!a->before.buffer)
            continue;
        note_written(rt->barriers, a);
        if (!read_back(rt, a, &a->noisy[turn], err))
            return false;
    }
    return true;
}

bool gv_vk_audit_restore(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                         struct gv_error *err)
{
    for (size_t i = 0; i < audit->count; i++) {
        struct gv_vk_audited *a = &audit->items[i];
        if (a->before.buffer && !put(rt, a, -1, err))
            return false;
        a->buffer->indices = a->before.buffer ? a->indices : a->buffer->indices;
    }
    return true;
}

// ---- after ----

static bool in_range(const struct gv_vk_range *r, uint64_t byte)
{
    if (byte < r->offset)
        return false;
    uint64_t from = byte - r->offset;
    // Rows that touch or overlap leave nothing out.
    if (r->rows == 1 || r->stride <= r->row_bytes)
        return from < (r->rows - 1) * r->stride + r->row_bytes;
    return from / r->stride < r->rows && from % r->stride < r->row_bytes;
}

static bool named(const struct gv_vk_dispatch_audit *audit,
                  const struct gv_vk_buffer *buffer, uint64_t byte)
{
    for (size_t i = 0; i < audit->range_count; i++)
        if (audit->ranges[i].buffer == buffer && audit->ranges[i].write &&
            in_range(&audit->ranges[i], byte))
            return true;
    return false;
}

// Tells of a byte of a buffer, by the binding that may write it.
static void tell(struct gv_runtime *rt, const struct gv_vk_audited *a, uint64_t byte,
                 const char *did, const char *what)
{
    struct gv_vk_writable w = { 0 };
    while (gv_vk_next_writable(rt->draw_state, &w))
        if (w.bound->buffer == a->buffer && byte >= w.bound->offset &&
            byte - w.bound->offset < w.bound->size)
            break;
    if (rt->device->check_effects)
        rt->device->effect_violations++;
    else
        rt->device->validation_messages++;
    gv_log(rt->device->log, GV_LOG_WARNING,
           "%s: dispatch %" PRIu64 " of the run (command %" PRIu64
           ") %s set %u binding %u element %u byte %" PRIu64 ", which %s",
           rt->device->check_effects ? "effects" : "validation",
           rt->draw_state->dispatches, rt->commands->command, did, w.set, w.binding,
           w.element, byte - (w.bound ? w.bound->offset : 0), what);
}

#define UNNAMED "none of its ranges names as written"

static bool compare(struct gv_runtime *rt, const struct gv_vk_dispatch_audit *audit,
                    const struct gv_vk_audited *a, struct gv_error *err)
{
    const uint8_t *after = gv_vk_readback_wait(rt, &a->after, err);
    const uint8_t *before = after ? gv_vk_readback_wait(rt, &a->before, err) : NULL;
    if (!before)
        return false;
    const uint64_t size = a->end - a->begin, block = 4096;
    for (uint64_t at = 0; at < size; at += block) {
        uint64_t end = size - at < block ? size : at + block;
        if (memcmp(before + at, after + at, end - at) == 0)
            continue;
        for (uint64_t i = at; i < end; i++)
            if (before[i] != after[i] && !named(audit, a->buffer, a->begin + i)) {
                tell(rt, a, a->begin + i, "wrote", UNNAMED);
                return true;
            }
    }
    return true;
}

static bool compare_noisy(struct gv_runtime *rt, const struct gv_vk_audited *a,
                          struct gv_error *err)
{
    const uint8_t *one = gv_vk_readback_wait(rt, &a->noisy[0], err),
                  *two = one ? gv_vk_readback_wait(rt, &a->noisy[1], err) : NULL;
    const uint8_t *before = two ? gv_vk_readback_wait(rt, &a->before, err) : NULL;
    if (!before)
        return false;
    for (uint64_t i = 0; i < a->end - a->begin; i++) {
        bool reads = a->says[i] & READS; // one of two noises is no value by chance
        bool wrote = one[i] != (reads ? before[i] : noise_at(i, 0)) ||
                     two[i] != (reads ? before[i] : noise_at(i, 1));
        if (!(a->says[i] & WRITES) && wrote)
            tell(rt, a, a->begin + i, "wrote", UNNAMED);
        else if (a->says[i] == WRITES && one[i] != two[i])
            tell(rt, a, a->begin + i, "left",
                 "is said to be overwritten: it still depends on what was there");
        else if (a->says[i] == (READS | WRITES) && one[i] != two[i])
            tell(rt, a, a->begin + i, "wrote",
                 "depends on bytes that no range names as read");
        else
            continue;
        return true;
    }
    return true;
}

bool gv_vk_audit_end(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                     struct gv_error *err)
{
    for (size_t i = 0; i < audit->count; i++) {
        struct gv_vk_audited *a = &audit->items[i];
        if (!a->before.buffer)
            continue;
        note_written(rt->barriers, a); // also where the ranges name no write
        if (!read_back(rt, a, &a->after, err))
            return false;
    }
    for (size_t i = 0; i < audit->count; i++) {
        const struct gv_vk_audited *a = &audit->items[i];
        if (!a->before.buffer)
            continue;
        if (!(audit->on_noise ? compare_noisy(rt, a, err) : compare(rt, audit, a, err)))
            return false;
    }
    return true;
}

void gv_vk_audit_finish(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit)
{
    for (size_t i = 0; i < audit->count; i++) {
        struct gv_vk_audited *a = &audit->items[i];
        struct gv_vk_readback *all[] = { &a->before, &a->after, &a->noisy[0],
                                         &a->noisy[1] };
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
            gv_vk_readback_drop(rt, all[k]);
        free(a->says);
    }
    free(audit->items);
    audit->items = NULL;
    audit->count = 0;
}
