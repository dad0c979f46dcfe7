// The cache with a thread that fetches ahead: right bytes in any order of use and of
// arrival, within the budget, no further than it may; what is waited for comes first;
// what fails is told to who uses it, and to nobody else.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "resources/async.h"
#include "resources/cache.h"
#include "tests/test.h"

#define ITEMS 40
#define USES 600
#define ITEM_BYTES ((size_t)100)

static struct gv_cache_item items[ITEMS];
static uint32_t uses[USES];

// A source by orders that answers when it likes: the last order first, but what is
// urgent before it.
struct slow_source {
    struct gv_source base;
    struct gv_async async;
    pthread_mutex_t lock; // of what the test reads
    struct gv_order *open[ITEMS];
    size_t count;
    bool hold, fail,
        lack; // nothing but what is urgent is answered; all fail; no one is
    unsigned fetched[ITEMS], submits, sooner, cancelled;
};

static uint32_t item_of(const struct gv_hash *hash)
{
    uint32_t item = 0;
    while (!gv_hash_equal(&items[item].hash, hash))
        item++;
    return item;
}

static struct slow_source *of(struct gv_async *async)
{
    return (struct slow_source *)((char *)async - offsetof(struct slow_source, async));
}

static bool submit(struct gv_async *async, struct gv_order *const *orders, size_t count,
                   struct gv_error *err)
{
    struct slow_source *s = of(async);
    (void)err;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < count; i++)
        s->open[s->count++] = orders[i];
    s->submits++;
    pthread_mutex_unlock(&s->lock);
    return true;
}

static void sooner(struct gv_async *async, struct gv_order *order)
{
    CHECK(order->rank == 0);
    of(async)->sooner++;
}

static void take_out(struct slow_source *s, size_t at)
{
    s->count--;
    for (; at < s->count; at++)
        s->open[at] = s->open[at + 1];
}

static void cancel(struct gv_async *async, struct gv_order *order)
{
    struct slow_source *s = of(async);
    pthread_mutex_lock(&s->lock);
    size_t at = 0;
    while (s->open[at] != order)
        at++;
    take_out(s, at);
    s->cancelled++;
    pthread_mutex_unlock(&s->lock);
}

static struct gv_order *answer(struct slow_source *s)
{
    size_t at = s->count;
    for (size_t i = 0; i < s->count; i++)
        if (s->open[i]->rank == 0)
            at = i;
    if (at == s->count && s->count && !s->hold)
        at = s->count - 1;
    if (at == s->count)
        return NULL;
    struct gv_order *order = s->open[at];
    take_out(s, at);
    order->outcome = s->fail   ? GV_ORDER_FAILED
                     : s->lack ? GV_ORDER_ABSENT
                               : GV_ORDER_HERE;
    if (s->fail)
        gv_fail(&order->error, GV_ERR_FETCH, GV_NO_OFFSET, "no connection");
    uint32_t item = item_of(&order->item.hash);
    memset(order->item.data, (int)item, (size_t)order->item.raw_size);
    s->fetched[item]++;
    return order;
}

static struct gv_order *poll_slow(struct gv_async *async, int wake, int wait_ms)
{
    struct slow_source *s = of(async);
    (void)wake;
    (void)wait_ms;
    pthread_mutex_lock(&s->lock);
    struct gv_order *order = answer(s);
    pthread_mutex_unlock(&s->lock);
    return order;
}

// The same without orders.
static bool fetch(struct gv_source *source, struct gv_fetch *wanted, size_t count,
                  struct gv_error *err)
{
    struct slow_source *s = (struct slow_source *)source;
    for (size_t i = 0; i < count; i++) {
        if (s->fail)
            return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "no connection");
        uint32_t item = item_of(&wanted[i].hash);
        memset(wanted[i].data, (int)item, (size_t)wanted[i].raw_size);
        wanted[i].found = !s->lack;
        pthread_mutex_lock(&s->lock);
        s->fetched[item]++;
        pthread_mutex_unlock(&s->lock);
    }
    return true;
}

