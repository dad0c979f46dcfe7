// Fetching before use: a thread that orders what the schedule names next, so much at a
// time as keeps the sources busy, and what somebody waits for before all else.
#include "resources/base/now.h"
#include "resources/cache_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "resources/async.h"

#define NOBODY UINT32_MAX
#define MOST_FLIGHTS 128 // questions never fill a source's line
#define LEAST_FLIGHTS 2
// Bytes under way: as many as come while an order takes its way there and back, four
// times, since neither is known well.
#define LEAST_WINDOW ((uint64_t)1 << 20)
#define MOST_WINDOW ((uint64_t)64 << 20)
#define DELAYS_IN_WINDOW 4
#define STACK_BYTES ((size_t)512 << 10)

// One item under way. Only the thread knows of it.
struct flight {
    struct gv_order order; // first: what a source returns is cast back
    struct flight *next;
    uint32_t item;
    size_t source;
    uint64_t since_ns;
};

struct gv_cache_ahead {
    struct gv_cache *cache;
    pthread_t thread;
    pthread_cond_t settled;   // what is waited for has its outcome
    int wake[2];              // a pipe: there is something to do
    struct gv_async **asyncs; // owned; the sources, in their order
    bool *adapted;            // owned: made here
    size_t count;
    // Under the cache's lock:
    uint32_t waited; // for this item; NOBODY
    bool urged;      // its order is first
    bool failed;     // it has failed, for `error`
    struct gv_error error;
    bool paused; // something could not be fetched ahead: only what is waited for is
    bool stop, woken;
    uint64_t flying_bytes;
    struct gv_async_counters counters;
    // The thread's own:
    struct flight *flights; // owned
    size_t flight_count;
    uint64_t arrived, busy_ns, busy_since_ns; // bytes, in the time that something flew
    uint64_t delay_ns;                        // the least that an order has taken
};

// ---- how much ----

static uint64_t window(const struct gv_cache_ahead *a)
{
    if (!a->arrived || !a->busy_ns)
        return LEAST_WINDOW;
    double per_ns = (double)a->arrived / (double)a->busy_ns;
    double bytes = per_ns * (double)a->delay_ns * DELAYS_IN_WINDOW;
    return bytes > (double)MOST_WINDOW    ? MOST_WINDOW
           : bytes < (double)LEAST_WINDOW ? LEAST_WINDOW
                                          : (uint64_t)bytes;
}

static void note_arrival(struct gv_cache_ahead *a, const struct flight *f)
{
    uint64_t now = gv_now_ns(), took = now - f->since_ns;
    a->arrived += f->order.item.raw_size;
    a->busy_ns += now - a->busy_since_ns;
    a->busy_since_ns = now;
    if (!a->delay_ns || took < a->delay_ns)
        a->delay_ns = took;
}

// ---- flights ----

// Takes the room, which is there. False: out of memory.
static bool begin(struct gv_cache_ahead *a, uint32_t item, uint64_t rank)
{
    const struct gv_cache_item *what = &a->cache->params.items[item];
    struct flight *f = calloc(1, sizeof *f);
    uint8_t *data = malloc((size_t)what->raw_size + 1);
    if (!f || !data) {
        free(f);
        free(data);
        return false;
    }
    f->order = (struct gv_order){ .item = { what->hash, what->raw_size, data, false },
                                  .rank = rank };
    f->item = item;
    f->source = SIZE_MAX; // not with any yet
    f->next = a->flights;
    a->flights = f;
    if (!a->flight_count++)
        a->busy_since_ns = gv_now_ns();
    a->flying_bytes += what->raw_size;
    a->cache->bytes += what->raw_size;
    a->cache->entries[item].flying = true;
    // cppcheck-suppress memleak; the flight has it
    return true;
}

// Takes it out of the list; its room is free again.
static void end(struct gv_cache_ahead *a, struct flight *f)
{
    struct flight **link = &a->flights;
    while (*link != f)
        link = &(*link)->next;
    *link = f->next;
    a->flight_count--;
    a->flying_bytes -= f->order.item.raw_size;
    a->cache->bytes -= f->order.item.raw_size;
    a->cache->entries[f->item].flying = false;
}

static void drop(struct gv_cache_ahead *a, struct flight *f)
{
    end(a, f);
    free(f->order.item.data);
    free(f);
}

