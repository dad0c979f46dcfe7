#include "tools/child/child.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/now.h"
#include "tools/base/inherited.h"
#include "tools/base/last_position.h"
#include "tools/base/last_words.h"
#include "tools/base/stop.h"
#include "tools/sandbox/sandbox.h"
#include "vm/machine/progress.h"

#define POLL_MS 200
#define MAX_STEP_NS (UINT64_C(2000000) * POLL_MS)
// A runtime's own time-out per submission comes first and knows more; and exit handlers
// get so long.
#define GRACE_NS 5000000000u

// What the parent has heard.
struct heard {
    bool starting, running, done;
    bool kept[UINT8_MAX + 1]; // files, by number
    uint8_t code;
    int passed;   // a descriptor that came with a word, or -1
    int listener; // where refused system calls wait for their answer, or -1
    struct gv_refusals refusals;
    uint64_t silent_ns;   // since the last sign of life, as far as anybody listened
    uint64_t completions; // of the progress file
};

void gv_child_starting(struct gv_child_line *line)
{
    if (line)
        gv_child_line_say(line->fd, (const uint8_t[]){ GV_SAYS_STARTING }, 1, -1);
}

void gv_child_running(struct gv_child_line *line)
{
    if (line)
        gv_child_line_say(line->fd, (const uint8_t[]){ GV_SAYS_RUNNING }, 1, -1);
}

bool gv_child_keep(struct gv_child_line *line, unsigned number, int passed,
                   struct gv_error *err)
{
    struct gv_error answer = GV_ERROR_INIT;
    const uint8_t words[] = { GV_SAYS_KEEP, (uint8_t)number };
    gv_child_line_say(line->fd, words, sizeof words, passed);
    if (!gv_child_line_take_answer(line->fd, &answer))
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "the caller is gone");
    return answer.status == GV_OK ||
           gv_fail(err, answer.status, GV_NO_OFFSET, "%s", answer.message);
}

void gv_child_confine(struct gv_child_line *line, enum gv_filter_who who,
                      const struct gv_log *log)
{
    gv_sandbox_calls(who, line->fd, log);
}

static _Noreturn void be_child(const struct gv_child_params *params, int fd,
                               pid_t parent, const sigset_t *signals)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // do not outlive the caller
    if (getppid() != parent)
        _exit(GV_EXIT_LOST);
    gv_sandbox_prepare();
    sigprocmask(SIG_SETMASK, signals, NULL);
    gv_inherited_close();
    struct gv_child_line line = { fd };
    gv_last_words_tell(fd, GV_SAYS_DONE);
    enum gv_exit code = gv_finish_stdout(params->work(params->context, &line));
    gv_child_line_say(fd, (const uint8_t[]){ GV_SAYS_DONE, (uint8_t)code }, 2, -1);
    if (code == GV_EXIT_LOST)
        _exit((int)code); // a hung driver would hang its exit handlers too
    exit((int)code);
}

static int take_passed(struct heard *heard)
{
    int passed = heard->passed;
    heard->passed = -1;
    return passed;
}

static void forget_passed(struct heard *heard)
{
    if (heard->passed >= 0)
        close(take_passed(heard));
}

// A sign of life; a word that is repeated is none.
static void note(struct heard *heard, bool *word)
{
    if (!*word)
        heard->silent_ns = 0;
    *word = true;
}

static void answer_keep(const struct gv_child_params *params, int fd, uint8_t number,
                        struct heard *heard)
{
    struct gv_error answer = GV_ERROR_INIT;
    int passed = take_passed(heard);
    if (!params->keep)
        gv_fail(&answer, GV_ERR_OUTPUT, GV_NO_OFFSET, "there is nothing to keep");
    else if (params->keep(params->context, number, passed, &answer))
        note(heard, &heard->kept[number]);
    if (passed >= 0)
        close(passed);
    gv_child_line_answer(fd, &answer);
}

// The first one only: it comes before the child can be in strangers' hands.
static void take_listener(struct heard *heard)
{
    if (!heard->running && heard->listener < 0)
        heard->listener = take_passed(heard);
}

// Takes what the line holds. False at its end.
static bool hear(const struct gv_child_params *params, int fd, struct heard *heard)
{
    uint8_t bytes[16];
    int passed;
    ptrdiff_t n = gv_child_line_hear(fd, bytes, sizeof bytes, &passed);
    if (passed >= 0) {
        forget_passed(heard);
        heard->passed = passed;
    }
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    for (ptrdiff_t i = 0; i < n; i++) {
        if (bytes[i] == GV_SAYS_STARTING)
            note(heard, &heard->starting);
        if (bytes[i] == GV_SAYS_RUNNING) {
            note(heard, &heard->running);
            heard->starting = true;
        }
        if (bytes[i] == GV_SAYS_LISTENER)
            take_listener(heard);
        if (bytes[i] == GV_SAYS_KEEP && i + 1 < n)
            answer_keep(params, fd, bytes[++i], heard);
        if (bytes[i] == GV_SAYS_DONE && i + 1 < n) {
            note(heard, &heard->done);
            heard->code = bytes[++i];
        }
    }
    return n > 0;
}

static void stop_listening(struct heard *heard)
{
    if (heard->listener >= 0)
        close(heard->listener); // from now on the kernel refuses by itself
    heard->listener = -1;
}

