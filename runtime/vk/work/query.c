#include "runtime/vk/work/query.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/work/query_parts.h"

// ---- running and interrupting ----

static void start(struct gv_vk_commands *commands, struct gv_vk_active_query *a)
{
    const struct gv_vk_query_part part = gv_vk_query_last_part(a->query, a->slot);
    vkCmdBeginQuery(commands->buffer, part.pool, part.index,
                    a->precise ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
    a->running = true;
}

static void stop(struct gv_vk_commands *commands, struct gv_vk_active_query *a)
{
    const struct gv_vk_query_part part = gv_vk_query_last_part(a->query, a->slot);
    if (a->running)
        vkCmdEndQuery(commands->buffer, part.pool, part.index);
    a->running = false;
}

static void start_condition(const struct gv_vk_commands *commands,
                            struct gv_vk_queries *queries)
{
    struct gv_vk_condition *c = &queries->condition;
    if (!c->handle || c->running)
        return;
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = c->buffer->handle,
        .offset = c->offset,
        .flags = c->inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
    };
    vkCmdBeginConditionalRenderingEXT(commands->buffer, &info);
    c->running = true;
}

static void stop_condition(const struct gv_vk_commands *commands,
                           struct gv_vk_queries *queries)
{
    struct gv_vk_condition *c = &queries->condition;
    if (c->running)
        vkCmdEndConditionalRenderingEXT(commands->buffer);
    c->running = false;
}

// A new part for a query that was interrupted. Outside rendering.
static bool new_part(const struct gv_vk_commands *commands,
                     struct gv_vk_active_query *a, struct gv_error *err)
{
    return gv_vk_query_add_part(commands, a->query, a->slot, err);
}

bool gv_vk_queries_before_rendering(const struct gv_vk_commands *commands,
                                    struct gv_vk_queries *q, struct gv_error *err)
{
    for (uint32_t i = 0; i < q->active_count; i++)
        if (q->active[i].inside && !new_part(commands, &q->active[i], err))
            return false;
    return true;
}

void gv_vk_queries_in_rendering(struct gv_vk_commands *commands,
                                struct gv_vk_queries *q)
{
    for (uint32_t i = 0; i < q->active_count; i++)
        if (q->active[i].inside)
            start(commands, &q->active[i]);
    start_condition(commands, q);
}

void gv_vk_queries_leave_rendering(struct gv_vk_commands *commands,
                                   struct gv_vk_queries *q)
{
    stop_condition(commands, q);
    for (uint32_t i = 0; i < q->active_count; i++)
        if (q->active[i].inside)
            stop(commands, &q->active[i]);
}

bool gv_vk_queries_after_pass(struct gv_vk_commands *commands, struct gv_vk_queries *q,
                              struct gv_error *err)
{
    for (uint32_t i = 0; i < q->active_count; i++) {
        struct gv_vk_active_query *a = &q->active[i];
        if (!a->inside)
            continue;
        a->inside = false;
        if (!gv_vk_commands_begin_work(commands, err) || !new_part(commands, a, err))
            return false;
        start(commands, a);
    }
    return true;
}

void gv_vk_queries_interrupt(struct gv_vk_commands *commands, struct gv_vk_queries *q)
{
    for (uint32_t i = 0; i < q->active_count; i++)
        if (!q->active[i].inside)
            stop(commands, &q->active[i]);
}

bool gv_vk_queries_continue(struct gv_vk_commands *commands, struct gv_vk_queries *q,
                            struct gv_error *err)
{
    for (uint32_t i = 0; i < q->active_count; i++) {
        struct gv_vk_active_query *a = &q->active[i];
        if (a->inside || a->running)
            continue;
        if (!gv_vk_commands_begin_work(commands, err) || !new_part(commands, a, err))
            return false;
        start(commands, a);
    }
    return true;
}

void gv_vk_condition_enter(const struct gv_vk_commands *commands,
                           struct gv_vk_queries *queries)
{
    start_condition(commands, queries);
}

