// Queries. Pools of statistics count all that there is to count; results are picked.
#include "compiler/vulkan/walk.h"

#define STATISTICS 11u // of a slot of a payload's pool

// The pool of the payload; `*out` is none where it has no such queries.
static bool find(struct gv_walk *w, VkQueryPool pool, uint32_t first, uint32_t count,
                 struct gv_walk_queries **out, struct gv_error *err)
{
    struct gv_walk_queries *q =
        gv_cap_need(w->cap, GV_VK_ID(pool), GV_CAP_QUERY_POOL, err);
    *out = NULL;
    if (!q)
        return false;
    if (first > q->count || count > q->count - first)
        return gv_cap_fail(w->cap, err, "queries %u+%u of %u", first, count, q->count);
    if (q->type > VK_QUERY_TYPE_TIMESTAMP) {
        gv_walk_unsupported(w, "query type %d", (int)q->type);
        return true;
    }
    if (!q->lowered.id) {
        gv_walk_begin_making(w);
        q->lowered =
            gv_emit(w->b, query_create, .type = (uint32_t)q->type, .count = q->count);
        gv_walk_end_making(w);
    }
    *out = q->lowered.id ? q : NULL;
    return true;
}

static bool reset(struct gv_walk *w, VkQueryPool pool, uint32_t first, uint32_t count,
                  struct gv_error *err)
{
    struct gv_walk_queries *q;
    if (!find(w, pool, first, count, &q, err))
        return false;
    for (uint32_t i = first; q && i < first + count && i < q->known; i++)
        q->ready[i] = 1;
    if (q && count)
        gv_emit(w->b, query_reset, .query = q->lowered, .first = first, .count = count);
    return true;
}

GV_WALK_COMMAND(vkCmdResetQueryPool)
{
    if (w->pass.open)
        return gv_cap_fail(w->cap, err, "inside of a render pass");
    return reset(w, a->queryPool, a->firstQuery, a->queryCount, err);
}

bool gv_walk_reset_queries(struct gv_walk *w,
                           const struct gv_vk_args_vkResetQueryPool *a,
                           struct gv_error *err)
{
    return reset(w, a->queryPool, a->firstQuery, a->queryCount, err);
}

// What a query that was never reset counts is undefined.
static bool was_reset(struct gv_walk *w, const struct gv_walk_queries *q,
                      uint32_t query)
{
    if (query >= q->known || q->ready[query])
        return true;
    gv_walk_unsupported(w, "queries that were never reset");
    return false;
}

// In a pass of several views each has a query, one behind the other.
static uint32_t view_of(const struct gv_walk *w)
{
    return w->pass.many ? w->views.ordinal : 0;
}

GV_WALK_COMMAND(vkCmdBeginQuery)
{
    struct gv_walk_queries *q;
    const uint32_t query = a->query + view_of(w);
    if (!find(w, a->queryPool, query, 1, &q, err))
        return false;
    if (q && !w->skip && was_reset(w, q, query))
        gv_emit(w->b, query_begin, .query = q->lowered, .slot = query,
                .precise = a->flags & VK_QUERY_CONTROL_PRECISE_BIT);
    return true;
}

GV_WALK_COMMAND(vkCmdEndQuery)
{
    struct gv_walk_queries *q;
    const uint32_t query = a->query + view_of(w);
    if (!find(w, a->queryPool, query, 1, &q, err))
        return false;
    if (q && !w->skip && (query >= q->known || q->ready[query]))
        gv_emit(w->b, query_end, .query = q->lowered, .slot = query);
    return true;
}

static bool timestamp(struct gv_walk *w, VkQueryPool pool, uint32_t query,
                      struct gv_error *err)
{
    struct gv_walk_queries *q;
    query += view_of(w);
    if (!find(w, pool, query, 1, &q, err))
        return false;
    if (q && q->type == VK_QUERY_TYPE_TIMESTAMP && was_reset(w, q, query))
        gv_emit(w->b, query_timestamp, .query = q->lowered, .slot = query);
    return true;
}

GV_WALK_COMMAND(vkCmdWriteTimestamp)
{
    return timestamp(w, a->queryPool, a->query, err);
}

GV_WALK_COMMAND(vkCmdWriteTimestamp2)
{
    return timestamp(w, a->queryPool, a->query, err);
}

// The buffer for results before they are picked.
static struct gv_buffer results_buffer(struct gv_walk *w, uint64_t size)
{
    if (w->results.size < size) {
        if (w->results.buffer.id)
            gv_emit(w->b, buffer_destroy, .buffer = w->results.buffer);
        w->results.buffer = gv_emit(w->b, buffer_create, .size = size, .usage = 0);
        w->results.size = size;
    }
    return w->results.buffer;
}

// Of all statistics, those that the program's pool has.
static void copy_statistics(struct gv_walk *w, const struct gv_walk_queries *q,
                            const struct gv_vk_args_vkCmdCopyQueryPoolResults *a,
                            struct gv_buffer to)
{
    const uint32_t bytes = a->flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
    const uint32_t all = (STATISTICS + 1) * bytes; // and whether they are available
    const struct gv_buffer from = results_buffer(w, (uint64_t)a->queryCount * all);
    uint64_t offset = a->dstOffset;
    gv_emit(w->b, query_copy, .query = q->lowered, .first = a->firstQuery,
            .count = a->queryCount, .buffer = from, .offset = 0, .stride = all,
            .flags = a->flags);
    for (uint32_t i = 0; i <= STATISTICS; i++) {
        if (i < STATISTICS ? !(q->statistics >> i & 1)
                           : !(a->flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT))
            continue;
        gv_emit(w->b, buffer_copy_rows, .dst = to, .dst_offset = offset,
                .dst_stride = (uint32_t)a->stride, .src = from,
                .src_offset = (uint64_t)i * bytes, .src_stride = all,
                .row_bytes = bytes, .rows = a->queryCount);
        offset += bytes;
    }
}

GV_WALK_COMMAND(vkCmdCopyQueryPoolResults)
{
    struct gv_walk_queries *q;
    struct gv_cap_buffer *buffer =
        gv_cap_need(w->cap, GV_VK_ID(a->dstBuffer), GV_CAP_BUFFER, err);
    if (!buffer || !find(w, a->queryPool, a->firstQuery, a->queryCount, &q, err))
        return false;
    if (w->pass.open)
        return gv_cap_fail(w->cap, err, "inside of a render pass");
    const struct gv_buffer to = gv_walk_buffer(w, buffer);
    gv_walk_reads(w, &buffer->base, 0, UINT64_MAX);
    const uint32_t known =
        GV_QUERY_RESULT_64 | GV_QUERY_RESULT_WAIT | GV_QUERY_RESULT_WITH_AVAILABILITY;
    if (!q || !to.id || !a->queryCount)
        return true;
    if (a->flags & ~known) {
        gv_walk_unsupported(w, "partial results of queries");
        return true;
    }
    if (a->stride > UINT32_MAX)
        return gv_cap_fail(w->cap, err, "stride %llu", (unsigned long long)a->stride);
    if (q->type == VK_QUERY_TYPE_PIPELINE_STATISTICS)
        copy_statistics(w, q, a, to);
    else
        gv_emit(w->b, query_copy, .query = q->lowered, .first = a->firstQuery,
                .count = a->queryCount, .buffer = to, .offset = a->dstOffset,
                .stride = a->stride, .flags = a->flags);
    gv_cap_device_wrote(&buffer->base, a->dstOffset, UINT64_MAX - a->dstOffset);
    return true;
}
