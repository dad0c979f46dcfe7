// The child process: its results, its death and its silence.
#include "tools/child.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/test.h"

static enum gv_exit return_differ(void *context, struct gv_child_line *line)
{
    (void)context;
    gv_child_running(line);
    return GV_EXIT_DIFFER;
}

static enum gv_exit die(void *context, struct gv_child_line *line)
{
    (void)context;
    (void)line;
    raise(SIGKILL);
    return GV_EXIT_OK;
}

static enum gv_exit leave(void *context, struct gv_child_line *line)
{
    (void)context;
    (void)line;
    _exit(0); // as a driver might: without a result
}

static enum gv_exit hang(void *context, struct gv_child_line *line)
{
    (void)context;
    gv_child_running(line);
    while (pause() != 0) {
    }
    return GV_EXIT_OK;
}

static enum gv_exit hang_at_start(void *context, struct gv_child_line *line)
{
    (void)context;
    gv_child_starting(line);
    while (pause() != 0) {
    }
    return GV_EXIT_OK;
}

static const struct {
    const char *name;
    enum gv_exit (*work)(void *context, struct gv_child_line *line);
    enum gv_exit code;
    const char *message;
} cases[] = {
    { "returns", return_differ, GV_EXIT_DIFFER, "" },
    { "dies", die, GV_EXIT_LOST, "died" },
    { "leaves", leave, GV_EXIT_LOST, "ended by itself" },
    { "hangs", hang, GV_EXIT_LOST, "time-out: nothing completed" },
    { "hangs at start", hang_at_start, GV_EXIT_LOST, "the device was not ready" },
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_error err = GV_ERROR_INIT;
        const struct gv_child_params params = { .work = cases[i].work,
                                                .timeout_ns = 1000000 };
        CHECK_ROW(cases[i].name, gv_child_run(&params, &err) == cases[i].code);
        CHECK_ROW(cases[i].name, strstr(err.message, cases[i].message) != NULL);
        CHECK_ROW(cases[i].name,
                  (err.status == GV_ERR_LOST) == (cases[i].code == GV_EXIT_LOST));
    }
    return TEST_RESULT();
}
