#define _GNU_SOURCE // pipe2, strsignal
#include "tools/child.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/cut_input.h"
#include "tools/program.h"
#include "tools/sandbox.h"
#include "tools/stop.h"
#include "vm/progress.h"

#define POLL_MS 200
// The runtime's own time-out per submission comes first and knows more.
#define GRACE_NS 5000000000u

// Bytes on the pipe.
// `d` is followed by the exit code.
enum { SAYS_STARTING = 's', SAYS_RUNNING = 'r', SAYS_DONE = 'd' };

struct gv_child_line {
    int fd;
};

// What the parent has heard.
struct heard {
    bool starting, running, done;
    uint8_t code;
    uint64_t active_ns; // last sign of life
    uint64_t completed_frame, completed_command;
};

static void say_bytes(int fd, const uint8_t *bytes, size_t size)
{
    while (write(fd, bytes, size) < 0 && errno == EINTR) {
    }
}

void gv_child_starting(struct gv_child_line *line)
{
    if (line)
        say_bytes(line->fd, (const uint8_t[]){ SAYS_STARTING }, 1);
}

void gv_child_running(struct gv_child_line *line)
{
    if (line)
        say_bytes(line->fd, (const uint8_t[]){ SAYS_RUNNING }, 1);
}

static _Noreturn void be_child(const struct gv_child_params *params, int fd,
                               pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // do not outlive the caller
    if (getppid() != parent)
        _exit(GV_EXIT_LOST);
    gv_sandbox_prepare();
    struct gv_child_line line = { fd };
    const uint8_t rejected[] = { SAYS_DONE, GV_EXIT_REJECTED };
    gv_cut_input_tell(fd, rejected);
    enum gv_exit code = gv_finish_stdout(params->work(params->context, &line));
    say_bytes(fd, (const uint8_t[]){ SAYS_DONE, (uint8_t)code }, 2);
    if (code == GV_EXIT_LOST)
        _exit((int)code); // a hung driver would hang its exit handlers too
    exit((int)code);
}

// Takes what the pipe holds. False at its end.
static bool hear(int fd, struct heard *heard)
{
    uint8_t bytes[16];
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n < 0)
        return errno == EINTR;
    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] == SAYS_STARTING)
            heard->starting = true;
        if (bytes[i] == SAYS_RUNNING)
            heard->starting = heard->running = true;
        if (bytes[i] == SAYS_DONE && i + 1 < n) {
            heard->done = true;
            heard->code = bytes[++i];
        }
    }
    heard->active_ns = gv_now_ns();
    return n > 0;
}

static void look_for_progress(const char *path, struct heard *heard)
{
    struct gv_progress_state state;
    if (!path || !gv_progress_read(path, &state, NULL))
        return;
    if (state.completed_frame == heard->completed_frame &&
        state.completed_command == heard->completed_command)
        return;
    heard->completed_frame = state.completed_frame;
    heard->completed_command = state.completed_command;
    heard->active_ns = gv_now_ns();
}

// Waits for the pipe to close. True if the child was silent too long.
static bool watch(const struct gv_child_params *params, int fd, struct heard *heard)
{
    for (;;) {
        struct pollfd poller = { .fd = fd, .events = POLLIN };
        int ready = poll(&poller, 1, POLL_MS);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready > 0 && !hear(fd, heard))
            return false;
        if (heard->done && gv_now_ns() - heard->active_ns > GRACE_NS)
            return true; // its work is done, but exit handlers of a driver hang
        if (!heard->starting || heard->done || params->timeout_ns == 0)
            continue;
        look_for_progress(params->progress_path, heard);
        if (gv_now_ns() - heard->active_ns > params->timeout_ns + GRACE_NS)
            return true;
    }
}

// Where it was: what the driver had been given and what it had finished.
static void fail_lost(const struct gv_child_params *params, const struct heard *heard,
                      const char *why, struct gv_error *err)
{
    struct gv_progress_state state = { 0 };
    if (!heard->running || !params->progress_path ||
        !gv_progress_read(params->progress_path, &state, NULL) ||
        state.recorded_frame == GV_PROGRESS_NONE) {
        gv_fail(err, GV_ERR_LOST, GV_NO_OFFSET, "%s", why);
        return;
    }
    if (state.completed_frame == GV_PROGRESS_NONE)
        gv_fail(err, GV_ERR_LOST, GV_NO_OFFSET,
                "%s at frame %" PRIu64 "; nothing had completed before", why,
                state.recorded_frame);
    else
        gv_fail(
            err, GV_ERR_LOST, GV_NO_OFFSET,
            "%s at frame %" PRIu64 "; completed: frame %" PRIu64 ", command %" PRIu64,
            why, state.recorded_frame, state.completed_frame, state.completed_command);
    gv_error_at_command(err, state.recorded_command);
}

static enum gv_exit judge(const struct gv_child_params *params,
                          const struct heard *heard, bool silent, int status,
                          struct gv_error *err)
{
    // One that was silent after its last word hung in a driver's exit handlers.
    bool kept = silent || (WIFEXITED(status) && WEXITSTATUS(status) == heard->code);
    if (heard->done && kept && heard->code <= GV_EXIT_OUTPUT)
        return (enum gv_exit)heard->code;
    char why[96];
    if (silent)
        snprintf(why, sizeof why, "time-out: %s for %" PRIu64 " s",
                 heard->running ? "nothing completed" : "the device was not ready",
                 params->timeout_ns / 1000000000u);
    else if (WIFSIGNALED(status))
        snprintf(why, sizeof why, "lost: %s died (%s)", params->who,
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, sizeof why, "lost: %s ended by itself (%d)", params->who,
                 WEXITSTATUS(status));
    fail_lost(params, heard, why, err);
    return GV_EXIT_LOST;
}

enum gv_exit gv_child_run(const struct gv_child_params *params, struct gv_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "pipe: %s", strerror(errno));
        return GV_EXIT_DEVICE;
    }
    fflush(stdout); // or the child would print it again
    pid_t parent = getpid(), pid = fork();
    if (pid < 0) {
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "fork: %s", strerror(errno));
        close(ends[0]);
        close(ends[1]);
        return GV_EXIT_DEVICE;
    }
    if (pid == 0) {
        close(ends[0]);
        be_child(params, ends[1], parent);
    }
    gv_stop_with_child(pid);
    close(ends[1]);
    struct heard heard = { .active_ns = gv_now_ns(),
                           .completed_frame = GV_PROGRESS_NONE,
                           .completed_command = GV_PROGRESS_NONE };
    bool silent = watch(params, ends[0], &heard);
    if (silent)
        kill(pid, SIGKILL);
    close(ends[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    gv_stop_with_child(0);
    return judge(params, &heard, silent, status, err);
}
