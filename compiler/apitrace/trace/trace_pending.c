#include "compiler/apitrace/trace/trace_pending.h"

#include <stdlib.h>
#include <string.h>

static void destroy(struct gv_trace_pending *pending)
{
    gv_trace_pool_finish(&pending->pool);
    free(pending);
}

void gv_trace_pendings_finish(struct gv_trace_pendings *p)
{
    for (size_t i = 0; i < p->count; i++)
        destroy(p->list[i]);
    while (p->free) {
        struct gv_trace_pending *next = p->free->next_free;
        destroy(p->free);
        p->free = next;
    }
    free(p->list);
    *p = (struct gv_trace_pendings){ 0 };
}

struct gv_trace_pending *gv_trace_pending_take(struct gv_trace_pendings *p)
{
    struct gv_trace_pending *pending = p->free;
    if (pending) {
        p->free = pending->next_free;
        pending->next_free = NULL;
        return pending;
    }
    pending = calloc(1, sizeof *pending);
    if (pending)
        pending->pool.budget = &p->budget;
    return pending;
}

void gv_trace_pending_give_back(struct gv_trace_pendings *p,
                                struct gv_trace_pending *pending)
{
    gv_trace_pool_reset(&pending->pool);
    pending->call = (struct gv_trace_call){ 0 };
    pending->arguments = NULL;
    pending->capacity = 0;
    pending->borrows = false;
    pending->next_free = p->free;
    p->free = pending;
}

bool gv_trace_pending_enter(struct gv_trace_pendings *p,
                            struct gv_trace_pending *pending)
{
    if (p->count == p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 16;
        // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
        void *grown = realloc(p->list, capacity * sizeof *p->list);
        if (!grown)
            return false;
        p->list = grown;
        p->capacity = capacity;
    }
    p->list[p->count++] = pending;
    return true;
}

size_t gv_trace_pending_find(const struct gv_trace_pendings *p, uint64_t number)
{
    size_t low = 0, high = p->count;
    if (high && p->list[high - 1]->call.number == number) // as nearly always
        return high - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->list[middle]->call.number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->count && p->list[low]->call.number == number ? low : p->count;
}

struct gv_trace_pending *gv_trace_pending_leave(struct gv_trace_pendings *p,
                                                size_t index)
{
    struct gv_trace_pending *pending = p->list[index];
    p->count--;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    memmove(p->list + index, p->list + index + 1, (p->count - index) * sizeof *p->list);
    return pending;
}
