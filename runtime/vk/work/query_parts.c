#include "runtime/vk/work/query_parts.h"

#include "resources/base/checked.h"
#include "runtime/shaders/sum_queries.spv.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/object_costs.h"
#include "runtime/vk/memory/staging.h"

#include <stdlib.h>

#define COST_SLOT 512
#define COST 1024 // of a query (object_costs.h)

#define SPARES 32         // later parts in one pool
#define MAX_PARTS 4096    // of one slot
#define STATISTICS 0x7ffu // every VkQueryPipelineStatisticFlagBits of Vulkan 1.0
#define STATISTIC_COUNT 11

struct gv_vk_spares {
    VkQueryPool pool;
    uint32_t used;
    struct gv_vk_spares *next;
};

// ---- life ----

static bool make_pool(const struct gv_vk_device *device, uint32_t type, uint32_t count,
                      VkQueryPool *pool, struct gv_error *err)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = (VkQueryType)type,
        .queryCount = count,
        .pipelineStatistics =
            type == GV_QUERY_TYPE_PIPELINE_STATISTICS ? STATISTICS : 0,
    };
    return gv_vk_ok(vkCreateQueryPool(device->handle, &info, NULL, pool),
                    "vkCreateQueryPool", err);
}

static bool check_type(const struct gv_vk_device *device, uint32_t type,
                       struct gv_error *err)
{
    switch (type) {
    case GV_QUERY_TYPE_PIPELINE_STATISTICS:
        return gv_vk_require(device, "pipelineStatisticsQuery", err);
    case GV_QUERY_TYPE_TRANSFORM_FEEDBACK:
        return gv_vk_require(device, "transformFeedback", err) &&
               (device->transform_feedback.transformFeedbackQueries ||
                gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                        "the device has no transform feedback queries"));
    case GV_QUERY_TYPE_PRIMITIVES_GENERATED:
        return gv_vk_require(device, "primitivesGeneratedQuery", err);
    case GV_QUERY_TYPE_TIMESTAMP:
        return GV_VK_LIMITS(device)->timestampComputeAndGraphics ||
               gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device has no timestamps");
    default:
        return true;
    }
}

bool gv_do_query_create(struct gv_runtime *rt, const struct gv_args_query_create *a,
                        uint64_t *result, struct gv_error *err)
{
    if (a->count.u == 0 || a->count.u > GV_MAX_QUERY_SLOTS)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "count: %llu, 1 to %d allowed",
                       (unsigned long long)a->count.u, GV_MAX_QUERY_SLOTS);
    if (!check_type(rt->device, (uint32_t)a->type.u, err))
        return false;
    uint64_t cost = COST + a->count.u * COST_SLOT;
    struct gv_vk_query *q = gv_vk_object_create(rt, sizeof *q, cost, 0, err);
    if (!q)
        return false;
    q->cost = cost;
    q->slots = calloc(a->count.u, sizeof *q->slots);
    if (!q->slots) {
        gv_vk_object_free(rt->heaps, q, cost);
        return gv_out_of_memory(err);
    }
    q->type = (uint32_t)a->type.u;
    q->count = (uint32_t)a->count.u;
    q->values = q->type == GV_QUERY_TYPE_PIPELINE_STATISTICS  ? STATISTIC_COUNT
                : q->type == GV_QUERY_TYPE_TRANSFORM_FEEDBACK ? 2
                                                              : 1;
    *result = make_pool(rt->device, q->type, q->count, &q->pool, err)
                  ? gv_handles_add(&rt->handles, GV_KIND_QUERY, q, err)
                  : 0;
    if (!*result)
        gv_vk_query_free(rt, q);
    return *result != 0;
}

bool gv_do_query_destroy(struct gv_runtime *rt, const struct gv_args_query_destroy *a,
                         uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_query *q =
        gv_handles_find(&rt->handles, GV_KIND_QUERY, a->query.u, "query", err);
    if (!q)
        return false;
    for (uint32_t i = 0; i < q->count; i++)
        if (q->slots[i].status == GV_VK_QUERY_ACTIVE)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "slot %u is counting", i);
    gv_handles_remove(&rt->handles, GV_KIND_QUERY, a->query.u);
    rt->above.forget(rt, GV_KIND_QUERY, a->query.u);
    gv_vk_commands_defer(rt, gv_vk_query_free, q);
    return true;
}

void gv_vk_query_free(struct gv_runtime *rt, void *object)
{
    struct gv_vk_query *q = object;
    vkDestroyQueryPool(rt->device->handle, q->pool, NULL);
    while (q->spares) {
        struct gv_vk_spares *s = q->spares;
        q->spares = s->next;
        vkDestroyQueryPool(rt->device->handle, s->pool, NULL);
        free(s);
    }
    for (uint32_t i = 0; i < q->count; i++)
        free(q->slots[i].more.items);
    free(q->idle.items);
    free(q->slots);
    gv_vk_object_free(rt->heaps, q, q->cost);
}

// ---- parts ----