static void cancel(struct gv_cache_ahead *a, struct flight *f)
{
    struct gv_cache *c = a->cache;
    uint32_t use = c->entries[f->item].next_use;
    if (f->source < a->count)
        a->asyncs[f->source]->cancel(a->asyncs[f->source], &f->order);
    if (use < c->ahead_position)
        c->ahead_position = use;
    drop(a, f);
}

static struct flight *find(const struct gv_cache_ahead *a, uint32_t item)
{
    struct flight *f = a->flights;
    while (f && f->item != item)
        f = f->next;
    return f;
}

static struct flight *last_flight(const struct gv_cache_ahead *a)
{
    struct flight *last = NULL;
    for (struct flight *f = a->flights; f; f = f->next)
        if (!last || f->order.rank > last->order.rank)
            last = f;
    return last;
}

// ---- outcomes ----

static void fail_waited(struct gv_cache_ahead *a, const struct gv_error *why)
{
    a->error = *why;
    a->failed = true;
    pthread_cond_signal(&a->settled);
}

static void fail_flight(struct gv_cache_ahead *a, struct flight *f,
                        const struct gv_error *why)
{
    struct gv_cache_entry *entry = &a->cache->entries[f->item];
    if (f->item == a->waited) {
        fail_waited(a, why);
    } else {
        entry->failed = malloc(sizeof *entry->failed);
        if (entry->failed)
            *entry->failed = *why;
    }
    a->paused = true;
    drop(a, f);
}

// Hands the order to the first source, or to the next one that may have it.
static void hand_on(struct gv_cache_ahead *a, struct flight *f)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_order *order = &f->order;
    f->source++;
    f->since_ns = gv_now_ns();
    if (f->source >= a->count) {
        gv_cache_fail_absent(a->cache, f->item, &err);
        fail_flight(a, f, &err);
        return;
    }
    struct gv_async *async = a->asyncs[f->source];
    if (!async->submit(async, &order, 1, &err))
        fail_flight(a, f, &err);
}

static void take_outcome(struct gv_cache_ahead *a, struct flight *f)
{
    switch (f->order.outcome) {
    case GV_ORDER_ABSENT:
    case GV_ORDER_OPEN:
        hand_on(a, f);
        return;
    case GV_ORDER_FAILED:
        fail_flight(a, f, &f->order.error);
        return;
    case GV_ORDER_HERE:
        break;
    }
    note_arrival(a, f);
    end(a, f);
    a->cache->bytes += f->order.item.raw_size;
    gv_cache_put(a->cache, f->item, f->order.item.data, f->item == a->waited);
    if (f->item == a->waited) {
        a->paused = false;
        pthread_cond_signal(&a->settled);
    }
    free(f);
}

// ---- what to order ----

// What somebody waits for goes first, whatever else has to wait for it.
static void urge(struct gv_cache_ahead *a)
{
    struct gv_cache *c = a->cache;
    struct gv_error err = GV_ERROR_INIT;
    struct flight *f = find(a, a->waited);
    a->urged = true;
    if (c->entries[a->waited].data) // it has come meanwhile
        return;
    if (f) {
        f->order.rank = 0;
        if (f->source < a->count)
            a->asyncs[f->source]->sooner(a->asyncs[f->source], &f->order);
        return;
    }
    uint64_t size = c->params.items[a->waited].raw_size;
    bool room = gv_cache_make_room(c, size);
    while (!room && a->flights) {
        cancel(a, last_flight(a));
        room = gv_cache_make_room(c, size);
    }
    if (!room)
        gv_cache_fail_room(c, size, &err);
    else if (!begin(a, a->waited, 0))
        gv_out_of_memory(&err);
    if (err.status != GV_OK)
        fail_waited(a, &err);
}

// Nothing that is needed sooner goes.
static bool has_room(struct gv_cache *c, uint64_t size, size_t use)
{
    if (size > c->params.budget)
        return false;
    while (c->bytes > c->params.budget - size) {
        uint32_t item = gv_cache_farthest(c);
        if (item == GV_CACHE_NEVER || c->entries[item].next_use <= use)
            return false;
        gv_cache_evict(c, item);
    }
    return true;
}

