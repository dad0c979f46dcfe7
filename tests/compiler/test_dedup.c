// Contents to numbers: bytes decide, memory is bounded, forgetting is regular; and the
// state cache, which lives by the same rules.
#include "compiler/builder/dedup.h"
#include "compiler/builder/state_cache.h"
#include "tests/test.h"

// Adds the content if it is new; returns its number, `next` if it was.
static uint32_t put(struct gv_dedup *d, uint64_t hash, uint64_t check, const void *data,
                    uint64_t size, uint32_t next)
{
    uint32_t number = next;
    switch (gv_dedup_find(d, hash, check, data, size, &number)) {
    case GV_DEDUP_COLLISION:
        return UINT32_MAX;
    case GV_DEDUP_NEW:
        CHECK(gv_dedup_add(d, hash, check, data, size, next));
        return next;
    case GV_DEDUP_KNOWN:
        break;
    }
    return number;
}

static void test_bytes_decide(void)
{
    struct gv_dedup d = { .max_entries = 100, .max_bytes = 1000 };
    CHECK(put(&d, 7, 0, "abcd", 4, 1) == 1);
    CHECK(put(&d, 7, 0, "abcd", 4, 2) == 1);
    CHECK(put(&d, 7, 0, "abce", 4, 3) == 3); // the hash alone is no identity
    CHECK(put(&d, 7, 0, "abc", 3, 4) == 4);
    CHECK(put(&d, 7, 0, "abce", 4, 5) == 3);
    CHECK(put(&d, 8, 9, "abcd", 4, 6) == 6);
    CHECK(put(&d, 8, 9, "abcd", 4, 7) == 6);
    CHECK(put(&d, 8, 9, "abce", 4, 8) == UINT32_MAX); // a content id must be one
    gv_dedup_finish(&d);
}

static void test_generations(void)
{
    struct gv_dedup d = { .max_entries = 4, .max_bytes = 1000 };
    for (uint32_t i = 0; i < 12; i++)
        CHECK(put(&d, i, 0, &i, sizeof i, i) == i);
    uint32_t first = 0, late = 11;
    CHECK(put(&d, 11, 0, &late, sizeof late, 99) == 11);
    CHECK(put(&d, 0, 0, &first, sizeof first, 77) == 77); // forgotten
    gv_dedup_finish(&d);

    // What stays in use is carried from generation to generation.
    d = (struct gv_dedup){ .max_entries = 4, .max_bytes = 1000 };
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(put(&d, 1000, 0, "used", 4, 1000 + i) == 1000);
        CHECK(put(&d, i, 0, &i, sizeof i, i) == i);
    }
    gv_dedup_finish(&d);
}

static void test_memory(void)
{
    static const uint8_t zeros[600];
    struct gv_dedup d = { .max_entries = 100, .max_bytes = 500 };
    CHECK(put(&d, 1, 0, zeros, 600, 1) == 1);
    CHECK(put(&d, 1, 0, zeros, 600, 2) == 2); // too large to be remembered
    for (uint32_t i = 0; i < 50; i++)
        put(&d, i, 0, zeros, 100 + i, i);
    CHECK(d.young.kept <= 500 && d.old.kept <= 500);
    gv_dedup_finish(&d);
    // Stable bytes cost nothing, however large.
    d = (struct gv_dedup){
        .max_entries = 100, .max_bytes = 500, .stable = zeros, .stable_size = 600
    };
    CHECK(put(&d, 1, 0, zeros, 600, 1) == 1);
    CHECK(put(&d, 1, 0, zeros, 600, 2) == 1);
    CHECK(d.young.kept == 0);
    CHECK(!gv_dedup_is_stable(&d, zeros + 1, 600) && !gv_dedup_is_stable(&d, &d, 1));
    gv_dedup_finish(&d);
}

static void test_state(void)
{
    struct gv_state_cache c = { 0 };
    const uint64_t one[] = { 1, 10 }, two[] = { 1, 20 }, other[] = { 2, 10 };
    uint64_t key = gv_state_key(0, 1, 2, 3);
    CHECK(key && !gv_state_key(0, 256, 0, 0) && !gv_state_key(0, 0, 1u << 20, 0));
    CHECK(key != gv_state_key(1, 1, 2, 3) && key != gv_state_key(0, 1, 3, 2));
    CHECK(!gv_state_cache_repeats(&c, key, one, 2));
    CHECK(gv_state_cache_repeats(&c, key, one, 2));
    CHECK(!gv_state_cache_repeats(&c, key, two, 2));
    CHECK(!gv_state_cache_repeats(&c, key, other, 2));
    CHECK(!gv_state_cache_repeats(&c, key, one, 2));
    gv_state_cache_forget(&c, key);
    CHECK(!gv_state_cache_repeats(&c, key, one, 2));
    // Many keys: the table grows, then forgets everything, but never lies.
    for (uint64_t i = 0; i < 3 * GV_STATE_ENTRIES; i++)
        CHECK(!gv_state_cache_repeats(&c, gv_state_key(4, 0, 1, i), one, 2));
    CHECK(c.count <= GV_STATE_ENTRIES);
    gv_state_cache_finish(&c);
}

int main(void)
{
    test_bytes_decide();
    test_generations();
    test_memory();
    test_state();
    return TEST_RESULT();
}
