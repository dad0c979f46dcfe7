// When frames are due, by a clock made here.
#include "tools/window/window_pacing.h"

#include "tests/test.h"

#define SECOND 1000000000u

static const uint32_t rates[] = { 1000,  25000, 30000, 49761,  50000,
                                  59826, 59940, 60000, 1000000 };

// How long `frames` take if each is shown as soon as it is due and made, `work_ns`
// after the one before. The clock ticks in steps of `tick_ns`.
static uint64_t play(struct gv_pacing *p, uint64_t frames, uint64_t work_ns,
                     uint64_t tick_ns)
{
    uint64_t now = 5 * SECOND;
    gv_pacing_restart(p, now);
    for (uint64_t i = 0; i < frames; i++) {
        const uint64_t due = gv_pacing_due_ns(p);
        now += work_ns;
        now = now > due ? now : due;
        now += (tick_ns - now % tick_ns) % tick_ns;
        gv_pacing_shown(p, now);
    }
    return now - 5 * SECOND;
}

// Ticks of a clock do not add up: the 300th frame is where it belongs.
static void test_even(void)
{
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct gv_pacing p;
        gv_pacing_init(&p, rates[i]);
        const uint64_t right = 300000u * (uint64_t)SECOND / rates[i];
        const uint64_t took = play(&p, 300, 1000, 100000);
        CHECK(took >= right && took <= right + 100000);
        CHECK(p.shown == 300 && p.late == 0);
        const uint64_t measured = gv_pacing_measured_millihz(&p);
        CHECK(gv_pacing_run_millihz(&p) <= rates[i]);
        CHECK(gv_pacing_run_millihz(&p) >= rates[i] * 99ull / 100);
        CHECK(measured >= rates[i] * 98ull / 100 &&
              measured <= rates[i] * 102ull / 100);
    }
}

static void test_speeds(void)
{
    struct gv_pacing p;
    gv_pacing_init(&p, 60000);
    for (int speed = -1; speed >= GV_PACING_SLOWEST; speed--)
        CHECK(gv_pacing_change_speed(&p, -1, 0) && p.speed == speed);
    CHECK(!gv_pacing_change_speed(&p, -1, 0));
    CHECK(gv_pacing_due_ns(&p) == 8ull * SECOND / 60);
    for (int speed = GV_PACING_SLOWEST + 1; speed <= GV_PACING_FASTEST; speed++)
        CHECK(gv_pacing_change_speed(&p, 1, SECOND) && p.speed == speed);
    CHECK(!gv_pacing_change_speed(&p, 1, 0));
    CHECK(gv_pacing_due_ns(&p) == SECOND + SECOND / 480);
}

// Frames that take longer than there is time are all late and all shown, and none is
// hurried afterwards.
static void test_late(void)
{
    struct gv_pacing p;
    gv_pacing_init(&p, 50000);
    CHECK(play(&p, 100, 40000000, 1) == 4ull * SECOND);
    CHECK(p.shown == 100 && p.late == 100);
    gv_pacing_init(&p, 50000);
    gv_pacing_restart(&p, 0);
    gv_pacing_shown(&p, 29000000); // nine of ten milliseconds that it may be behind
    CHECK(p.late == 0 && gv_pacing_due_ns(&p) == 40000000);
    gv_pacing_shown(&p, 51000000);
    CHECK(p.late == 1 && gv_pacing_due_ns(&p) == 60000000);
    gv_pacing_shown(&p, 2ull * SECOND);
    CHECK(p.late == 2 && gv_pacing_due_ns(&p) == 2020000000);
}

static void test_pause(void)
{
    struct gv_pacing p;
    gv_pacing_init(&p, 50000);
    CHECK(gv_pacing_measured_millihz(&p) == 0);
    play(&p, 10, 0, 1);
    CHECK(gv_pacing_measured_millihz(&p) == 50000);
    gv_pacing_restart(&p, 100ull * SECOND);
    CHECK(gv_pacing_measured_millihz(&p) == 0); // of before the pause
    CHECK(gv_pacing_due_ns(&p) == 100ull * SECOND + 20000000);
    gv_pacing_shown(&p, 100ull * SECOND + 20000000);
    CHECK(p.late == 0 && p.shown == 11);
    gv_pacing_set_rate(&p, 25000);
    gv_pacing_restart(&p, 0);
    CHECK(gv_pacing_due_ns(&p) == 40000000);
}

// A rate that changes with every frame: each is shown as long as its own says.
static void test_changes(void)
{
    struct gv_pacing p;
    uint64_t due = 0;
    gv_pacing_init(&p, 50000);
    gv_pacing_restart(&p, 0);
    for (unsigned i = 0; i < 100; i++) {
        due += i % 2 ? 40000000 : 20000000;
        CHECK(gv_pacing_due_ns(&p) == due);
        gv_pacing_shown(&p, due + 1000000);
        gv_pacing_set_rate(&p, i % 2 ? 50000 : 25000);
    }
    CHECK(p.shown == 100 && p.late == 0);
    gv_pacing_set_rate(&p, 50000); // the one it has: nothing counts anew
    CHECK(gv_pacing_due_ns(&p) == due + 20000000);
}

static void test_numbers(void)
{
    static const struct {
        const char *text;
        uint32_t millihz; // 0: refused
    } rows[] = {
        { "60", 60000 },
        { "59.94", 59940 },
        { "1", 1000 },
        { "1000", 1000000 },
        { "49.761", 49761 },
        { "0", 0 },
        { "0.999", 0 },
        { "1000.001", 0 },
        { "1001", 0 },
        { "60.", 0 },
        { ".5", 0 },
        { "6O", 0 },
        { "", 0 },
        { "-1", 0 },
        { "60.0000", 0 },
        { "60.5.5", 0 },
        { "1e3", 0 },
        { " 60", 0 },
        { "99999999999", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_error err = GV_ERROR_INIT;
        uint32_t millihz = 0;
        CHECK_ROW(rows[i].text, gv_pacing_parse(rows[i].text, &millihz, &err) ==
                                    (rows[i].millihz != 0));
        CHECK_ROW(rows[i].text, millihz == rows[i].millihz);
        CHECK_ROW(rows[i].text, (err.status == GV_OK) == (rows[i].millihz != 0));
    }
}

int main(void)
{
    test_numbers();
    test_even();
    test_speeds();
    test_late();
    test_pause();
    test_changes();
    return TEST_RESULT();
}
