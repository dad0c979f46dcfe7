// The arena: aligned, zeroed, overflow refused, all freed at once.
#include "resources/base/arena.h"
#include "tests/test.h"

#include <stdint.h>

static void test_alignment_and_zero(void)
{
    struct gv_arena arena = { 0 };
    for (size_t n = 0; n < 300; n++) {
        unsigned char *p = gv_arena_alloc(&arena, n);
        CHECK(p && (uintptr_t)p % 16 == 0);
        for (size_t i = 0; p && i < n; i++)
            CHECK(p[i] == 0);
        if (p)
            memset(p, 0xff, n);
    }
    CHECK(arena.total >= (size_t)300 * 150);
    gv_arena_finish(&arena);
    CHECK(!arena.head && arena.total == 0);
    gv_arena_finish(&arena);
}

static void test_neighbours_do_not_overlap(void)
{
    struct gv_arena arena = { 0 };
    unsigned char *kept[64];
    for (size_t i = 0; i < 64; i++) {
        kept[i] = gv_arena_alloc(&arena, 5000); // over several blocks
        memset(kept[i], (int)i, 5000);
    }
    for (size_t i = 0; i < 64; i++)
        CHECK(kept[i][0] == i && kept[i][4999] == i);
    unsigned char *large = gv_arena_alloc(&arena, 1 << 20);
    CHECK(large && large[(1 << 20) - 1] == 0);
    gv_arena_finish(&arena);
}

static void test_overflow(void)
{
    struct gv_arena arena = { 0 };
    CHECK(!gv_arena_alloc(&arena, SIZE_MAX));
    CHECK(!gv_arena_alloc(&arena, SIZE_MAX - 8));
    CHECK(!gv_arena_array(&arena, SIZE_MAX / 4, 8));
    CHECK(!gv_arena_copy(&arena, "", SIZE_MAX));
    CHECK(gv_arena_array(&arena, 0, 8) && gv_arena_array(&arena, 3, 8));
    gv_arena_finish(&arena);
}

static void test_copy(void)
{
    struct gv_arena arena = { 0 };
    char *copy = gv_arena_copy(&arena, "abcdef", 3);
    CHECK(strcmp(copy, "abc") == 0);
    CHECK(strcmp(gv_arena_copy(&arena, NULL, 0), "") == 0);
    gv_arena_finish(&arena);
}

int main(void)
{
    test_alignment_and_zero();
    test_neighbours_do_not_overlap();
    test_overflow();
    test_copy();
    return TEST_RESULT();
}