static struct slow_source slow;
static struct gv_source *const sources[] = { &slow.base };

static void reset(bool by_orders)
{
    uint32_t seed = 3;
    slow = (struct slow_source){ .base = { .name = "slow", .fetch = fetch } };
    pthread_mutex_init(&slow.lock, NULL);
    slow.async = (struct gv_async){ .name = "slow",
                                    .fd = -1,
                                    .submit = submit,
                                    .sooner = sooner,
                                    .cancel = cancel,
                                    .poll = poll_slow };
    slow.base.async = by_orders ? &slow.async : NULL;
    for (uint32_t i = 0; i < ITEMS; i++)
        items[i] = (struct gv_cache_item){ gv_hash_bytes(&i, sizeof i), ITEM_BYTES };
    for (size_t i = 0; i < USES; i++) {
        seed = seed * 1664525u + 1013904223u;
        uses[i] = i < ITEMS ? (uint32_t)i : (seed >> 16) % ITEMS;
    }
}

static struct gv_cache *create(uint64_t budget, size_t ahead_uses)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_cache *cache =
        gv_cache_create(&(struct gv_cache_params){ .items = items,
                                                   .item_count = ITEMS,
                                                   .uses = uses,
                                                   .use_count = USES,
                                                   .sources = sources,
                                                   .source_count = 1,
                                                   .budget = budget,
                                                   .ahead = true,
                                                   .ahead_uses = ahead_uses },
                        &err);
    CHECK(cache != NULL);
    return cache;
}

static void nap(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

static unsigned fetched(uint32_t from, uint32_t to)
{
    unsigned sum = 0;
    pthread_mutex_lock(&slow.lock);
    for (uint32_t i = from; i < to; i++)
        sum += slow.fetched[i];
    pthread_mutex_unlock(&slow.lock);
    return sum;
}

static void use(struct gv_cache *cache, uint32_t item)
{
    struct gv_error err = GV_ERROR_INIT;
    const uint8_t *data = gv_cache_use(cache, item, &err);
    CHECK(data && data[0] == item && data[ITEM_BYTES - 1] == item);
}

static void check_all(bool by_orders, uint64_t budget, bool stray)
{
    reset(by_orders);
    struct gv_cache *cache = create(budget, USES);
    for (size_t i = 0; i < USES; i++) {
        if (stray && i % 7 == 0)
            use(cache, (uint32_t)(i * 11 % ITEMS)); // not in the schedule
        use(cache, uses[i]);
        CHECK(gv_cache_bytes(cache) <= budget);
        gv_cache_release(cache);
        if (i == USES / 2)
            gv_cache_seek(cache, i / 2);
        if (i == USES / 2)
            gv_cache_seek(cache, i + 1);
    }
    struct gv_cache_counters c;
    gv_cache_get_counters(cache, &c);
    CHECK(c.uses >= USES && c.hits + c.stalls == c.uses);
    if (budget >= ITEMS * ITEM_BYTES)
        CHECK(c.items == ITEMS && c.bytes == ITEMS * ITEM_BYTES);
    gv_cache_destroy(cache);
}

// Ahead of any use, as far as allowed, and no further.
static void check_limit(void)
{
    reset(true);
    struct gv_cache *cache = create(ITEMS * ITEM_BYTES, 10);
    for (int i = 0; i < 1000 && fetched(0, 10) < 10; i++)
        nap();
    nap();
    CHECK(fetched(0, 10) == 10 && fetched(10, ITEMS) == 0);
    use(cache, 3);
    use(cache, 30); // one that is used is fetched all the same
    CHECK(fetched(10, ITEMS) == 1);
    CHECK(slow.submits <= 4); // neighbours are ordered together
    gv_cache_destroy(cache);
}

static bool extend(struct gv_cache *cache, size_t count, size_t ahead_uses)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_cache_params more = { .items = items,
                                          .item_count = count,
                                          .uses = uses,
                                          .use_count = count,
                                          .budget = ITEMS * ITEM_BYTES,
                                          .ahead_uses = ahead_uses };
    return gv_cache_extend(cache, &more, &err);
}

