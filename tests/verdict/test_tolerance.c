// Tolerances as people write them, good and bad.
#include "tools/verdict/tolerance.h"

#include "tests/test.h"

static const struct {
    const char *text;
    struct gv_tolerance means;
} good[] = {
    { "exact", { 0 } },
    { "0", { .share_of_drawn = 100 } },
    { "2", { .levels = 2, .share_of_drawn = 100 } },
    { "255,100", { .levels = 255, .share = 100, .share_of_drawn = 100 } },
    { "1,0.25,3.5", { .levels = 1, .share = 0.25, .share_of_drawn = 3.5 } },
    { "gl", { .levels = 2, .share = 0.5, .share_of_drawn = 2 } },
    { "perceptual", { .kind = GV_TOLERANCE_PERCEPTUAL, .mean = 0.05, .p99 = 0.3 } },
    { "perceptual:0.1", { .kind = GV_TOLERANCE_PERCEPTUAL, .mean = 0.1, .p99 = 0.3 } },
    { "perceptual:0,1", { .kind = GV_TOLERANCE_PERCEPTUAL, .mean = 0, .p99 = 1 } },
};

static const char *const bad[] = {
    "",
    "Exact",
    "exact ",
    "256",
    "1.5",
    "-1",
    "+1",
    " 1",
    "1,",
    "1,,2",
    "1,101",
    "1,2,3,4",
    "1,2,100.1",
    "0x1",
    "nan",
    "1e1",
    "1.2.3",
    "inf",
    "gl,1",
    "perceptual:",
    "perceptual,1",
    "perceptual:1.1",
    "perceptual:0,0,0",
    "perceptually",
    ".",
    "1;2",
};

int main(void)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const struct gv_tolerance *means = &good[i].means;
        struct gv_tolerance t;
        struct gv_error err = GV_ERROR_INIT;
        CHECK_ROW(good[i].text, gv_tolerance_parse(good[i].text, &t, &err));
        CHECK_ROW(good[i].text, t.kind == means->kind && t.levels == means->levels);
        CHECK_ROW(good[i].text,
                  t.share == means->share && t.share_of_drawn == means->share_of_drawn);
        CHECK_ROW(good[i].text, t.mean == means->mean && t.p99 == means->p99);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gv_tolerance t;
        struct gv_error err = GV_ERROR_INIT;
        CHECK_ROW(bad[i], !gv_tolerance_parse(bad[i], &t, &err));
        CHECK_ROW(bad[i], err.status == GV_ERR_USAGE && strstr(err.message, "LEVELS"));
    }
    return TEST_RESULT();
}
