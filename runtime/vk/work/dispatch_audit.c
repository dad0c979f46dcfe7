#include "runtime/vk/work/dispatch_audit.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/readback.h"

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

// A buffer, from the first to the last byte that a writable binding reaches.
struct gv_vk_audited {
    struct gv_vk_buffer *buffer;
    uint64_t begin, end;
    struct gv_vk_readback before, after;
};

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

static bool read_back(struct gv_runtime *rt, const struct gv_vk_audited *a,
                      struct gv_vk_readback *out, struct gv_error *err)
{
    return gv_vk_readback_buffer(
        rt, out, (struct gv_vk_bytes){ a->buffer, a->begin, a->end - a->begin }, err);
}

bool gv_vk_audit_begin(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                       const struct gv_vk_range *ranges, size_t count,
                       struct gv_error *err)
{
    struct gv_vk_writable w = { 0 };
    *audit = (struct gv_vk_dispatch_audit){ .ranges = ranges, .range_count = count };
    while (gv_vk_next_writable(rt->draw_state, &w))
        if (w.bound->buffer && w.bound->size &&
            !written_whole(audit, w.bound->buffer) && !add_buffer(audit, w.bound, err))
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

static void tell(struct gv_runtime *rt, const struct gv_vk_audited *a, uint64_t byte)
{
    struct gv_vk_writable w = { 0 };
    while (gv_vk_next_writable(rt->draw_state, &w))
        if (w.bound->buffer == a->buffer && byte >= w.bound->offset &&
            byte - w.bound->offset < w.bound->size)
            break;
    rt->device->validation_messages++;
    gv_log(rt->device->log, GV_LOG_WARNING,
           "validation: dispatch %" PRIu64 " of the run (command %" PRIu64
           ") wrote set %u binding %u element %u byte %" PRIu64
           ", which none of its ranges names as written",
           rt->draw_state->dispatches, rt->commands->command, w.set, w.binding,
           w.element, byte - (w.bound ? w.bound->offset : 0));
}

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
                tell(rt, a, a->begin + i);
                return true;
            }
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
        // Also where the ranges name no write.
        gv_vk_barriers_wrote_buffer(rt->barriers, a->buffer,
                                    VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                    VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
        if (!read_back(rt, a, &a->after, err))
            return false;
    }
    for (size_t i = 0; i < audit->count; i++)
        if (audit->items[i].before.buffer && !compare(rt, audit, &audit->items[i], err))
            return false;
    return true;
}

void gv_vk_audit_finish(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit)
{
    for (size_t i = 0; i < audit->count; i++) {
        gv_vk_readback_drop(rt, &audit->items[i].before);
        gv_vk_readback_drop(rt, &audit->items[i].after);
    }
    free(audit->items);
    *audit = (struct gv_vk_dispatch_audit){ 0 };
}