// Items that come later are fetched before their use, too; and no further than they
// may.
static void check_extend(bool by_orders)
{
    struct gv_error err = GV_ERROR_INIT;
    reset(by_orders);
    struct gv_cache *cache =
        gv_cache_create(&(struct gv_cache_params){ .items = items,
                                                   .item_count = 8,
                                                   .uses = uses,
                                                   .use_count = 8,
                                                   .sources = sources,
                                                   .source_count = 1,
                                                   .budget = ITEMS * ITEM_BYTES,
                                                   .ahead = true,
                                                   .ahead_uses = 8 },
                        &err);
    CHECK(cache != NULL);
    if (!cache)
        return;
    use(cache, 0);
    gv_cache_release(cache);
    for (size_t count = 9; count <= 20; count++)
        CHECK(extend(cache, count, count));
    for (int i = 0; i < 1000 && fetched(0, 20) < 20; i++)
        nap();
    CHECK(fetched(0, 20) == 20);
    CHECK(extend(cache, ITEMS, 30));
    for (int i = 0; i < 1000 && fetched(0, 30) < 30; i++)
        nap();
    nap();
    CHECK(fetched(0, 30) == 30 && fetched(30, ITEMS) == 0);
    for (uint32_t i = 0; i < ITEMS; i++)
        use(cache, i);
    gv_cache_destroy(cache);
}

// What is used while it is under way overtakes the others; what there is no room for
// any more is given up.
static void check_urgent(void)
{
    reset(true);
    slow.hold = true;
    struct gv_cache *cache = create(4 * ITEM_BYTES, USES);
    use(cache, 2);
    CHECK(slow.sooner + (slow.fetched[2] == 1) > 0 && fetched(0, ITEMS) == 1);
    use(cache, 20);
    use(cache, 21);
    CHECK(slow.cancelled >= 1 && fetched(0, ITEMS) == 3);
    gv_cache_release(cache);
    gv_cache_destroy(cache);
    CHECK(slow.count == 0);
}

// What could not be fetched ahead is tried again when it is used, and told then.
static void check_failures(bool by_orders)
{
    struct gv_error err = GV_ERROR_INIT;
    reset(by_orders);
    slow.fail = true;
    struct gv_cache *cache = create(ITEMS * ITEM_BYTES, USES);
    for (int i = 0; i < 5; i++)
        nap();
    CHECK(!gv_cache_use(cache, 0, &err) && err.status == GV_ERR_FETCH);
    CHECK(strstr(err.message, "no connection") != NULL);
    pthread_mutex_lock(&slow.lock);
    slow.fail = false;
    pthread_mutex_unlock(&slow.lock);
    for (uint32_t i = 0; i < ITEMS; i++)
        use(cache, i);
    gv_cache_destroy(cache);

    char hex[GV_HASH_HEX];
    gv_error_clear(&err);
    reset(by_orders);
    slow.lack = true;
    cache = create(ITEMS * ITEM_BYTES, USES);
    CHECK(!gv_cache_use(cache, 5, &err) && err.status == GV_ERR_FETCH);
    gv_hash_to_hex(&items[5].hash, hex);
    CHECK(strstr(err.message, hex) != NULL);
    gv_cache_destroy(cache);

    gv_error_clear(&err);
    reset(by_orders);
    cache = create(ITEM_BYTES - 1, USES);
    CHECK(!gv_cache_use(cache, 5, &err) && err.status == GV_ERR_LIMIT);
    gv_cache_destroy(cache);
}

int main(void)
{
    for (int by_orders = 0; by_orders < 2; by_orders++)
        for (uint64_t budget = 2; budget <= ITEMS + 1; budget = budget * 2 + 1)
            for (int stray = 0; stray < 2; stray++)
                check_all(by_orders, budget * ITEM_BYTES, stray);
    check_all(true, ITEMS * ITEM_BYTES, false);
    check_limit();
    check_urgent();
    check_extend(false);
    check_extend(true);
    check_failures(false);
    check_failures(true);
    return TEST_RESULT();
}
