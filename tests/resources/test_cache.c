// The cache: right bytes, within its budget, and what is needed farthest ahead goes
// first: its misses are those of an oracle that tries nothing cleverer.
#include "resources/cache.h"
#include "tests/test.h"

#define ITEMS 12
#define USES 400
#define ITEM_BYTES ((size_t)100)

// A source that counts, and can fail.
struct counting_source {
    struct gv_source base;
    unsigned fetched[ITEMS];
    bool lend, fail, lack;
    uint8_t lent[ITEM_BYTES];
};

static struct gv_cache_item items[ITEMS];
static uint32_t uses[USES];

static uint32_t item_of(const struct gv_hash *hash)
{
    uint32_t item = 0;
    while (!gv_hash_equal(&items[item].hash, hash))
        item++;
    return item;
}

static bool fetch(struct gv_source *source, struct gv_fetch *wanted, size_t count,
                  struct gv_error *err)
{
    struct counting_source *s = (struct counting_source *)source;
    if (s->fail)
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "damaged");
    for (size_t i = 0; i < count && !s->lack; i++) {
        uint32_t item = item_of(&wanted[i].hash);
        memset(wanted[i].data, (int)item, (size_t)wanted[i].raw_size);
        wanted[i].found = true;
        s->fetched[item]++;
    }
    return true;
}

static const uint8_t *borrow(struct gv_source *source, const struct gv_hash *hash,
                             uint64_t raw_size)
{
    struct counting_source *s = (struct counting_source *)source;
    return s->lend && item_of(hash) == 3 && raw_size == ITEM_BYTES ? s->lent : NULL;
}

static struct counting_source source;
static struct gv_source *const sources[] = { &source.base };

static void reset(void)
{
    uint32_t seed = 3;
    source = (struct counting_source){
        .base = { .name = "test", .fetch = fetch, .borrow = borrow }
    };
    memset(source.lent, 3, sizeof source.lent);
    for (uint32_t i = 0; i < ITEMS; i++)
        items[i] = (struct gv_cache_item){ gv_hash_bytes(&i, sizeof i), ITEM_BYTES };
    for (size_t i = 0; i < USES; i++) {
        seed = seed * 1664525u + 1013904223u;
        uses[i] = (seed >> 16) % ITEMS;
    }
}

static struct gv_cache *create(uint64_t budget)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_cache_params params = {
        .items = items,
        .item_count = ITEMS,
        .uses = uses,
        .use_count = USES,
        .sources = sources,
        .source_count = 1,
        .budget = budget,
    };
    struct gv_cache *cache = gv_cache_create(&params, &err);
    CHECK(cache != NULL);
    return cache;
}

// Belady's rule by brute force.
static unsigned oracle_misses(size_t room)
{
    bool here[ITEMS] = { false };
    size_t count = 0;
    unsigned misses = 0;
    for (size_t at = 0; at < USES; at++) {
        if (here[uses[at]])
            continue;
        misses++;
        if (count == room) {
            size_t farthest = 0, victim = ITEMS; // none yet
            for (size_t i = 0; i < ITEMS; i++) {
                size_t next = at;
                while (next < USES && uses[next] != i)
                    next++;
                if (here[i] && (victim == ITEMS || next > farthest)) {
                    farthest = next;
                    victim = i;
                }
            }
            if (victim < ITEMS)
                here[victim] = false;
            count--;
        }
        here[uses[at]] = true;
        count++;
    }
    return misses;
}

static void play(struct gv_cache *cache, size_t from, size_t to, uint64_t budget)
{
    struct gv_error err = GV_ERROR_INIT;
    for (size_t at = from; at < to; at++) {
        const uint8_t *data = gv_cache_use(cache, uses[at], &err);
        CHECK(data && data[0] == uses[at] && data[ITEM_BYTES - 1] == uses[at]);
        CHECK(gv_cache_bytes(cache) <= budget);
        CHECK(gv_cache_position(cache) == at + 1);
        gv_cache_release(cache);
    }
}

static void test_farthest_next_use(void)
{
    for (size_t room = 1; room <= ITEMS; room++) {
        reset();
        struct gv_cache *cache = create(room * ITEM_BYTES + 7);
        struct gv_cache_counters counters;
        play(cache, 0, USES, room * ITEM_BYTES + 7);
        gv_cache_get_counters(cache, &counters);
        CHECK(counters.items == oracle_misses(room));
        CHECK(counters.uses == USES && counters.hits == USES - counters.items);
        CHECK(counters.bytes == counters.items * ITEM_BYTES);
        gv_cache_destroy(cache);
    }
}

