#define _GNU_SOURCE // prctl
#include "tools/window/window.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/foreign.h"
#include "tools/base/child_line.h"
#include "tools/base/inherited.h"
#include "tools/base/report.h"
#include "tools/window/window_line.h"
#include "tools/window/window_show.h"

#define OPEN_MS 10000

struct gv_window {
    pid_t process;
    int line;
};

static _Noreturn void be_window(const struct gv_window_params *params, int line,
                                pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // do not outlive the caller
    if (getppid() != parent)
        _exit(GV_EXIT_OUTPUT);
    prctl(PR_SET_NAME, "gpuvm-window");
    gv_inherited_close();
    _exit(gv_window_show(params, line));
}

static bool start(struct gv_window *window, const struct gv_window_params *params,
                  struct gv_error *err)
{
    int ends[2];
    if (!gv_window_line_open(ends))
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "socketpair: %s",
                       strerror(errno));
    fflush(stdout); // or it would be printed again
    const pid_t parent = getpid();
    window->process = fork();
    if (window->process == 0) {
        close(ends[0]);
        be_window(params, ends[1], parent);
    }
    close(ends[1]);
    window->line = ends[0];
    return window->process > 0 ||
           gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "fork: %s", strerror(errno));
}

// What it says of a line of standard error is shown in the window, too.
static void say_too(void *context, const char *text)
{
    const struct gv_window *window = context;
    gv_window_line_say(window->line, GV_WINDOW_SAID, text);
}

// A display may take the connection and say nothing, for ever.
static bool take_answer(const struct gv_window *window, struct gv_error *answer,
                        struct gv_error *err)
{
    struct pollfd line = { .fd = window->line, .events = POLLIN };
    int ready;
    do
        ready = poll(&line, 1, OPEN_MS);
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        kill(window->process, SIGKILL);
    if (ready == 0)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                       "no window can be opened: the display, or the session's bus, "
                       "says nothing for %d s",
                       OPEN_MS / 1000);
    return gv_child_line_take_answer(window->line, answer) ||
           gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "no window can be opened");
}

struct gv_window *gv_window_create(const struct gv_window_params *params,
                                   struct gv_error *err)
{
    struct gv_error answer = GV_ERROR_INIT;
    struct gv_window *window = malloc(sizeof *window);
    if (!window) {
        gv_out_of_memory(err);
        return NULL;
    }
    *window = (struct gv_window){ .line = -1 };
    bool opened = start(window, params, err) && take_answer(window, &answer, err);
    if (opened && answer.status != GV_OK)
        opened = gv_fail(err, answer.status, GV_NO_OFFSET, "%s", answer.message);
    if (opened) {
        gv_say_also(say_too, window);
        return window;
    }
    gv_window_close(window, NULL);
    return NULL;
}

int gv_window_open_file(struct gv_window *window, const char *name, const char *prefix,
                        uint64_t index, uint64_t count, struct gv_error *err)
{
    int ends[2];
    struct gv_window_message m = { .word = GV_WINDOW_OPEN,
                                   .frame = index,
                                   .count = count };
    if (!gv_window_line_open(ends)) {
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "socketpair: %s", strerror(errno));
        return -1;
    }
    // Two texts, one behind the other: a name that is too long is cut, and a newline in
    // it is none here.
    snprintf(m.text, sizeof m.text, "%.1000s", name);
    gv_foreign_mask(m.text);
    const size_t length = strlen(m.text);
    snprintf(m.text + length, sizeof m.text - length, "\n%.3000s", prefix);
    const bool sent = gv_window_line_send(window->line, &m, ends[0]);
    close(ends[0]);
    if (sent)
        return ends[1];
    close(ends[1]);
    gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "the window is gone");
    return -1;
}

void gv_window_forget(struct gv_window *window)
{
    gv_say_also(NULL, NULL);
    close(window->line);
    window->line = -1;
}

enum gv_window_wish gv_window_ask(struct gv_window *window, int code, int *move,
                                  char *name, size_t size)
{
    struct gv_window_message m = { .word = GV_WINDOW_ENDED, .number = code };
    if (!gv_window_line_send(window->line, &m, -1))
        return GV_WINDOW_WISH_END;
    for (;;) {
        int passed;
        const enum gv_window_heard heard =
            gv_window_line_take(window->line, &m, &passed, true);
        if (passed >= 0)
            close(passed);
        if (heard != GV_WINDOW_HEARD || m.word == GV_WINDOW_CLOSED)
            return GV_WINDOW_WISH_END;
        *move = m.number;
        snprintf(name, size, "%s", m.text);
        if (m.word == GV_WINDOW_MOVE)
            return GV_WINDOW_WISH_MOVE;
        if (m.word == GV_WINDOW_DROP)
            return GV_WINDOW_WISH_OPEN;
    }
}

bool gv_window_close(struct gv_window *window, struct gv_error *err)
{
    int status = 0;
    if (!window)
        return true;
    gv_say_also(NULL, NULL);
    if (window->line >= 0)
        close(window->line); // which it takes for the end
    while (window->process > 0 && waitpid(window->process, &status, 0) < 0 &&
           errno == EINTR) {
    }
    free(window);
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                   "the window is gone: its display has ended");
}
