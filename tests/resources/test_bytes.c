// The growable buffer: what is written reads back, failure sticks and is seen once.
#include "resources/base/bytes.h"
#include "resources/base/cursor.h"
#include "tests/test.h"

static void test_leb_round_trip(void)
{
    struct gv_bytes b = { 0 };
    for (unsigned shift = 0; shift < 64; shift++)
        for (int d = -1; d <= 1; d++) {
            uint64_t u = ((uint64_t)1 << shift) + (uint64_t)d;
            gv_bytes_uleb(&b, u);
            gv_bytes_sleb(&b, (int64_t)u);
            gv_bytes_sleb(&b, (int64_t)(0 - u));
        }
    struct gv_cursor c = gv_cursor_make(b.data, b.size);
    for (unsigned shift = 0; shift < 64; shift++)
        for (int d = -1; d <= 1; d++) {
            uint64_t u = ((uint64_t)1 << shift) + (uint64_t)d;
            CHECK(gv_cursor_uleb(&c) == u);
            CHECK(gv_cursor_sleb(&c) == (int64_t)u);
            CHECK(gv_cursor_sleb(&c) == (int64_t)(0 - u));
        }
    CHECK(!c.bad && gv_cursor_left(&c) == 0);
    gv_bytes_finish(&b);
}

static void test_numbers(void)
{
    struct gv_bytes b = { 0 };
    gv_bytes_u8(&b, 1);
    gv_bytes_u16(&b, 0x0302);
    gv_bytes_u32(&b, 0x07060504);
    gv_bytes_u64(&b, 0x0f0e0d0c0b0a0908);
    gv_bytes_f32(&b, 1.0f);
    CHECK(b.size == 19 &&
          memcmp(b.data, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\0\0\x80\x3f", 19) ==
              0);
    gv_bytes_zero_to(&b, 16);
    CHECK(b.size == 32 && b.data[31] == 0);
    gv_bytes_zero_to(&b, 16);
    CHECK(b.size == 32);
    gv_bytes_finish(&b);
    CHECK(!b.data && b.size == 0);
}

static void test_growth(void)
{
    struct gv_bytes b = { 0 };
    CHECK(gv_bytes_grow(&b, 0) && b.size == 0 && !b.failed); // NULL: no memory
    for (uint32_t i = 0; i < 100000; i++)
        gv_bytes_put(&b, &i, sizeof i);
    uint32_t last;
    memcpy(&last, b.data + b.size - sizeof last, sizeof last);
    CHECK(b.size == 400000 && last == 99999 && !b.failed);
    gv_bytes_put(&b, NULL, 0);
    CHECK(b.size == 400000);
    gv_bytes_finish(&b);
}

static void test_text(void)
{
    struct gv_bytes b = { 0 };
    for (int i = 0; i < 1000; i++)
        gv_bytes_printf(&b, "%d,%s;", i, "x");
    CHECK(b.size == 2890 + 3000 && memcmp(b.data, "0,x;1,x;", 8) == 0);
    gv_bytes_printf(&b, "%s", "");
    CHECK(b.size == 5890);
    gv_bytes_finish(&b);
}

static void test_failure_sticks(void)
{
    struct gv_bytes b = { 0 };
    gv_bytes_u8(&b, 1);
    CHECK(!gv_bytes_grow(&b, SIZE_MAX - 8) && b.failed);
    gv_bytes_u8(&b, 2);
    CHECK(b.size == 1 && b.failed && b.data[0] == 1);
    gv_bytes_finish(&b);
    CHECK(!b.failed);
}

int main(void)
{
    test_leb_round_trip();
    test_numbers();
    test_growth();
    test_text();
    test_failure_sticks();
    return TEST_RESULT();
}