static void test_seek(void)
{
    reset();
    struct gv_cache *cache = create(5 * ITEM_BYTES);
    play(cache, 0, 100, 5 * ITEM_BYTES);
    gv_cache_seek(cache, 250); // forward
    play(cache, 250, 300, 5 * ITEM_BYTES);
    gv_cache_seek(cache, 0); // back
    play(cache, 0, USES, 5 * ITEM_BYTES);
    gv_cache_seek(cache, USES + 10);
    CHECK(gv_cache_position(cache) == USES);
    struct gv_error err = GV_ERROR_INIT;
    CHECK(gv_cache_use(cache, 2, &err) != NULL); // unscheduled
    CHECK(gv_cache_position(cache) == USES);
    gv_cache_destroy(cache);
}

static void test_pins(void)
{
    struct gv_error err = GV_ERROR_INIT;
    reset();
    struct gv_cache *cache = create(3 * ITEM_BYTES);
    const uint8_t *held[3];
    for (uint32_t i = 0; i < 3; i++)
        held[i] = gv_cache_use(cache, i, &err);
    CHECK(gv_cache_use(cache, 0, &err) == held[0]);
    CHECK(!gv_cache_use(cache, 5, &err) && err.status == GV_ERR_LIMIT);
    for (uint32_t i = 0; i < 3; i++)
        CHECK(held[i][0] == i); // still there
    gv_error_clear(&err);
    gv_cache_release(cache);
    CHECK(gv_cache_use(cache, 5, &err) != NULL);
    gv_cache_destroy(cache);
    gv_cache_destroy(NULL);
}

static void test_borrowing(void)
{
    struct gv_error err = GV_ERROR_INIT;
    reset();
    source.lend = true;
    struct gv_cache *cache = create(ITEM_BYTES);
    CHECK(gv_cache_use(cache, 3, &err) == source.lent);
    CHECK(gv_cache_bytes(cache) == 0 && source.fetched[3] == 0);
    CHECK(gv_cache_use(cache, 4, &err) != NULL); // room for it: borrowed bytes are free
    gv_cache_destroy(cache);
}

static void test_failures(void)
{
    struct gv_error err = GV_ERROR_INIT;
    reset();
    struct gv_cache *cache = create(4 * ITEM_BYTES);
    source.fail = true;
    CHECK(!gv_cache_use(cache, 1, &err) && err.status == GV_ERR_FETCH);
    gv_error_clear(&err);
    source.fail = false;
    source.lack = true;
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(&items[1].hash, hex);
    CHECK(!gv_cache_use(cache, 1, &err) && err.status == GV_ERR_FETCH);
    CHECK(strstr(err.message, hex) != NULL && gv_cache_bytes(cache) == 0);
    gv_error_clear(&err);
    CHECK(!gv_cache_use(cache, ITEMS, &err) && err.status == GV_ERR_USAGE);
    gv_cache_destroy(cache);
    gv_error_clear(&err);
    cache = create(ITEM_BYTES - 1);
    CHECK(!gv_cache_use(cache, 1, &err) && err.status == GV_ERR_LIMIT);
    gv_cache_destroy(cache);
    gv_error_clear(&err);
    const struct gv_cache_params wrong = {
        .items = items,
        .item_count = 2,
        .uses = uses,
        .use_count = USES,
        .sources = sources,
        .source_count = 1,
        .budget = 1000,
    };
    CHECK(!gv_cache_create(&wrong, &err) && err.status == GV_ERR_USAGE);
}

// Of a schedule that is not begun again little stays behind, but all that it still
// uses.
static void test_once(void)
{
    enum { MEBIBYTE = 1 << 20, GROUP = 3 * MEBIBYTE, MOST_SPENT = 8 * MEBIBYTE };
    static const uint32_t once_uses[] = { 0, 1, 2, 3, 4, 5, 0 };
    const size_t use_count = sizeof once_uses / sizeof *once_uses;
    struct gv_error err = GV_ERROR_INIT;
    for (int once = 0; once < 2; once++) {
        reset();
        for (size_t i = 0; i < ITEMS; i++)
            items[i].raw_size = GROUP;
        struct gv_cache *cache = gv_cache_create(
            &(struct gv_cache_params){ .items = items,
                                       .item_count = ITEMS,
                                       .uses = once_uses,
                                       .use_count = use_count,
                                       .sources = sources,
                                       .source_count = 1,
                                       .budget = (uint64_t)ITEMS * GROUP,
                                       .once = once == 1 },
            &err);
        for (size_t at = 0; at < use_count; at++) {
            const uint8_t *data = gv_cache_use(cache, once_uses[at], &err);
            CHECK(data && data[GROUP - 1] == once_uses[at]);
            gv_cache_release(cache);
        }
        CHECK(once ? gv_cache_bytes(cache) <= MOST_SPENT
                   : gv_cache_bytes(cache) == 6 * (uint64_t)GROUP);
        CHECK(source.fetched[0] == 1); // it had a use to come
        CHECK(gv_cache_use(cache, 1, &err) != NULL &&
              source.fetched[1] == 1u + (unsigned)once);
        gv_cache_destroy(cache);
    }
}

int main(void)
{
    test_farthest_next_use();
    test_seek();
    test_once();
    test_pins();
    test_borrowing();
    test_failures();
    return TEST_RESULT();
}
