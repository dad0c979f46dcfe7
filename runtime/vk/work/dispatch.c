// Dispatches: what they use and write, by ranges where the payload names them.
#include "resources/base/checked.h"
#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/work/dispatch_audit.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/indirect.h"
#include "runtime/vk/work/query.h"

#include <stdlib.h>

#define MAX_RANGES 256 // of one dispatch
#define MAX_READS 256  // objects that it reads and does not name; more: no ranges

// What a dispatch touches, from what the payload says. None: everything that is bound.
struct touched {
    struct gv_vk_range items[MAX_RANGES + MAX_READS];
    size_t named, count; // the payload's, and with other reads
    // What the payload's ranges name, be it to say that it is not touched.
    const struct gv_vk_bound *bound[MAX_RANGES];
    size_t ranges;
};

// ---- what the payload says a dispatch touches ----

static bool range_inside(const struct gv_dispatch_range *r, uint64_t size)
{
    uint64_t span, end;
    if (r->rows == 0 || !gv_mul_u64(r->rows - 1, r->stride, &span) ||
        !gv_add_u64(span, r->row_bytes, &end))
        return false;
    return gv_range_inside(r->offset, end, size);
}

static bool convert(struct gv_vk_draw_state *state, const struct gv_dispatch_range *r,
                    struct touched *t, struct gv_error *err)
{
    const struct gv_vk_bound *b = NULL;
    struct gv_vk_range *out = &t->items[t->named];
    if (r->set < GV_MAX_SETS && r->binding < GV_MAX_BINDING_NUMBER)
        b = gv_vk_bound_at(state, r->set, r->binding, r->element, false);
    if (!b || (!b->buffer && !b->image))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "ranges: nothing is bound at set %u binding %u", r->set,
                       r->binding);
    t->bound[t->ranges++] = b;
    if (r->access == GV_RANGE_UNUSED && b->buffer)
        return true;
    t->named++;
    *out = (struct gv_vk_range){ .buffer = b->buffer,
                                 .image = b->buffer ? NULL : b->image,
                                 .write = r->access == GV_RANGE_WRITE ||
                                          r->access == GV_RANGE_OVERWRITE,
                                 .overwrite = r->access == GV_RANGE_OVERWRITE };
    if (r->row_bytes == 0 || !b->buffer)
        return true;
    if (!range_inside(r, b->size))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "ranges: outside what is bound at set %u binding %u", r->set,
                       r->binding);
    out->offset = b->offset + r->offset;
    out->row_bytes = r->row_bytes;
    out->stride = r->stride;
    out->rows = r->rows;
    return true;
}

static bool read_ranges(struct gv_vk_draw_state *state, const uint8_t *data,
                        size_t size, struct touched *t, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(data, size);
    struct gv_dispatch_range r;
    while (gv_dispatch_range_next(&c, &r)) {
        if (t->ranges == MAX_RANGES)
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: over %d ranges in one dispatch", MAX_RANGES);
        if (!convert(state, &r, t, err))
            return false;
    }
    t->count = t->named;
    return !c.bad || gv_fail(err, GV_ERR_FORMAT, c.pos, "ranges: malformed");
}

// A binding that may be written and that no range names would be written behind the
// back of all that wait for ranges. An image that may be written counts as written
// wherever it is named: it is never named in part.
static bool check_writables(struct gv_vk_draw_state *state, struct touched *t,
                            struct gv_error *err)
{
    struct gv_vk_writable w = { 0 };
    while (t->ranges && gv_vk_next_writable(state, &w)) {
        bool found = false;
        for (size_t i = 0; i < t->ranges; i++)
            found |= t->bound[i] == w.bound;
        for (size_t i = 0; i < t->named && w.bound->image; i++)
            t->items[i].write |= t->items[i].image == w.bound->image;
        if (!found)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "ranges: set %u binding %u element %u may be written, and "
                           "no range names it",
                           w.set, w.binding, w.element);
    }
    return true;
}

