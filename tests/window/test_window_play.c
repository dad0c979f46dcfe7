// What keys do to what is shown next: a row is keys, and the frames that follow.
#include "tools/window/window_play.h"

#include "tests/test.h"

// Letters: `.` the next frame is shown, if there is one, `_` space, `<` `>` steps,
// digits and `e` jumps, `l` loop.
static const struct {
    const char *name;
    uint64_t count, passes;
    const char *keys;
    const char *shown; // one letter a frame
} rows[] = {
    { "to the end", 4, 1, "......", "0123" },
    { "none", 0, 1, "._.>.e.l.", "" },
    { "one", 1, 1, "...", "0" },
    { "two passes", 3, 2, "........", "012012" },
    { "pause", 5, 1, ".._..._..", "0123" },
    { "from the end on", 3, 1, "....._.....", "012012" },
    { "step on", 5, 1, ".>.>..", "012" },
    { "step on and play", 5, 1, ".>._..", "0123" },
    { "step back", 5, 1, "...<.<.<.<.", "0121000" },
    { "steps at once", 9, 1, ".>>>.<<.", "031" },
    { "step over the end", 3, 1, "...>.>.", "01222" },
    { "home and end", 6, 1, ".e.0...", "05012" },
    { "tenths", 9, 1, "._5.9.1.e.", "04808" },
    { "two jumps, one picture", 10, 1, ".85...", "0567" },
    { "loop", 9, 1, ".._l>.>.l_.....", "012312312" },
    { "loop backwards", 9, 1, "._5.l<.<.l_.....", "043234234" },
    { "loop of one", 9, 1, ".._ll_...", "01111" },
    { "loop ended", 9, 1, "._ll_..l...", "000123" },
};

static void press(struct gv_play *p, char key, uint64_t now)
{
    const char *name = key == '_'   ? "Space"
                       : key == '<' ? "Left"
                       : key == '>' ? "Right"
                       : key == 'e' ? "End"
                       : key == 'l' ? "L"
                                    : (const char[]){ key, '\0' };
    const struct gv_window_key *row = gv_window_key_find(name);
    CHECK(row != NULL);
    if (row)
        gv_play_act(p, row->action, row->number, now);
}

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_play p;
        char shown[32] = "";
        size_t n = 0;
        uint64_t now = 0;
        gv_play_init(&p, rows[i].count, rows[i].passes, 60000);
        for (const char *key = rows[i].keys; *key; key++) {
            now += 1000000;
            const uint64_t next = gv_play_next(&p);
            if (*key != '.') {
                press(&p, *key, now);
            } else if (next != GV_PLAY_NONE) {
                gv_play_show(&p, now);
                CHECK_ROW(rows[i].name, p.shown == next);
                shown[n++] = (char)('0' + p.shown);
            }
        }
        CHECK_ROW(rows[i].name, strcmp(shown, rows[i].shown) == 0);
        CHECK_ROW(rows[i].name, p.times == n);
        if (strcmp(shown, rows[i].shown) != 0)
            fprintf(stderr, "%s\n", shown);
    }
}

// Frames that come: `+` one more is there, of which so many are kept, `!` that was all.
static const struct {
    const char *name;
    uint64_t kept;
    const char *keys, *shown;
} streams[] = {
    { "as they come", 9, ".+.+.+.+.!..", "0123" },
    { "nothing comes", 9, "..!...", "" },
    { "left before the next", 9, "+.+._<..>.", "0101" },
    { "what has not come", 9, "+.>.+.", "01" },
    { "that never comes", 9, "+.>.!..", "0" },
    { "no further", 9, "+.>>>>.+.+.", "01" },
    { "ends of what has come", 9, "+.+.+._0.e.", "01202" },
    { "what is gone", 2, "+.+.+.+._0.<.<.", "0123222" },
    { "a jump to what goes", 2, "+.+._0+++.", "013" },
    { "loops", 2, "+.+.l+.+.l!...", "0123232" },
    { "ended, and again", 3, "+.+.+.!_...", "012012" },
};

static void play_stream(struct gv_play *p, size_t row, char *shown)
{
    uint64_t now = 0, came = 0;
    for (const char *key = streams[row].keys; *key; key++) {
        const uint64_t next = gv_play_next(p);
        now += 1000000;
        if (*key == '+') {
            came++;
            gv_play_came(p, came - 1,
                         came > streams[row].kept ? came - streams[row].kept : 0);
        } else if (*key == '!') {
            gv_play_came_all(p, came);
        } else if (*key != '.') {
            press(p, *key, now);
        } else if (next != GV_PLAY_NONE && next < came) {
            gv_play_show(p, now);
            *shown++ = (char)('0' + p->shown);
        }
    }
}

static void test_streams(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        struct gv_play p;
        char shown[32] = "";
        gv_play_init_stream(&p, 60000);
        play_stream(&p, i, shown);
        CHECK_ROW(streams[i].name, strcmp(shown, streams[i].shown) == 0);
        if (strcmp(shown, streams[i].shown) != 0)
            fprintf(stderr, "%s\n", shown);
    }
}

// Jumps are at once, and the clock begins anew behind them; all else is at its time.
static void test_due(void)
{
    struct gv_play p;
    gv_play_init(&p, 9, 1, 50000);
    CHECK(gv_play_due_ns(&p) == 0);
    gv_play_show(&p, 7000000000);
    CHECK(gv_play_due_ns(&p) == 7020000000);
    gv_play_act(&p, GV_WINDOW_STEP, 1, 7001000000);
    CHECK(gv_play_due_ns(&p) == 0);
    gv_play_show(&p, 7002000000);
    CHECK(gv_play_next(&p) == GV_PLAY_NONE && !gv_play_ended(&p));
    gv_play_act(&p, GV_WINDOW_PAUSE, 0, 9000000000);
    CHECK(gv_play_due_ns(&p) == 9020000000);
    gv_play_act(&p, GV_WINDOW_SPEED, 1, 9000000000);
    CHECK(gv_play_due_ns(&p) == 9010000000);
    CHECK(gv_play_after(&p, 7) == 8 && gv_play_after(&p, 8) == GV_PLAY_NONE);
    gv_play_seek(&p, UINT64_MAX - 1);
    CHECK(gv_play_next(&p) == 8);
    gv_play_show(&p, 9500000000);
    CHECK(gv_play_ended(&p) && p.pacing.late == 0);
}

// Every key is in the table once, and what has a line of help is found by it.
static void test_keys(void)
{
    for (size_t i = 0; i < gv_window_key_count; i++) {
        CHECK_ROW(gv_window_keys[i].key,
                  gv_window_key_find(gv_window_keys[i].key) == &gv_window_keys[i]);
        CHECK_ROW(gv_window_keys[i].key,
                  !gv_window_keys[i].keys == !gv_window_keys[i].what);
    }
    CHECK(!gv_window_key_find("Backspace") && !gv_window_key_find(""));
}

int main(void)
{
    test_rows();
    test_streams();
    test_due();
    test_keys();
    return TEST_RESULT();
}