struct gv_vk_query_part gv_vk_query_last_part(const struct gv_vk_query *query,
                                              uint32_t slot)
{
    const struct gv_vk_query_slot *s = &query->slots[slot];
    if (s->more.count)
        return s->more.items[s->more.count - 1];
    return (struct gv_vk_query_part){ query->pool, slot };
}

static bool add(struct gv_vk_query_parts *parts, struct gv_vk_query_part part)
{
    if (parts->count == parts->capacity) {
        uint32_t capacity = parts->capacity ? parts->capacity * 2 : 4;
        void *grown = realloc(parts->items, capacity * sizeof *parts->items);
        if (!grown)
            return false;
        parts->items = grown;
        parts->capacity = capacity;
    }
    parts->items[parts->count++] = part;
    return true;
}

void gv_vk_query_reset_slot(struct gv_vk_query *query, uint32_t slot)
{
    struct gv_vk_query_slot *s = &query->slots[slot];
    // Where memory runs out a part merely rests until the query goes.
    while (s->more.count && add(&query->idle, s->more.items[s->more.count - 1]))
        s->more.count--;
    s->more.count = 0;
    s->status = GV_VK_QUERY_RESET;
}

static struct gv_vk_spares *find_spare(struct gv_vk_heaps *heaps,
                                       struct gv_vk_query *query, struct gv_error *err)
{
    if (query->spares && query->spares->used < SPARES)
        return query->spares;
    const uint64_t cost = COST + SPARES * COST_SLOT;
    if (!gv_vk_heaps_charge(heaps, cost, err))
        return NULL;
    query->cost += cost;
    struct gv_vk_spares *s = calloc(1, sizeof *s);
    if (!s) {
        gv_out_of_memory(err);
        return NULL;
    }
    if (!make_pool(heaps->device, query->type, SPARES, &s->pool, err)) {
        free(s);
        return NULL;
    }
    s->next = query->spares;
    query->spares = s;
    return s;
}

// A place for a part: one given back, or a new one.
static bool take_place(struct gv_vk_heaps *heaps, struct gv_vk_query *query,
                       struct gv_vk_query_part *part, struct gv_error *err)
{
    if (query->idle.count) {
        *part = query->idle.items[--query->idle.count];
        return true;
    }
    struct gv_vk_spares *spare = find_spare(heaps, query, err);
    if (spare)
        *part = (struct gv_vk_query_part){ spare->pool, spare->used++ };
    return spare != NULL;
}

bool gv_vk_query_add_part(const struct gv_vk_commands *commands,
                          struct gv_vk_query *query, uint32_t slot,
                          struct gv_error *err)
{
    struct gv_vk_query_slot *s = &query->slots[slot];
    struct gv_vk_query_part part;
    if (s->more.count == MAX_PARTS)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: a query interrupted more than %d times",
                       MAX_PARTS);
    if (!take_place(commands->staging->heaps, query, &part, err))
        return false;
    vkCmdResetQueryPool(commands->buffer, part.pool, part.index, 1);
    return add(&s->more, part) || gv_out_of_memory(err);
}

// ---- results ----

struct copy {
    struct gv_vk_query *query;
    struct gv_vk_buffer *buffer;
    uint64_t offset, stride;
    uint32_t slot;
    bool wide, availability;
};

void gv_vk_query_sum_finish(struct gv_runtime *rt, struct gv_vk_query_sum *sum)
{
    gv_vk_kernel_finish(rt, &sum->kernel);
    gv_vk_scratch_finish(rt->heaps, &sum->values);
}

// Results are always waited for: the query has ended earlier in the queue.
static void copy_whole(struct gv_vk_commands *commands, const struct copy *c)
{
    VkQueryResultFlags flags = VK_QUERY_RESULT_WAIT_BIT;
    flags |= c->wide ? VK_QUERY_RESULT_64_BIT : 0;
    flags |= c->availability ? VK_QUERY_RESULT_WITH_AVAILABILITY_BIT : 0;
    // One result at a time: their stride is ours, and the last may end the buffer.
    uint64_t width = c->wide ? 8 : 4;
    uint64_t bytes = (c->query->values + c->availability) * width;
    vkCmdCopyQueryPoolResults(commands->buffer, c->query->pool, c->slot, 1,
                              c->buffer->handle, c->offset, bytes, flags);
}

static void gather_parts(struct gv_vk_commands *commands, const struct copy *c,
                         VkBuffer values)
{
    const struct gv_vk_query_slot *s = &c->query->slots[c->slot];
    uint64_t row = (uint64_t)c->query->values * 8;
    vkCmdCopyQueryPoolResults(commands->buffer, c->query->pool, c->slot, 1, values, 0,
                              row, VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_64_BIT);
    for (uint32_t i = 0; i < s->more.count; i++)
        vkCmdCopyQueryPoolResults(commands->buffer, s->more.items[i].pool,
                                  s->more.items[i].index, 1, values, (i + 1) * row, row,
                                  VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_64_BIT);
}

static const struct gv_vk_kernel_code kernel_code = GV_VK_KERNEL_CODE(sum_queries, 12);

