#include "resources/async.h"

#include <stdlib.h>

void gv_async_destroy(struct gv_async *async)
{
    if (async)
        async->destroy(async);
}

// ---- a blocking source ----

struct adapter {
    struct gv_async base; // first: the functions cast back
    struct gv_source *source;
    struct gv_order **open; // owned
    size_t count, capacity;
};

static bool submit(struct gv_async *async, struct gv_order *const *orders, size_t count,
                   struct gv_error *err)
{
    struct adapter *a = (struct adapter *)async;
    if (count > a->capacity - a->count) {
        size_t capacity = 2 * a->capacity + count;
        // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
        struct gv_order **open = realloc(a->open, capacity * sizeof *open);
        if (!open)
            return gv_out_of_memory(err);
        a->open = open;
        a->capacity = capacity;
    }
    for (size_t i = 0; i < count; i++)
        a->open[a->count++] = orders[i];
    return true;
}

static void sooner(struct gv_async *async, struct gv_order *order)
{
    (void)async; // ranks are looked at when the next one is chosen
    (void)order;
}

static void take_out(struct adapter *a, size_t at)
{
    a->count--;
    for (; at < a->count; at++)
        a->open[at] = a->open[at + 1];
}

static void cancel(struct gv_async *async, struct gv_order *order)
{
    struct adapter *a = (struct adapter *)async;
    for (size_t i = 0; i < a->count; i++)
        if (a->open[i] == order) {
            take_out(a, i);
            return;
        }
}

static struct gv_order *fetch_next(struct gv_async *async, int wake, int wait_ms)
{
    struct adapter *a = (struct adapter *)async;
    size_t first = 0;
    (void)wake;
    (void)wait_ms;
    if (!a->count)
        return NULL;
    for (size_t i = 1; i < a->count; i++)
        if (a->open[i]->rank < a->open[first]->rank)
            first = i;
    struct gv_order *order = a->open[first];
    take_out(a, first);
    gv_error_clear(&order->error);
    order->item.found = false;
    a->base.counters.requests++;
    if (!a->source->fetch(a->source, &order->item, 1, &order->error))
        order->outcome = GV_ORDER_FAILED;
    else
        order->outcome = order->item.found ? GV_ORDER_HERE : GV_ORDER_ABSENT;
    return order;
}

static void destroy(struct gv_async *async)
{
    struct adapter *a = (struct adapter *)async;
    free(a->open);
    free(a);
}

struct gv_async *gv_async_adapt(struct gv_source *source, struct gv_error *err)
{
    struct adapter *a = calloc(1, sizeof *a);
    if (!a) {
        gv_out_of_memory(err);
        return NULL;
    }
    a->source = source;
    a->base = (struct gv_async){
        .name = source->name,
        .fd = -1,
        .submit = submit,
        .sooner = sooner,
        .cancel = cancel,
        .poll = fetch_next,
        .destroy = destroy,
    };
    return &a->base;
}

// ---- waiting for all ----

#define STEP_MS 1000 // that somebody is told of

static struct gv_order *wait_for_one(struct gv_async *async)
{
    for (;;) {
        struct gv_order *order = async->poll(async, -1, async->waited ? STEP_MS : -1);
        if (order)
            return order;
        if (async->waited)
            async->waited(async->waited_context);
    }
}

// So many that all of them can be told before the first one is answered.
#define AT_ONCE 1024

static bool fetch_some(struct gv_async *async, struct gv_order *orders,
                       struct gv_order **list, size_t count, struct gv_error *err)
{
    for (size_t i = 0; i < count; i++)
        list[i] = &orders[i];
    if (!async->submit(async, list, count, err))
        return false;
    bool ok = true;
    for (size_t left = count; left; left--) {
        struct gv_order *order = wait_for_one(async);
        if (order->outcome == GV_ORDER_FAILED && ok)
            ok = gv_fail(err, order->error.status, order->error.offset, "%s",
                         order->error.message);
    }
    return ok;
}

bool gv_async_fetch(struct gv_async *async, struct gv_fetch *items, size_t count,
                    struct gv_error *err)
{
    struct gv_order *orders = calloc(AT_ONCE, sizeof *orders);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    struct gv_order **list = calloc(AT_ONCE, sizeof *list);
    bool ok = (orders && list) || gv_out_of_memory(err);
    for (size_t from = 0, to = 0; ok && from < count; from = to) {
        size_t some = 0;
        for (; to < count && some < AT_ONCE; to++)
            if (!items[to].found)
                orders[some++] = (struct gv_order){ .item = items[to], .rank = to };
        ok = fetch_some(async, orders, list, some, err);
        for (size_t i = from, k = 0; i < to && k < some; i++)
            if (!items[i].found)
                items[i].found = orders[k++].outcome == GV_ORDER_HERE;
    }
    free(orders);
    free(list);
    return ok;
}
