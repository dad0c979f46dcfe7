// The bar on a terminal: nothing in the first second, then a line that is wiped; it
// shows while one step takes long, and nowhere but on terminals.
#define _GNU_SOURCE // posix_openpt
#include "resources/base/now.h"
#include "tests/test.h"
#include "tools/progress_bar.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void sleep_ms(long ms)
{
    const struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
    nanosleep(&t, NULL);
}

// What has been drawn on the terminal since it was last asked.
static const char *drawn(int terminal)
{
    static char text[1 << 16];
    ssize_t n = read(terminal, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

// Whether that is drawn, however busy the machine is.
static bool shows(int terminal, const char *text)
{
    for (int tries = 0; tries < 100; tries++) {
        if (strstr(drawn(terminal), text))
            return true;
        sleep_ms(100);
    }
    return false;
}

static int usual_error; // what standard error was

// A check that is told there, for the terminal is nobody's.
#define TELL(condition)                        \
    do {                                       \
        const bool holds = (condition);        \
        int terminal_end = dup(STDERR_FILENO); \
        dup2(usual_error, STDERR_FILENO);      \
        CHECK_ROW(#condition, holds);          \
        dup2(terminal_end, STDERR_FILENO);     \
        close(terminal_end);                   \
    } while (0)

// Standard error becomes a terminal; the other side of it, or -1.
static int open_terminal(void)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        return -1;
    int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    return end >= 0 && dup2(end, STDERR_FILENO) >= 0 ? terminal : -1;
}

static void check_long_step(int terminal)
{
    struct gv_progress_bar bar;
    gv_progress_bar_init(&bar, "testing");
    gv_progress_bar_start(&bar);
    gv_progress_bar_update(&bar, 1, 2);
    sleep_ms(300);
    const bool early = gv_now_ns() - bar.start_ns < 900000000;
    TELL(!early || strcmp(drawn(terminal), "") == 0);
    TELL(shows(terminal, "\rtesting ####################....................  50 %"));
    gv_progress_bar_update(&bar, 2, 2);
    TELL(shows(terminal, "100 %"));
    gv_progress_bar_finish(&bar);
    TELL(strstr(drawn(terminal), "\r\033[K"));
}

static void check_rate(int terminal)
{
    struct gv_progress_bar bar;
    gv_progress_bar_init(&bar, "testing");
    bar.unit = "frames";
    bar.start_ns -= 10000000000u;
    gv_progress_bar_start(&bar);
    gv_progress_bar_update(&bar, 1000000, 4000000);
    TELL(shows(terminal,
               "\rtesting #####...............  25 % 1000000 of 4000000 frames, "));
    TELL(shows(terminal, " s left\033[K"));
    gv_progress_bar_finish(&bar);
    TELL(strstr(drawn(terminal), "\r\033[K"));
}

static void check_short_work(int terminal)
{
    struct gv_progress_bar bar;
    gv_progress_bar_init(&bar, "testing");
    gv_progress_bar_start(&bar);
    gv_progress_bar_update(&bar, 1, 2);
    gv_progress_bar_finish(&bar);
    TELL(strcmp(drawn(terminal), "") == 0);
    gv_progress_bar_init(&bar, "never started");
    gv_progress_bar_update(&bar, 1, 2);
    gv_progress_bar_finish(&bar);
    TELL(strcmp(drawn(terminal), "") == 0);
}

static void check_elsewhere(void)
{
    struct gv_progress_bar bar;
    int file = open("/dev/null", O_WRONLY);
    dup2(file, STDERR_FILENO);
    gv_progress_bar_init(&bar, "testing");
    gv_progress_bar_start(&bar);
    TELL(!bar.terminal && !bar.drawing);
    gv_progress_bar_finish(&bar);
}

int main(void)
{
    usual_error = dup(STDERR_FILENO);
    int terminal = open_terminal();
    if (terminal < 0)
        return gv_test_skip("no terminals (/dev/pts)");
    setenv("NO_COLOR", "1", 1);
    check_long_step(terminal);
    check_rate(terminal);
    check_short_work(terminal);
    check_elsewhere();
    dup2(usual_error, STDERR_FILENO);
    return TEST_RESULT();
}