static bool named(const struct touched *t, const struct gv_vk_use *use)
{
    for (size_t i = 0; i < t->ranges; i++)
        if (use->buffer ? t->bound[i]->buffer == use->buffer
                        : t->bound[i]->image == use->image)
            return true;
    return false;
}

// What shaders use besides is read whole. Objects that only they write, such as those
// that stand in for nothing, are told apart by note_writes.
static void add_reads(struct gv_vk_draw_state *state, struct touched *t)
{
    const struct gv_vk_point *point = &state->compute;
    size_t sets = t->ranges ? point->pipeline->layout->set_count : 0;
    t->count = t->named;
    for (uint32_t set = 0; set < sets; set++) {
        struct gv_vk_uses uses = gv_vk_uses_of(state, point, set);
        for (size_t i = 0; i < uses.count; i++) {
            const struct gv_vk_use *u = &uses.items[i];
            if (u->write || (!u->buffer && !u->image) || named(t, u))
                continue;
            if (t->count == sizeof t->items / sizeof *t->items) {
                t->ranges = t->named = t->count = 0;
                return;
            }
            t->items[t->count++] =
                (struct gv_vk_range){ .buffer = u->buffer, .image = u->image };
        }
    }
}

// ---- a dispatch ----

// How many workgroups.
struct groups {
    uint32_t x, y, z;
    bool indirect; // as the indirect record says
};

static bool prepare(struct gv_runtime *rt, struct touched *t, struct gv_error *err)
{
    struct gv_vk_point *point = &rt->draw_state->compute;
    gv_vk_emit_pipeline(rt->commands, rt->draw_state, point);
    if (!gv_vk_emit_sets(rt, point, err))
        return false;
    for (uint32_t set = 0; set < point->pipeline->layout->set_count; set++)
        gv_vk_uses_before(rt->barriers, gv_vk_uses_of(rt->draw_state, point, set));
    add_reads(rt->draw_state, t);
    if (!(t->ranges ? gv_vk_barriers_dispatch(rt, t->items, t->count, err)
                    : gv_vk_barriers_work(rt, err)))
        return false;
    for (uint32_t set = 0; set < point->pipeline->layout->set_count; set++)
        gv_vk_uses_note(rt->barriers, gv_vk_uses_of(rt->draw_state, point, set));
    return true;
}

