#include "resources/base/checked.h"
#include "runtime/vk/draw_state.h"
#include "runtime/vk/pass.h"
#include "runtime/vk/uses.h"

#include <stdlib.h>

#define MAX_RANGES 256 // of one dispatch; more count as everything

// ---- what the payload says a dispatch touches ----

static bool range_inside(const struct gv_dispatch_range *r, uint64_t size)
{
    uint64_t span, end;
    if (r->rows == 0 || !gv_mul_u64(r->rows - 1, r->stride, &span) ||
        !gv_add_u64(span, r->row_bytes, &end))
        return false;
    return gv_range_inside(r->offset, end, size);
}

static bool convert(struct gv_runtime *rt, const struct gv_dispatch_range *r,
                    struct gv_vk_range *out, struct gv_error *err)
{
    const struct gv_vk_bound *b = NULL;
    if (r->set < GV_MAX_SETS && r->binding < GV_MAX_BINDING_NUMBER)
        b = gv_vk_bound_at(rt->draw_state, r->set, r->binding, r->element, false);
    if (!b || (!b->buffer && !b->image))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "ranges: nothing is bound at set %u binding %u", r->set,
                       r->binding);
    *out = (struct gv_vk_range){ .buffer = b->buffer,
                                 .image = b->buffer ? NULL : b->image,
                                 .write = r->write };
    if (r->row_bytes == 0 || !b->buffer)
        return true;
    if (!range_inside(r, b->size))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "ranges: outside what is bound at set %u binding %u", r->set,
                       r->binding);
    out->offset = b->offset + r->offset;
    out->row_bytes = r->row_bytes;
    out->stride = r->stride;
    out->rows = r->rows;
    return true;
}

static bool read_ranges(struct gv_runtime *rt, const uint8_t *data, size_t size,
                        struct gv_vk_range out[MAX_RANGES], size_t *count,
                        struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(data, size);
    struct gv_dispatch_range r;
    *count = 0;
    while (gv_dispatch_range_next(&c, &r)) {
        if (*count == MAX_RANGES)
            return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                           "ranges: over %d in one dispatch", MAX_RANGES);
        if (!convert(rt, &r, &out[(*count)++], err))
            return false;
    }
    return !c.bad || gv_fail(err, GV_ERR_FORMAT, c.pos, "ranges: malformed");
}

static bool named(const struct gv_vk_range *ranges, size_t count,
                  const struct gv_vk_use *use)
{
    const void *object = use->buffer ? (const void *)use->buffer : use->image;
    for (size_t i = 0; i < count; i++) {
        const struct gv_vk_range *r = &ranges[i];
        // Each of the first `count` has been filled whole by convert().
        if ((const void *)r->buffer == object || // NOLINT(clang-analyzer-core.*)
            (const void *)r->image == object)    // NOLINT(clang-analyzer-core.*)
            return true;
    }
    return false;
}

// ---- a dispatch ----

static bool prepare(struct gv_runtime *rt, const struct gv_vk_range *ranges,
                    size_t count, struct gv_error *err)
{
    struct gv_vk_point *point = &rt->draw_state->compute;
    gv_vk_emit_pipeline(rt, point);
    if (!gv_vk_emit_sets(rt, point, err))
        return false;
    for (uint32_t set = 0; set < point->pipeline->layout->set_count; set++)
        gv_vk_uses_before(rt, gv_vk_uses_of(rt->draw_state, point, set));
    if (!(count ? gv_vk_barriers_dispatch(rt, ranges, count, err)
                : gv_vk_barriers_work(rt, err)))
        return false;
    for (uint32_t set = 0; set < point->pipeline->layout->set_count; set++)
        gv_vk_uses_note(rt, gv_vk_uses_of(rt->draw_state, point, set));
    return true;
}

static void note_writes(struct gv_runtime *rt, const struct gv_vk_range *ranges,
                        size_t count)
{
    const struct gv_vk_point *point = &rt->draw_state->compute;
    for (uint32_t set = 0; set < point->pipeline->layout->set_count; set++) {
        struct gv_vk_uses uses = gv_vk_uses_of(rt->draw_state, point, set);
        for (size_t i = 0; i < uses.count; i++) {
            const struct gv_vk_use *u = &uses.items[i];
            if (!u->write || named(ranges, count, u))
                continue;
            if (u->buffer)
                gv_vk_barriers_wrote_buffer(rt, u->buffer, u->stages,
                                            VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
            else
                gv_vk_barriers_wrote_image(rt, u->image, u->stages,
                                           VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
        }
    }
}

static bool begin(struct gv_runtime *rt, const uint8_t *data, size_t size,
                  struct gv_vk_range ranges[MAX_RANGES], size_t *count,
                  struct gv_error *err)
{
    if (!gv_runtime_outside_pass(rt, err))
        return false;
    if (!rt->draw_state->compute.pipeline)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no compute pipeline is bound");
    return gv_vk_commands_begin_work(rt, err) &&
           read_ranges(rt, data, size, ranges, count, err);
}

static bool done(struct gv_runtime *rt, const struct gv_vk_range *ranges, size_t count,
                 struct gv_error *err)
{
    note_writes(rt, ranges, count);
    rt->stats.dispatches++;
    return gv_vk_commands_count_draw(rt, err);
}

bool gv_do_dispatch(struct gv_runtime *rt, const struct gv_args_dispatch *a,
                    uint64_t *result, struct gv_error *err)
{
    (void)result;
    const uint32_t *most = GV_VK_LIMITS(&rt->device)->maxComputeWorkGroupCount;
    struct gv_vk_range ranges[MAX_RANGES];
    size_t count = 0;
    if (!begin(rt, a->ranges.data, a->size.u, ranges, &count, err))
        return false;
    if (a->x.u > most[0] || a->y.u > most[1] || a->z.u > most[2])
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "%llux%llux%llu workgroups, the device allows %ux%ux%u",
                       (unsigned long long)a->x.u, (unsigned long long)a->y.u,
                       (unsigned long long)a->z.u, most[0], most[1], most[2]);
    if (a->x.u == 0 || a->y.u == 0 || a->z.u == 0)
        return true;
    if (!prepare(rt, ranges, count, err))
        return false;
    gv_vk_condition_enter(rt);
    vkCmdDispatch(rt->commands.buffer, (uint32_t)a->x.u, (uint32_t)a->y.u,
                  (uint32_t)a->z.u);
    gv_vk_condition_leave(rt);
    return done(rt, ranges, count, err);
}

bool gv_do_dispatch_indirect(struct gv_runtime *rt,
                             const struct gv_args_dispatch_indirect *a,
                             uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_range ranges[MAX_RANGES];
    size_t count = 0;
    if (!begin(rt, a->ranges.data, a->size.u, ranges, &count, err) ||
        !gv_vk_indirect_ready(rt, GV_VK_RECORD_DISPATCH, a->buffer.u, a->offset.u, 1,
                              sizeof(VkDispatchIndirectCommand), err) ||
        !prepare(rt, ranges, count, err))
        return false;
    gv_vk_condition_enter(rt);
    vkCmdDispatchIndirect(rt->commands.buffer, rt->draw_state->indirect.records.handle,
                          0);
    gv_vk_condition_leave(rt);
    return done(rt, ranges, count, err);
}
