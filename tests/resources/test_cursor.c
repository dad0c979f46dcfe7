// Checked reads: nothing passes the end, LEB128 has one spelling, bad stays bad.
#include "resources/base/cursor.h"
#include "tests/test.h"

#include <math.h>

static const struct {
    const char *name, *bytes;
    size_t size;
    bool good;
    uint64_t value;
} ulebs[] = {
    { "zero", "\0", 1, true, 0 },
    { "one_byte", "\x7f", 1, true, 127 },
    { "two_bytes", "\x80\x01", 2, true, 128 },
    { "largest", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, true, UINT64_MAX },
    { "empty", "", 0, false, 0 },
    { "cut", "\x80", 1, false, 0 },
    { "padded_zero", "\x80\0", 2, false, 0 },
    { "padded", "\xff\x80\0", 3, false, 0 },
    { "65_bits", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, false, 0 },
    { "endless", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12, false, 0 },
};

static const struct {
    const char *name, *bytes;
    size_t size;
    bool good;
    int64_t value;
} slebs[] = {
    { "zero", "\0", 1, true, 0 },
    { "minus_one", "\x7f", 1, true, -1 },
    { "63", "\x3f", 1, true, 63 },
    { "64", "\xc0\0", 2, true, 64 },
    { "minus_64", "\x40", 1, true, -64 },
    { "minus_65", "\xbf\x7f", 2, true, -65 },
    { "smallest", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10, true, INT64_MIN },
    { "largest", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\0", 10, true, INT64_MAX },
    { "padded_zero", "\x80\0", 2, false, 0 },
    { "padded_minus_one", "\xff\x7f", 2, false, 0 },
    { "65_bits", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, false, 0 },
    { "cut", "\xff", 1, false, 0 },
};

static void test_leb(void)
{
    for (size_t i = 0; i < sizeof ulebs / sizeof ulebs[0]; i++) {
        struct gv_cursor c = gv_cursor_make(ulebs[i].bytes, ulebs[i].size);
        CHECK_ROW(ulebs[i].name, gv_cursor_uleb(&c) == ulebs[i].value);
        CHECK_ROW(ulebs[i].name, c.bad == !ulebs[i].good);
        CHECK_ROW(ulebs[i].name, c.bad || c.pos == ulebs[i].size);
    }
    for (size_t i = 0; i < sizeof slebs / sizeof slebs[0]; i++) {
        struct gv_cursor c = gv_cursor_make(slebs[i].bytes, slebs[i].size);
        CHECK_ROW(slebs[i].name, gv_cursor_sleb(&c) == slebs[i].value);
        CHECK_ROW(slebs[i].name, c.bad == !slebs[i].good);
        CHECK_ROW(slebs[i].name, c.bad || c.pos == slebs[i].size);
    }
}

static void test_numbers(void)
{
    static const char bytes[] = "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\0\0\xc0\xff";
    struct gv_cursor c = gv_cursor_make(bytes, sizeof bytes - 1);
    CHECK(gv_cursor_u8(&c) == 1);
    CHECK(gv_cursor_u16(&c) == 0x0302);
    CHECK(gv_cursor_u32(&c) == 0x07060504);
    CHECK(gv_cursor_u64(&c) == 0x0f0e0d0c0b0a0908);
    CHECK(isnan(gv_cursor_f32(&c)) && !c.bad && gv_cursor_left(&c) == 0);
    CHECK(gv_cursor_u8(&c) == 0 && c.bad);
}

static void test_bad_stays_bad(void)
{
    struct gv_cursor c = gv_cursor_make("abcd", 4);
    CHECK(gv_cursor_u64(&c) == 0 && c.bad && c.pos == 0);
    CHECK(gv_cursor_u8(&c) == 0 && !gv_cursor_take(&c, 0));
    c = gv_cursor_make("abcd", 4);
    CHECK(!gv_cursor_take(&c, SIZE_MAX) && c.bad);
    c = gv_cursor_make("abcd", 4);
    gv_cursor_seek(&c, 4);
    CHECK(!c.bad && gv_cursor_left(&c) == 0 && gv_cursor_take(&c, 0));
    gv_cursor_seek(&c, 5);
    CHECK(c.bad);
}

static void test_slice(void)
{
    struct gv_cursor c = gv_cursor_make("abcdef", 6);
    struct gv_cursor inner = gv_cursor_slice(&c, 2, 3);
    CHECK(gv_cursor_u8(&inner) == 'c' && gv_cursor_left(&inner) == 2);
    inner = gv_cursor_slice(&c, 6, 0);
    CHECK(!inner.bad && gv_cursor_left(&inner) == 0);
    inner = gv_cursor_slice(&c, 5, 2);
    CHECK(inner.bad && !c.bad);
    inner = gv_cursor_slice(&c, SIZE_MAX, 2);
    CHECK(inner.bad);
}

// Twelve bytes must not make us allocate four gigabytes.
static void test_count(void)
{
    struct gv_cursor c = gv_cursor_make("\2\0\0\0abcdefgh", 12);
    CHECK(gv_cursor_count(&c, 4) == 2 && !c.bad);
    c = gv_cursor_make("\3\0\0\0abcdefgh", 12);
    CHECK(gv_cursor_count(&c, 4) == 0 && c.bad);
    c = gv_cursor_make("\377\377\377\377abcdefgh", 12);
    CHECK(gv_cursor_count(&c, 1) == 0 && c.bad);
}

int main(void)
{
    test_leb();
    test_numbers();
    test_bad_stays_bad();
    test_slice();
    test_count();
    return TEST_RESULT();
}