static void look_ahead(struct gv_cache_ahead *a)
{
    struct gv_cache *c = a->cache;
    const struct gv_cache_params *p = &c->params;
    size_t until = p->ahead_uses < p->use_count ? p->ahead_uses : p->use_count;
    uint64_t most = window(a);
    // Few orders of many items are better than many of few.
    if (a->paused || (a->flying_bytes > most / 2 && a->flight_count >= LEAST_FLIGHTS))
        return;
    for (; c->ahead_position < until; c->ahead_position++) {
        uint32_t item = p->uses[c->ahead_position];
        const struct gv_cache_entry *entry = &c->entries[item];
        if (entry->data || entry->flying || entry->failed)
            continue;
        if (a->flight_count >= MOST_FLIGHTS ||
            (a->flying_bytes >= most && a->flight_count >= LEAST_FLIGHTS) ||
            !has_room(c, p->items[item].raw_size, c->ahead_position) ||
            !begin(a, item, 1 + c->ahead_position))
            break;
    }
}

// New flights go to the first source, all at once.
static void hand_out(struct gv_cache_ahead *a)
{
    struct gv_order *orders[MOST_FLIGHTS + 1];
    struct gv_error err = GV_ERROR_INIT;
    size_t count = 0;
    for (struct flight *f = a->flights; f; f = f->next)
        if (f->source == SIZE_MAX && count < MOST_FLIGHTS + 1) {
            f->source = 0;
            f->since_ns = gv_now_ns();
            orders[count++] = &f->order;
        }
    if (!a->count)
        for (size_t i = 0; i < count; i++)
            hand_on(a, (struct flight *)orders[i]);
    if (!a->count || !count || a->asyncs[0]->submit(a->asyncs[0], orders, count, &err))
        return;
    for (size_t i = 0; i < count; i++)
        fail_flight(a, (struct flight *)orders[i], &err);
}

// ---- the thread ----

static bool has_flights(const struct gv_cache_ahead *a, size_t source)
{
    const struct flight *f = a->flights;
    while (f && f->source != source)
        f = f->next;
    return f != NULL;
}

// An outcome that is there, or NULL. Sources that do their work here do one order's.
static struct flight *next_outcome(struct gv_cache_ahead *a)
{
    for (size_t i = 0; i < a->count; i++) {
        struct gv_order *order =
            has_flights(a, i) ? a->asyncs[i]->poll(a->asyncs[i], -1, 0) : NULL;
        if (order)
            return (struct flight *)order;
    }
    return NULL;
}

static void wait_for_more(struct gv_cache_ahead *a)
{
    enum { MOST = 64 };
    struct pollfd pollers[MOST + 1] = { { .fd = a->wake[0], .events = POLLIN } };
    nfds_t count = 1;
    uint8_t bytes[64];
    for (size_t i = 0; i < a->count && count <= MOST; i++)
        pollers[count++] = (struct pollfd){ .fd = a->asyncs[i]->fd, .events = POLLIN };
    if (poll(pollers, count, -1) > 0 && pollers[0].revents &&
        read(a->wake[0], bytes, sizeof bytes) < 0 && errno != EAGAIN)
        return;
}

static void count_all(struct gv_cache_ahead *a)
{
    a->counters = (struct gv_async_counters){ 0 };
    for (size_t i = 0; i < a->count; i++) {
        a->counters.requests += a->asyncs[i]->counters.requests;
        a->counters.kept += a->asyncs[i]->counters.kept;
    }
}

static void *run(void *context)
{
    struct gv_cache_ahead *a = context;
    pthread_mutex_t *lock = &a->cache->lock;
    pthread_mutex_lock(lock);
    while (!a->stop) {
        a->woken = false;
        if (a->waited != NOBODY && !a->urged)
            urge(a);
        look_ahead(a);
        hand_out(a);
        pthread_mutex_unlock(lock);
        struct flight *f = next_outcome(a);
        pthread_mutex_lock(lock);
        count_all(a);
        if (f) {
            take_outcome(a, f);
        } else if (!a->woken && !a->stop) {
            pthread_mutex_unlock(lock);
            wait_for_more(a);
            pthread_mutex_lock(lock);
        }
    }
    while (a->flights)
        cancel(a, a->flights);
    pthread_mutex_unlock(lock);
    return NULL;
}

// ---- the other side ----

void gv_cache_ahead_wake(struct gv_cache_ahead *a)
{
    if (a->woken)
        return;
    a->woken = true;
    // A pipe that is full wakes as well.
    if (write(a->wake[1], "", 1) < 0)
        return;
}