// Waits for either. False at the end of the line.
static bool listen_to(const struct gv_child_params *params, int fd, struct heard *heard)
{
    struct pollfd pollers[] = { { .fd = fd, .events = POLLIN },
                                { .fd = heard->listener, .events = POLLIN } };
    int ready = poll(pollers, 2, POLL_MS);
    if (ready <= 0)
        return ready == 0 || errno == EINTR;
    if (pollers[1].revents &&
        !(pollers[1].revents & POLLIN &&
          gv_filter_answer(heard->listener, &heard->refusals, params->log)))
        stop_listening(heard);
    return !pollers[0].revents || hear(params, fd, heard);
}

// The runtime's own time-out, where one tells of progress, comes first; a device may
// take a while to get ready, however short that is.
static uint64_t patience(const struct gv_child_params *params,
                         const struct heard *heard)
{
    if (!params->progress_path)
        return params->timeout_ns;
    if (heard->running)
        return params->timeout_ns + GRACE_NS;
    return params->timeout_ns > GRACE_NS ? params->timeout_ns : GRACE_NS;
}

static void look_for_progress(const char *path, struct heard *heard)
{
    struct gv_progress_state state;
    if (!path || !gv_progress_read(path, &state, NULL))
        return;
    if (state.completions == heard->completions)
        return;
    heard->completions = state.completions;
    heard->silent_ns = 0;
}

// A step that took long was no silence of the child: both were paused, or a file was
// put into its place.
static void count_silence(struct heard *heard, uint64_t step_ns)
{
    heard->silent_ns += step_ns < MAX_STEP_NS ? step_ns : MAX_STEP_NS;
}

// Waits for the line to end. True if the child was silent too long.
static bool watch(const struct gv_child_params *params, int fd, struct heard *heard)
{
    for (;;) {
        uint64_t before = gv_now_ns();
        if (!listen_to(params, fd, heard))
            return false;
        count_silence(heard, gv_now_ns() - before);
        if (heard->done && heard->silent_ns > GRACE_NS)
            return true; // its work is done, but exit handlers of a driver hang
        if (!heard->starting || heard->done || params->timeout_ns == 0)
            continue;
        look_for_progress(params->progress_path, heard);
        if (heard->silent_ns > patience(params, heard))
            return true;
    }
}

static enum gv_exit judge(const struct gv_child_params *params,
                          const struct heard *heard, bool silent, int status,
                          struct gv_error *err)
{
    // One that was silent after its last word hung in a driver's exit handlers.
    bool kept = silent || (WIFEXITED(status) && WEXITSTATUS(status) == heard->code);
    if (heard->done && kept && heard->code <= GV_EXIT_OUTPUT)
        return (enum gv_exit)heard->code;
    char why[GV_WHY_LOST];
    if (silent && !params->progress_path)
        snprintf(why, sizeof why, "time-out: %s took over %" PRIu64 " s", params->who,
                 params->timeout_ns / 1000000000u);
    else if (silent)
        gv_why_silent(why, heard->running, params->timeout_ns);
    else
        gv_why_died(why, params->who, status);
    gv_fail_lost_at(heard->running ? params->progress_path : NULL, why, err);
    return GV_EXIT_LOST;
}

// Starts the child: its process, or -1 with `errno`. A signal that ends or pauses this
// process waits until there is a child that goes along.
static pid_t start(const struct gv_child_params *params, const int ends[2])
{
    sigset_t all, kept;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &kept);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_child(params, ends[1], parent, &kept);
    }
    if (pid > 0)
        gv_stop_with_child(pid);
    int error = errno;
    sigprocmask(SIG_SETMASK, &kept, NULL);
    errno = error;
    return pid;
}

// Waits for the end of the child. Once it is taken note of, its number may be another
// process's, which no signal must reach.
static int end(pid_t pid)
{
    sigset_t all, kept;
    siginfo_t info;
    int status = 0;
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &kept);
    waitpid(pid, &status, 0);
    gv_stop_without_child(pid);
    sigprocmask(SIG_SETMASK, &kept, NULL);
    return status;
}

uint64_t gv_child_compile_ns(uint64_t seconds, uint64_t capture_bytes)
{
    const uint64_t pieces = 1 + (capture_bytes >> 24);
    const uint64_t most = UINT64_MAX / 2 / 1000000000u / pieces;
    return (seconds < most ? seconds : most) * pieces * 1000000000u;
}

enum gv_exit gv_child_run(const struct gv_child_params *params, struct gv_error *err)
{
    int ends[2];
    if (!gv_child_line_open(ends)) {
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "socketpair: %s", strerror(errno));
        return GV_EXIT_DEVICE;
    }
    gv_sandbox_hide();
    fflush(stdout); // or the child would print it again
    pid_t pid = start(params, ends);
    if (pid < 0) {
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "fork: %s", strerror(errno));
        close(ends[0]);
        close(ends[1]);
        return GV_EXIT_DEVICE;
    }
    close(ends[1]);
    struct heard heard = { .passed = -1, .listener = -1 };
    bool silent = watch(params, ends[0], &heard);
    kill(pid, SIGKILL); // silent, or at its end, or it has closed its line and stays
    stop_listening(&heard);
    forget_passed(&heard);
    close(ends[0]);
    return judge(params, &heard, silent, end(pid), err);
}
