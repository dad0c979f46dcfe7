// Checked arithmetic at its edges, and how errors keep the first cause.
#include "resources/base/checked.h"
#include "resources/base/error.h"
#include "resources/base/log.h"
#include "tests/test.h"

static const struct {
    const char *name;
    uint64_t offset, size, total;
    bool inside;
} ranges[] = {
    { "whole", 0, 10, 10, true },
    { "empty_at_end", 10, 0, 10, true },
    { "empty_behind", 11, 0, 10, false },
    { "one_over", 1, 10, 10, false },
    { "wraps", UINT64_MAX, 2, 10, false },
    { "size_wraps", 2, UINT64_MAX, 10, false },
    { "largest", 0, UINT64_MAX, UINT64_MAX, true },
};

static void test_ranges(void)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        CHECK_ROW(ranges[i].name, gv_range_inside(ranges[i].offset, ranges[i].size,
                                                  ranges[i].total) == ranges[i].inside);
}

static void test_sums(void)
{
    uint64_t u = 7;
    size_t s = 7;
    uint32_t n = 7;
    CHECK(gv_add_u64(UINT64_MAX - 1, 1, &u) && u == UINT64_MAX);
    CHECK(!gv_add_u64(UINT64_MAX, 1, &u) && u == UINT64_MAX);
    CHECK(gv_mul_u64(UINT64_C(1) << 32, (UINT64_C(1) << 32) - 1, &u));
    CHECK(u == UINT64_C(0xffffffff00000000));
    CHECK(!gv_mul_u64(UINT64_C(1) << 32, UINT64_C(1) << 32, &u));
    CHECK(gv_mul_u64(UINT64_MAX, 0, &u) && u == 0);
    CHECK(!gv_add_size(SIZE_MAX, 1, &s) && s == 7);
    CHECK(!gv_mul_size(SIZE_MAX, 2, &s) && s == 7);
    CHECK(gv_mul_size(3, 5, &s) && s == 15 && gv_add_size(s, 1, &s) && s == 16);
    CHECK(gv_align_u64(65, 64, &u) && u == 128 && gv_align_u64(64, 64, &u) && u == 64);
    CHECK(!gv_align_u64(UINT64_MAX, 64, &u) && u == 64);
    CHECK(gv_narrow_u32(UINT32_MAX, &n) && n == UINT32_MAX);
    CHECK(!gv_narrow_u32(UINT64_C(1) << 32, &n) && n == UINT32_MAX);
}

static void test_first_error_wins(void)
{
    struct gv_error err = GV_ERROR_INIT;
    CHECK(!gv_fail(&err, GV_ERR_FORMAT, 12, "record %d is cut", 3));
    CHECK(!gv_fail(&err, GV_ERR_SYSTEM, 99, "later"));
    CHECK(err.status == GV_ERR_FORMAT && err.offset == 12);
    CHECK(strcmp(err.message, "record 3 is cut") == 0 && err.command == GV_NO_COMMAND);
    CHECK(!gv_error_at_command(&err, 5) && err.command == 5);
    gv_error_at_command(&err, 6);
    CHECK(err.command == 5);
    gv_error_clear(&err);
    gv_error_at_command(&err, 7);
    CHECK(err.status == GV_OK && err.command == GV_NO_COMMAND);
    CHECK(!gv_fail(NULL, GV_ERR_FORMAT, 0, "nobody listens"));
    CHECK(strcmp(gv_status_name(GV_ERR_NOT_FOUND), "not-found") == 0);
}

static void test_long_message(void)
{
    struct gv_error err = GV_ERROR_INIT;
    gv_fail(&err, GV_ERR_FORMAT, 0, "%0500d", 1);
    CHECK(strlen(err.message) == sizeof err.message - 1);
}

static void keep(void *context, enum gv_log_level level, const char *text)
{
    snprintf(context, 64, "%d %s", (int)level, text);
}

static void test_log(void)
{
    char kept[64] = "";
    const struct gv_log log = { keep, kept };
    gv_log(NULL, GV_LOG_INFO, "silence");
    gv_log(&log, GV_LOG_WARNING, "frame %d", 7);
    CHECK(strcmp(kept, "2 frame 7") == 0);
}

int main(void)
{
    test_ranges();
    test_sums();
    test_first_error_wins();
    test_long_message();
    test_log();
    return TEST_RESULT();
}