void gv_vk_condition_leave(const struct gv_vk_commands *commands,
                           struct gv_vk_queries *queries)
{
    stop_condition(commands, queries);
}

bool gv_vk_queries_allow_discard(const struct gv_vk_device *device,
                                 const struct gv_vk_queries *q, struct gv_error *err)
{
    for (uint32_t i = 0; i < q->active_count; i++)
        if (q->active[i].query->type == GV_QUERY_TYPE_PRIMITIVES_GENERATED)
            return gv_vk_require(device,
                                 "primitivesGeneratedQueryWithRasterizerDiscard", err);
    return true;
}

void gv_vk_queries_reset(struct gv_vk_queries *queries)
{
    *queries = (struct gv_vk_queries){ .active_count = 0 };
}

static void remove_active(struct gv_vk_queries *q, uint32_t i)
{
    q->active[i] = q->active[--q->active_count];
}

void gv_vk_queries_forget(struct gv_vk_commands *commands, struct gv_vk_queries *q,
                          enum gv_kind kind, uint64_t handle)
{
    if (kind == GV_KIND_BUFFER && q->condition.handle == handle) {
        stop_condition(commands, q);
        q->condition = (struct gv_vk_condition){ 0 };
    }
    for (uint32_t i = 0; kind == GV_KIND_QUERY && i < q->active_count;) {
        if (q->active[i].handle != handle) {
            i++;
            continue;
        }
        stop(commands, &q->active[i]);
        remove_active(q, i);
    }
}

// ---- the calls ----

static struct gv_vk_query *find(const struct gv_handles *handles, uint64_t handle,
                                uint64_t first, uint64_t count, struct gv_error *err)
{
    struct gv_vk_query *q =
        gv_handles_find(handles, GV_KIND_QUERY, handle, "query", err);
    if (q && (count > q->count || first > q->count - count)) {
        gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "slots %llu+%llu of %u",
                (unsigned long long)first, (unsigned long long)count, q->count);
        return NULL;
    }
    return q;
}

bool gv_do_query_reset(struct gv_runtime *rt, const struct gv_args_query_reset *a,
                       uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_query *q = find(&rt->handles, a->query.u, a->first.u, a->count.u, err);
    if (!q || !gv_runtime_outside_pass(rt, err))
        return false;
    for (uint64_t i = a->first.u; i < a->first.u + a->count.u; i++)
        if (q->slots[i].status == GV_VK_QUERY_ACTIVE)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "slot %llu is counting",
                           (unsigned long long)i);
    if (a->count.u == 0)
        return true;
    if (!gv_vk_commands_begin_work(rt->commands, err))
        return false;
    vkCmdResetQueryPool(rt->commands->buffer, q->pool, (uint32_t)a->first.u,
                        (uint32_t)a->count.u);
    for (uint64_t i = a->first.u; i < a->first.u + a->count.u; i++)
        gv_vk_query_reset_slot(q, (uint32_t)i);
    return true;
}

static bool check_begin(struct gv_runtime *rt, const struct gv_vk_query *q,
                        uint32_t slot, bool precise, struct gv_error *err)
{
    const struct gv_vk_queries *all = rt->queries;
    if (q->type == GV_QUERY_TYPE_TIMESTAMP)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "query: of timestamps");
    if (q->slots[slot].status != GV_VK_QUERY_RESET)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "slot %u was not reset", slot);
    if (precise && q->type == GV_QUERY_TYPE_OCCLUSION &&
        !gv_vk_require(rt->device, "occlusionQueryPrecise", err))
        return false;
    for (uint32_t i = 0; i < all->active_count; i++)
        if (all->active[i].query->type == q->type)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "a query of this type is counting already");
    if (all->active_count == GV_VK_MAX_ACTIVE_QUERIES)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "too many queries at once");
    return true;
}

