// The child process: its results, its death, its silence and what it takes for none.
#define _GNU_SOURCE // wait4
#include "resources/base/now.h"
#include "tools/child/child.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "resources/base/temporary.h"
#include "tests/test.h"
#include "tools/base/stop.h"
#include "vm/machine/progress.h"

#define STEP_MS 250
#define MANY_STEPS 160 // longer than any silence that is suffered here
#define SOME_STEPS 28  // longer than the grace

static const char progress_path[] = "test_child.progress";
static const char half_path[] = "test_child.half";

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

static enum gv_exit close_line(void *context, struct gv_child_line *line)
{
    (void)context;
    close(line->fd);
    while (pause() != 0) {
    }
    return GV_EXIT_OK;
}

static enum gv_exit repeat_words(void *context, struct gv_child_line *line)
{
    (void)context;
    for (int i = 0; i < MANY_STEPS; i++) {
        gv_child_starting(line);
        gv_child_running(line);
        poll(NULL, 0, STEP_MS);
    }
    return GV_EXIT_OK;
}

static enum gv_exit repeat_end(void *context, struct gv_child_line *line)
{
    const uint8_t words[] = { GV_SAYS_DONE, GV_EXIT_DIFFER };
    (void)context;
    gv_child_running(line);
    for (int i = 0; i < MANY_STEPS; i++) {
        gv_child_line_say(line->fd, words, sizeof words, -1);
        poll(NULL, 0, STEP_MS);
    }
    return GV_EXIT_OK;
}

// As in one long command: submissions complete, the position stays.
static enum gv_exit complete_in_place(void *context, struct gv_child_line *line)
{
    struct gv_progress *progress = gv_progress_create(progress_path, NULL);
    (void)context;
    gv_child_running(line);
    for (int i = 0; i < SOME_STEPS; i++) {
        gv_progress_completed(progress, 0, 1);
        poll(NULL, 0, STEP_MS);
    }
    gv_progress_destroy(progress);
    return GV_EXIT_DIFFER;
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
    { "closes its line", close_line, GV_EXIT_LOST, "died" },
    { "repeats its words", repeat_words, GV_EXIT_LOST, "time-out: nothing completed" },
    { "repeats its end", repeat_end, GV_EXIT_DIFFER, "" },
    { "completes in place", complete_in_place, GV_EXIT_DIFFER, "" },
};

// Nobody tells how far the work is: it has its time, and no grace.
static void takes_too_long(void)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_child_params params = { .work = hang_at_start,
                                            .who = "the test",
                                            .timeout_ns = 1000000000u };
    uint64_t before = gv_now_ns();
    CHECK(gv_child_run(&params, &err) == GV_EXIT_LOST);
    CHECK(gv_now_ns() - before < 4000000000u);
    CHECK(strcmp(err.message, "time-out: the test took over 1 s") == 0);
}

static void results(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_error err = GV_ERROR_INIT;
        const struct gv_child_params params = { .work = cases[i].work,
                                                .progress_path = progress_path,
                                                .timeout_ns = 1000000 };
        CHECK_ROW(cases[i].name, gv_child_run(&params, &err) == cases[i].code);
        CHECK_ROW(cases[i].name, strstr(err.message, cases[i].message) != NULL);
        CHECK_ROW(cases[i].name,
                  (err.status == GV_ERR_LOST) == (cases[i].code == GV_EXIT_LOST));
    }
    CHECK(remove(progress_path) == 0);
}

// ---- a terminal that stops the background when it prints ----

static enum gv_exit print(void *context, struct gv_child_line *line)
{
    (void)context;
    gv_child_running(line);
    return write(STDOUT_FILENO, "x", 1) == 1 ? GV_EXIT_DIFFER : GV_EXIT_OK;
}

// In a session of its own, whose terminal this is.
static _Noreturn void print_in_child(const char *terminal)
{
    struct termios modes;
    setsid();
    int fd = open(terminal, O_RDWR);
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0 || tcgetattr(fd, &modes) != 0)
        _exit(TEST_SKIP);
    modes.c_lflag |= TOSTOP;
    tcsetattr(fd, TCSANOW, &modes);
    dup2(fd, STDOUT_FILENO);
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_child_params params = { .work = print };
    _exit((int)gv_child_run(&params, &err));
}

static void prints_in_background(void)
{
    int status = 0, terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
        puts("no terminals here");
        return;
    }
    pid_t helper = fork();
    if (helper == 0)
        print_in_child(ptsname(terminal));
    CHECK(waitpid(helper, &status, 0) == helper);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == GV_EXIT_DIFFER || WEXITSTATUS(status) == TEST_SKIP);
    close(terminal);
}

// ---- signals at the wrong moment ----

static int ready[2];

static enum gv_exit make_half(void *context, struct gv_child_line *line)
{
    (void)context;
    (void)line;
    int fd = gv_temporary_make(half_path, 0600);
    if (fd < 0 || write(ready[1], "x", 1) != 1)
        return GV_EXIT_OK;
    for (;;)
        pause();
}

static void end_within_fork(void)
{
    char byte;
    if (read(ready[0], &byte, 1) == 1)
        raise(SIGTERM);
}

// The child goes along, removing what it has half made, also when the signal comes
// before its parent knows its number.
static void signal_at_start(void)
{
    int status = 0;
    CHECK(pipe(ready) == 0);
    pid_t helper = fork();
    if (helper == 0) {
        const struct gv_child_params params = { .work = make_half };
        gv_stop_catch();
        pthread_atfork(NULL, end_within_fork, NULL);
        _exit((int)gv_child_run(&params, NULL));
    }
    CHECK(waitpid(helper, &status, 0) == helper);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    CHECK(access(half_path, F_OK) != 0);
    remove(half_path);
}

static bool watched, exposed;

// Instead of the library's: once a child's end is noted, no signal may come in between
// that and the note that there is none.
pid_t waitpid(pid_t pid, int *status, int options)
{
    sigset_t blocked;
    pid_t ended = wait4(pid, status, options, NULL);
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    if (watched && ended > 0 && !sigismember(&blocked, SIGTERM))
        exposed = true;
    return ended;
}

static void signal_at_end(void)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_child_params params = { .work = return_differ };
    sigset_t blocked;
    watched = true;
    CHECK(gv_child_run(&params, &err) == GV_EXIT_DIFFER);
    watched = false;
    CHECK(!exposed);
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    CHECK(!sigismember(&blocked, SIGTERM));
}

int main(void)
{
    results();
    takes_too_long();
    prints_in_background();
    signal_at_start();
    signal_at_end();
    return TEST_RESULT();
}