// Whether it is under way at a source that answers in its own time.
static bool is_far(const struct gv_cache_ahead *a, uint32_t item)
{
    const struct flight *f = find(a, item);
    return f && f->source < a->count && !a->adapted[f->source];
}

// Waits until something has settled, or for a second.
static void wait_a_while(struct gv_cache_ahead *a, uint32_t item)
{
    struct gv_cache *c = a->cache;
    struct timespec until;
    if (!c->params.waited) {
        pthread_cond_wait(&a->settled, &c->lock);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until); // the clock of conditions
    until.tv_sec++;
    if (pthread_cond_timedwait(&a->settled, &c->lock, &until) == ETIMEDOUT &&
        is_far(a, item))
        c->params.waited(c->params.waited_context);
}

bool gv_cache_ahead_wait(struct gv_cache_ahead *a, uint32_t item, struct gv_error *err)
{
    struct gv_cache *c = a->cache;
    struct gv_cache_entry *entry = &c->entries[item];
    free(entry->failed); // it may be there meanwhile
    entry->failed = NULL;
    a->waited = item;
    a->urged = a->failed = false;
    a->woken = false; // it may be about to wait
    gv_cache_ahead_wake(a);
    while (!entry->data && !a->failed)
        wait_a_while(a, item);
    a->waited = NOBODY;
    if (entry->data)
        return true;
    *err = a->error;
    return false;
}

void gv_cache_ahead_count(const struct gv_cache_ahead *a, struct gv_cache_counters *out)
{
    out->requests += a->counters.requests;
    out->kept += a->counters.kept;
}

// ---- life ----

static bool open_asyncs(struct gv_cache_ahead *a, struct gv_error *err)
{
    const struct gv_cache_params *p = &a->cache->params;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    a->asyncs = calloc(p->source_count + 1, sizeof *a->asyncs);
    a->adapted = calloc(p->source_count + 1, sizeof *a->adapted);
    if (!a->asyncs || !a->adapted)
        return gv_out_of_memory(err);
    for (; a->count < p->source_count; a->count++) {
        struct gv_source *source = p->sources[a->count];
        a->adapted[a->count] = !source->async;
        a->asyncs[a->count] =
            source->async ? source->async : gv_async_adapt(source, err);
        if (!a->asyncs[a->count])
            return false;
    }
    return true;
}

static bool start(struct gv_cache_ahead *a, struct gv_error *err)
{
    pthread_attr_t attributes;
    if (pipe(a->wake) || fcntl(a->wake[0], F_SETFL, O_NONBLOCK) ||
        fcntl(a->wake[1], F_SETFL, O_NONBLOCK) ||
        fcntl(a->wake[0], F_SETFD, FD_CLOEXEC) ||
        fcntl(a->wake[1], F_SETFD, FD_CLOEXEC))
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "no pipe to fetch by");
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int failed = pthread_create(&a->thread, &attributes, run, a);
    pthread_attr_destroy(&attributes);
    return !failed ||
           gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "no thread to fetch in");
}

static void destroy(struct gv_cache_ahead *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->adapted[i])
            gv_async_destroy(a->asyncs[i]);
    for (size_t i = 0; i < 2; i++)
        if (a->wake[i] >= 0)
            close(a->wake[i]);
    pthread_cond_destroy(&a->settled);
    free(a->asyncs);
    free(a->adapted);
    free(a);
}

struct gv_cache_ahead *gv_cache_ahead_create(struct gv_cache *c, struct gv_error *err)
{
    struct gv_cache_ahead *a = calloc(1, sizeof *a);
    if (!a) {
        gv_out_of_memory(err);
        return NULL;
    }
    a->cache = c;
    a->waited = NOBODY;
    a->wake[0] = a->wake[1] = -1;
    pthread_cond_init(&a->settled, NULL);
    if (open_asyncs(a, err) && start(a, err))
        return a;
    destroy(a);
    return NULL;
}

void gv_cache_ahead_destroy(struct gv_cache_ahead *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->cache->lock);
    a->stop = true;
    a->woken = false;
    gv_cache_ahead_wake(a);
    pthread_mutex_unlock(&a->cache->lock);
    pthread_join(a->thread, NULL);
    destroy(a);
}