bool gv_do_query_begin(struct gv_runtime *rt, const struct gv_args_query_begin *a,
                       uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_query *q = find(&rt->handles, a->query.u, a->slot.u, 1, err);
    if (!q || !check_begin(rt, q, (uint32_t)a->slot.u, a->precise.u != 0, err) ||
        !gv_runtime_resume(rt, err) || !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    struct gv_vk_queries *all = rt->queries;
    struct gv_vk_active_query *active = &all->active[all->active_count++];
    *active = (struct gv_vk_active_query){
        .handle = a->query.u,
        .query = q,
        .slot = (uint32_t)a->slot.u,
        .precise = a->precise.u && q->type == GV_QUERY_TYPE_OCCLUSION,
        .inside = rt->in_pass,
    };
    q->slots[a->slot.u].status = GV_VK_QUERY_ACTIVE;
    start(rt->commands, active);
    return true;
}

bool gv_do_query_end(struct gv_runtime *rt, const struct gv_args_query_end *a,
                     uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_query *q = find(&rt->handles, a->query.u, a->slot.u, 1, err);
    if (!q)
        return false;
    struct gv_vk_queries *all = rt->queries;
    uint32_t i = 0;
    while (i < all->active_count &&
           (all->active[i].query != q || all->active[i].slot != a->slot.u))
        i++;
    if (i == all->active_count)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "slot %llu is not counting",
                       (unsigned long long)a->slot.u);
    // What began outside rendering ends outside.
    bool split = rt->in_pass && rt->rendering && !all->active[i].inside;
    if (split && !gv_runtime_suspend(rt, err))
        return false;
    stop(rt->commands, &all->active[i]);
    q->slots[a->slot.u].status = GV_VK_QUERY_DONE;
    remove_active(all, i);
    return !split || gv_runtime_resume(rt, err);
}

bool gv_do_query_timestamp(struct gv_runtime *rt,
                           const struct gv_args_query_timestamp *a, uint64_t *result,
                           struct gv_error *err)
{
    (void)result;
    struct gv_vk_query *q = find(&rt->handles, a->query.u, a->slot.u, 1, err);
    if (!q)
        return false;
    if (q->type != GV_QUERY_TYPE_TIMESTAMP)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "query: not of timestamps");
    if (q->slots[a->slot.u].status != GV_VK_QUERY_RESET)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "slot %llu was not reset",
                       (unsigned long long)a->slot.u);
    if (!gv_vk_commands_begin_work(rt->commands, err))
        return false;
    vkCmdWriteTimestamp2(rt->commands->buffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                         q->pool, (uint32_t)a->slot.u);
    q->slots[a->slot.u].status = GV_VK_QUERY_DONE;
    return true;
}

bool gv_do_condition_begin(struct gv_runtime *rt,
                           const struct gv_args_condition_begin *a, uint64_t *result,
                           struct gv_error *err)
{
    (void)result;
    struct gv_vk_condition *c = &rt->queries->condition;
    if (!gv_vk_require(rt->device, "conditionalRendering", err))
        return false;
    if (c->handle)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "work is conditional already");
    struct gv_vk_buffer *buffer =
        gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    if (!buffer ||
        !gv_vk_buffer_check_usage(buffer, GV_BUFFER_USAGE_CONDITIONAL, "buffer", err) ||
        !gv_vk_buffer_check_range(buffer, a->offset.u, 4, "buffer", err))
        return false;
    if (a->offset.u % 4)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "offset: not a multiple of 4");
    *c = (struct gv_vk_condition){ .handle = a->buffer.u,
                                   .buffer = buffer,
                                   .offset = a->offset.u,
                                   .inverted = a->inverted.u != 0 };
    if (!rt->in_pass)
        return true;
    if (buffer->written && !gv_runtime_suspend(rt, err))
        return false;
    if (!gv_runtime_resume(rt, err))
        return false;
    start_condition(rt->commands, rt->queries);
    return true;
}

bool gv_do_condition_end(struct gv_runtime *rt, const struct gv_args_condition_end *a,
                         uint64_t *result, struct gv_error *err)
{
    (void)a;
    (void)result;
    struct gv_vk_condition *c = &rt->queries->condition;
    if (!c->handle)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "work is not conditional");
    stop_condition(rt->commands, rt->queries);
    *c = (struct gv_vk_condition){ 0 };
    return true;
}
