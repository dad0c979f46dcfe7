#include "resources/async_kept.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/store.h"
#include "resources/store_walk.h"

#define LEVEL GV_CODEC_MIN_LEVEL // what the web had smaller is soon to be used

struct kept {
    struct gv_async base;   // first: the functions cast back
    struct gv_async *inner; // owned
    struct gv_async_keep keep;
    struct gv_store *store; // owned
    uint64_t size;          // bytes there, as far as this process knows
    bool off;               // something could not be written
    struct gv_order *ready; // first come first
    struct gv_order **ready_end;
};

// ---- what goes ----

struct file {
    char *path; // owned
    uint64_t size, age_s;
};

struct listing {
    struct file *files; // owned
    size_t count, capacity;
    uint64_t size;
};

static bool add_file(void *context, const struct gv_store_entry *entry,
                     struct gv_error *err)
{
    struct listing *l = context;
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 256;
        struct file *files = realloc(l->files, capacity * sizeof *files);
        if (!files)
            return gv_out_of_memory(err);
        l->files = files;
        l->capacity = capacity;
    }
    char *path = strdup(entry->path);
    if (!path)
        return gv_out_of_memory(err);
    l->files[l->count++] = (struct file){ path, entry->stored, entry->age_s };
    l->size += entry->stored;
    // cppcheck-suppress memleak; the listing has it
    return true;
}

static int by_age(const void *a, const void *b)
{
    const struct file *x = a, *y = b;
    return (x->age_s < y->age_s) - (x->age_s > y->age_s); // the oldest first
}

// Leaves at most `most` bytes. What killed writers left goes with the rest.
static void trim(struct kept *k, uint64_t most)
{
    struct listing l = { 0 };
    struct gv_error unused = GV_ERROR_INIT; // what is listed is what can go
    gv_store_walk(k->store, add_file, &l, &unused);
    if (l.count)
        qsort(l.files, l.count, sizeof *l.files, by_age);
    for (size_t i = 0; i < l.count; i++) {
        if (l.size > most && unlink(l.files[i].path) == 0)
            l.size -= l.files[i].size;
        free(l.files[i].path);
    }
    free(l.files);
    k->size = l.size;
}

// ---- what comes ----

// More than the limit may be there: others write, and not everything can go.
static bool has_room(const struct kept *k, uint64_t size)
{
    return k->size <= k->keep.limit && size <= k->keep.limit - k->size;
}

static void keep_object(struct kept *k, const struct gv_fetch *item)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_span raw = { item->data, (size_t)item->raw_size };
    if (k->off || item->raw_size > k->keep.limit / 2)
        return;
    if (!has_room(k, item->raw_size))
        trim(k, k->keep.limit / 2);
    if (!has_room(k, item->raw_size))
        return;
    k->off = !gv_store_put(k->store, &item->hash, raw, LEVEL, &err);
    k->size += item->raw_size; // or less
    if (k->off)
        gv_log(k->keep.log, GV_LOG_DEBUG, "nothing more is kept: %s", err.message);
}

static void settle(struct kept *k, struct gv_order *order)
{
    order->outcome = GV_ORDER_HERE;
    order->next = NULL;
    *k->ready_end = order;
    k->ready_end = &order->next;
    k->base.counters.kept++;
}

static bool recall(struct kept *k, struct gv_order *order)
{
    struct gv_error damaged = GV_ERROR_INIT;
    order->item.found = false;
    order->ticket = NULL;
    gv_error_clear(&order->error);
    if (!gv_store_get(k->store, &order->item, &damaged)) {
        gv_log(k->keep.log, GV_LOG_DEBUG, "%s: fetched anew", damaged.message);
        order->item.found = false;
    }
    if (!order->item.found)
        return false;
    gv_store_renew(k->store, &order->item.hash);
    order->ticket = k;
    return true;
}

// ---- the source ----

static bool submit(struct gv_async *async, struct gv_order *const *orders, size_t count,
                   struct gv_error *err)
{
    struct kept *k = (struct kept *)async;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    struct gv_order **open = calloc(count + 1, sizeof *open);
    size_t left = 0;
    if (!open)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++)
        if (!recall(k, orders[i]))
            open[left++] = orders[i];
    bool ok = !left || k->inner->submit(k->inner, open, left, err);
    free(open);
    // Others may be found by now, too: they are the inner one's to hand out.
    for (size_t i = 0; ok && i < count; i++)
        if (orders[i]->ticket == k)
            settle(k, orders[i]);
    return ok;
}

static void sooner(struct gv_async *async, struct gv_order *order)
{
    struct kept *k = (struct kept *)async;
    if (order->ticket != k)
        k->inner->sooner(k->inner, order);
}

static void cancel(struct gv_async *async, struct gv_order *order)
{
    struct kept *k = (struct kept *)async;
    struct gv_order **link = &k->ready;
    if (order->ticket != k) {
        k->inner->cancel(k->inner, order);
        return;
    }
    while (*link != order)
        link = &(*link)->next;
    *link = order->next;
    if (!*link)
        k->ready_end = link;
}

static struct gv_order *next_ready(struct gv_async *async, int wake, int wait_ms)
{
    struct kept *k = (struct kept *)async;
    struct gv_order *order = k->ready;
    if (order) {
        k->ready = order->next;
        if (!k->ready)
            k->ready_end = &k->ready;
        return order;
    }
    order = k->inner->poll(k->inner, wake, wait_ms);
    k->base.counters.requests = k->inner->counters.requests;
    if (order && order->outcome == GV_ORDER_HERE)
        keep_object(k, &order->item);
    return order;
}

static void destroy(struct gv_async *async)
{
    struct kept *k = (struct kept *)async;
    gv_async_destroy(k->inner);
    gv_store_destroy(k->store);
    free(k);
}

struct gv_async *gv_async_kept(struct gv_async *inner, const struct gv_async_keep *keep)
{
    struct kept *k = calloc(1, sizeof *k);
    if (k)
        k->store = gv_store_create(keep->folder, NULL);
    if (!k || !k->store) {
        free(k);
        return inner;
    }
    k->inner = inner;
    k->keep = *keep;
    k->ready_end = &k->ready;
    k->base = (struct gv_async){
        .name = inner->name,
        .fd = inner->fd,
        .counters = inner->counters,
        .submit = submit,
        .sooner = sooner,
        .cancel = cancel,
        .poll = next_ready,
        .destroy = destroy,
    };
    trim(k, keep->limit);
    return &k->base;
}