static bool ready_sum(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err)
{
    struct gv_vk_query_sum *sum = rt->query_sum;
    if (!sum->kernel.pipeline && !gv_vk_kernel_init(rt, &sum->kernel, kernel_code, err))
        return false;
    return gv_vk_scratch_reserve(rt, &sum->values, bytes,
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 err);
}

static bool copy_sum(struct gv_runtime *rt, const struct copy *c, struct gv_error *err)
{
    struct gv_vk_query_sum *sum = rt->query_sum;
    const uint32_t parts = c->query->slots[c->slot].more.count + 1;
    const uint32_t constants[3] = { parts, c->query->values, !c->wide };
    uint64_t row = (uint64_t)c->query->values * 8, bytes = (parts + 1) * row;
    const VkAccessFlags2 storage =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    if (!ready_sum(rt, bytes, err))
        return false;
    gv_vk_scratch_order(rt->commands, VK_PIPELINE_STAGE_2_COPY_BIT, 0,
                        VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    gather_parts(rt->commands, c, sum->values.handle);
    gv_vk_scratch_order(rt->commands, VK_PIPELINE_STAGE_2_COPY_BIT,
                        VK_ACCESS_2_TRANSFER_WRITE_BIT,
                        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, storage);
    const struct gv_vk_kernel_job run = { sum->values.handle, bytes, constants, 1 };
    if (!gv_vk_kernel_run(rt, &sum->kernel, &run, err))
        return false;
    gv_vk_scratch_order(rt->commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                        VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                        VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    uint64_t width = c->wide ? 8 : 4;
    const VkBufferCopy region = { parts * row, c->offset, c->query->values * width };
    vkCmdCopyBuffer(rt->commands->buffer, sum->values.handle, c->buffer->handle, 1,
                    &region);
    if (c->availability) {
        const uint32_t available[2] = { 1, 0 };
        vkCmdUpdateBuffer(rt->commands->buffer, c->buffer->handle,
                          c->offset + region.size, width, available);
    }
    return true;
}

static bool check_copy(const struct gv_args_query_copy *a, const struct gv_vk_query *q,
                       const struct gv_vk_buffer *buffer, uint64_t *bytes,
                       struct gv_error *err)
{
    uint64_t width = a->flags.u & GV_QUERY_RESULT_64 ? 8 : 4;
    uint64_t one =
        width * (q->values + (a->flags.u & GV_QUERY_RESULT_WITH_AVAILABILITY ? 1 : 0));
    uint64_t span;
    if (a->count.u > q->count || a->first.u > q->count - a->count.u)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "slots %llu+%llu of %u",
                       (unsigned long long)a->first.u, (unsigned long long)a->count.u,
                       q->count);
    for (uint64_t i = a->first.u; i < a->first.u + a->count.u; i++)
        if (q->slots[i].status != GV_VK_QUERY_DONE)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "slot %llu has no result",
                           (unsigned long long)i);
    if (a->offset.u % width || a->stride.u % width || a->stride.u < one)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "offset %llu, stride %llu for results of %llu bytes",
                       (unsigned long long)a->offset.u, (unsigned long long)a->stride.u,
                       (unsigned long long)one);
    if (a->count.u == 0)
        return true;
    if (!gv_mul_u64(a->count.u - 1, a->stride.u, &span) ||
        !gv_add_u64(span, one, bytes))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "stride is too large");
    return gv_vk_buffer_check_range(buffer, a->offset.u, *bytes, "buffer", err);
}

bool gv_do_query_copy(struct gv_runtime *rt, const struct gv_args_query_copy *a,
                      uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_query *q =
        gv_handles_find(&rt->handles, GV_KIND_QUERY, a->query.u, "query", err);
    struct gv_vk_buffer *buffer =
        q ? gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err) : NULL;
    uint64_t bytes = 0;
    if (!buffer || !gv_runtime_outside_pass(rt, err) ||
        !check_copy(a, q, buffer, &bytes, err))
        return false;
    if (a->count.u == 0)
        return true;
    // Between results there may be gaps.
    if (!gv_vk_barriers_write_buffer(rt->commands, rt->barriers,
                                     (struct gv_vk_bytes){ buffer, a->offset.u, bytes },
                                     false, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err))
        return false;
    struct copy c = {
        .query = q,
        .buffer = buffer,
        .offset = a->offset.u,
        .stride = a->stride.u,
        .slot = (uint32_t)a->first.u,
        .wide = (a->flags.u & GV_QUERY_RESULT_64) != 0,
        .availability = (a->flags.u & GV_QUERY_RESULT_WITH_AVAILABILITY) != 0,
    };
    for (uint64_t i = 0; i < a->count.u; i++) {
        if (!gv_vk_commands_throttle(rt, err) ||
            !gv_vk_commands_begin_work(rt->commands, err))
            return false;
        gv_vk_commands_count(rt->commands, q->slots[c.slot].more.count);
        if (!q->slots[c.slot].more.count)
            copy_whole(rt->commands, &c);
        else if (!copy_sum(rt, &c, err))
            return false;
        c.slot++;
        c.offset += c.stride;
    }
    return true;
}