static void note_writes(struct gv_vk_barriers *barriers,
                        const struct gv_vk_draw_state *draw_state,
                        const struct touched *t)
{
    const struct gv_vk_point *point = &draw_state->compute;
    for (uint32_t set = 0; set < point->pipeline->layout->set_count; set++) {
        struct gv_vk_uses uses = gv_vk_uses_of(draw_state, point, set);
        for (size_t i = 0; i < uses.count; i++) {
            const struct gv_vk_use *u = &uses.items[i];
            if (!u->write)
                continue;
            if (named(t, u))
                gv_vk_barriers_ranged_write(barriers, u->buffer, u->image);
            else if (u->buffer)
                gv_vk_barriers_wrote_buffer(barriers, u->buffer, u->stages,
                                            VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
            else
                gv_vk_barriers_wrote_image(barriers, u->image, u->stages,
                                           VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
        }
    }
}

static bool record(struct gv_runtime *rt, struct touched *t, const struct groups *g,
                   struct gv_error *err)
{
    if (!prepare(rt, t, err))
        return false;
    gv_vk_condition_enter(rt->commands, rt->queries);
    if (g->indirect)
        vkCmdDispatchIndirect(rt->commands->buffer, rt->indirect->records.handle, 0);
    else
        vkCmdDispatch(rt->commands->buffer, g->x, g->y, g->z);
    gv_vk_condition_leave(rt->commands, rt->queries);
    note_writes(rt->barriers, rt->draw_state, t);
    return true;
}

// The same, held to its ranges: on noise first, where that leaves no trace.
static bool record_held(struct gv_runtime *rt, struct touched *t,
                        const struct groups *g, struct gv_error *err)
{
    struct gv_vk_dispatch_audit audit = { .ranges = t->items,
                                          .range_count = t->named,
                                          .bound = t->bound,
                                          .bound_count = t->ranges };
    bool sure =
        !g->indirect && !rt->queries->condition.handle && !rt->queries->active_count;
    // Before the state: what it records may end the submission.
    bool ok = gv_vk_audit_begin(rt, &audit, sure, err);
    for (int turn = 0; ok && audit.on_noise && turn < 2; turn++)
        ok = gv_vk_audit_noise(rt, &audit, turn, err) && record(rt, t, g, err) &&
             gv_vk_audit_keep(rt, &audit, turn, err);
    ok = ok && (!audit.on_noise || gv_vk_audit_restore(rt, &audit, err)) &&
         record(rt, t, g, err) && gv_vk_audit_end(rt, &audit, err);
    gv_vk_audit_finish(rt, &audit);
    return ok;
}

static bool run(struct gv_runtime *rt, struct touched *t, const struct groups *g,
                struct gv_error *err)
{
    bool held = t->ranges && (rt->device->validate || rt->device->check_effects);
    rt->draw_state->dispatches++;
    gv_vk_pipeline_runs(rt->commands, rt->draw_state->compute.pipeline);
    return (held ? record_held : record)(rt, t, g, err) &&
           gv_vk_commands_count_draw(rt, err);
}

static bool begin(struct gv_runtime *rt, const uint8_t *data, size_t size,
                  struct touched *t, struct gv_error *err)
{
    t->ranges = t->named = t->count = 0;
    if (!gv_runtime_outside_pass(rt, err))
        return false;
    if (!rt->draw_state->compute.pipeline)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "no compute pipeline is bound");
    return gv_vk_commands_begin_work(rt->commands, err) &&
           read_ranges(rt->draw_state, data, size, t, err) &&
           check_writables(rt->draw_state, t, err);
}

// Each count within what the device allows, and together within what devices count.
static bool check_groups(const struct gv_vk_device *device,
                         const struct gv_args_dispatch *a, struct gv_error *err)
{
    const uint32_t *most = GV_VK_LIMITS(device)->maxComputeWorkGroupCount;
    unsigned long long x = a->x.u, y = a->y.u, z = a->z.u;
    if (x > most[0] || y > most[1] || z > most[2])
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "%llux%llux%llu workgroups, the device allows %ux%ux%u", x, y, z,
                       most[0], most[1], most[2]);
    uint64_t groups;
    if (gv_mul_u64(x * y, z, &groups) &&
        groups <= GV_MAX_DISPATCH_GROUPS) // 32 bits each
        return true;
    return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                   "%llux%llux%llu workgroups are over %u in all", x, y, z,
                   GV_MAX_DISPATCH_GROUPS);
}

bool gv_do_dispatch(struct gv_runtime *rt, const struct gv_args_dispatch *a,
                    uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct touched t;
    if (!begin(rt, a->ranges.data, a->size.u, &t, err) ||
        !check_groups(rt->device, a, err))
        return false;
    const struct groups g = { (uint32_t)a->x.u, (uint32_t)a->y.u, (uint32_t)a->z.u,
                              false };
    return g.x == 0 || g.y == 0 || g.z == 0 || run(rt, &t, &g, err);
}

bool gv_do_dispatch_indirect(struct gv_runtime *rt,
                             const struct gv_args_dispatch_indirect *a,
                             uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct touched t;
    const struct gv_vk_records record = { GV_VK_RECORD_DISPATCH, a->buffer.u,
                                          a->offset.u, 1,
                                          sizeof(VkDispatchIndirectCommand) };
    return begin(rt, a->ranges.data, a->size.u, &t, err) &&
           gv_vk_indirect_ready(rt, &record, err) &&
           run(rt, &t, &(struct groups){ .indirect = true }, err);
}
