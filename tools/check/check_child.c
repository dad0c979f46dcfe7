#define _GNU_SOURCE // pipe2, environ
#include "tools/check/check_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/now.h"
#include "resources/base/read_some.h"
#include "tools/base/stop.h"

#define OUTPUT_MOST ((size_t)64 << 20)
#define STEP_MS 20 // how often the end of a process that has said all is looked for
#define PAUSE_NS UINT64_C(500000000) // that no scheduler keeps a process waiting
#define GRACE_MS 2000u               // that one has to remove what is not whole

#define SELF "/proc/self/exe"

// ---- starting ----

// Those of options of `run` are not meant for the runs of a check, which says all that
// they need as arguments.
static void forget_variables(void)
{
    size_t kept = 0;
    for (size_t i = 0; environ && environ[i]; i++)
        if (strncmp(environ[i], "GPUVM_", 6) != 0)
            environ[kept++] = environ[i];
    if (environ)
        environ[kept] = NULL;
}

static _Noreturn void be_child(char *const argv[], int out, int words, pid_t parent,
                               const sigset_t *signals)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); // keys of a terminal are for the parent, which passes them on
    const int null = open("/dev/null", O_RDONLY);
    if (getppid() != parent || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(out, STDOUT_FILENO) < 0 || dup2(words, STDERR_FILENO) < 0)
        _exit(127);
    forget_variables();
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP)
            signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, signals, NULL);
    execv(SELF, argv);
    _exit(127);
}

// With signals blocked: one that comes meanwhile finds the child in its list.
static pid_t start(char *const argv[], int out, int words)
{
    sigset_t all, kept;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &kept);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        be_child(argv, out, words, parent, &kept);
    if (pid > 0)
        gv_stop_with_child(pid);
    const int error = errno;
    sigprocmask(SIG_SETMASK, &kept, NULL);
    errno = error;
    return pid;
}

bool gv_check_child_start(struct gv_check_child *child, char *const argv[],
                          uint64_t timeout_s, struct gv_error *err)
{
    int out[2], words[2];
    if (pipe2(out, O_CLOEXEC) != 0)
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "pipe: %s", strerror(errno));
    if (pipe2(words, O_CLOEXEC) != 0) {
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "pipe: %s", strerror(errno));
        close(out[0]);
        close(out[1]);
        return false;
    }
    *child = (struct gv_check_child){ .out = out[0],
                                      .words = words[0],
                                      .started_ns = gv_now_ns() };
    if (timeout_s)
        child->deadline_ns = child->started_ns + timeout_s * 1000000000u;
    child->pid = start(argv, out[1], words[1]);
    const int error = errno;
    close(out[1]);
    close(words[1]);
    if (child->pid > 0)
        return true;
    child->pid = 0;
    gv_check_child_finish(child);
    return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "fork: %s", strerror(error));
}

// ---- ending ----

// Whether it has ended; then its number is nobody's any more.
static bool reap(struct gv_check_child *child, bool wait)
{
    siginfo_t info = { 0 };
    const int how = WEXITED | WNOWAIT | (wait ? 0 : WNOHANG);
    while (waitid(P_PID, (id_t)child->pid, &info, how) < 0 && errno == EINTR) {
    }
    if (!info.si_pid)
        return false;
    sigset_t all, kept;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &kept);
    waitpid(child->pid, &child->status, 0);
    gv_stop_without_child(child->pid);
    sigprocmask(SIG_SETMASK, &kept, NULL);
    child->pid = 0;
    child->ns = gv_now_ns() - child->started_ns;
    gv_bytes_u8(&child->output, 0);
    return true;
}

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

// What it half made goes first, if it still listens; its own child dies with it.
static void kill_child(struct gv_check_child *child, enum gv_check_end end)
{
    child->end = end;
    kill(child->pid, SIGTERM);
    for (unsigned ms = 0; ms < GRACE_MS && !reap(child, false); ms += STEP_MS)
        poll(NULL, 0, STEP_MS);
    if (child->pid) {
        kill(child->pid, SIGKILL);
        reap(child, true);
    }
    shut(&child->out);
    shut(&child->words);
}

void gv_check_child_finish(struct gv_check_child *child)
{
    if (child->pid)
        kill_child(child, GV_CHECK_LATE);
    shut(&child->out);
    shut(&child->words);
    gv_bytes_finish(&child->output);
}

// ---- listening ----

static void hear_output(struct gv_check_child *child)
{
    uint8_t bytes[16384];
    const ssize_t n = gv_read_some(child->out, bytes, sizeof bytes);
    if (n <= 0) {
        shut(&child->out);
        return;
    }
    gv_bytes_put(&child->output, bytes, (size_t)n);
    if (child->output.size > OUTPUT_MOST)
        kill_child(child, GV_CHECK_TALKED);
}

static void hear_words(struct gv_check_child *child)
{
    char bytes[4096];
    const ssize_t n = gv_read_some(child->words, bytes, sizeof bytes);
    if (n <= 0) {
        shut(&child->words);
        return;
    }
    const size_t room = sizeof child->last_words - 1 - child->last_size;
    const size_t kept = (size_t)n < room ? (size_t)n : room;
    memcpy(child->last_words + child->last_size, bytes, kept);
    child->last_size += kept;
}

// A poll that comes back long after its time was not waiting: the process was stopped.
// Nobody's time passes meanwhile.
static void forgive(struct gv_check_child *children, size_t count, uint64_t ns)
{
    for (size_t i = 0; i < count; i++)
        if (children[i].deadline_ns)
            children[i].deadline_ns += ns;
}

// How long nothing need be done for any of them.
static int patience(const struct gv_check_child *children, size_t count)
{
    const uint64_t now = gv_now_ns();
    uint64_t ms = 1000;
    for (size_t i = 0; i < count; i++) {
        const struct gv_check_child *c = &children[i];
        if (!c->pid)
            continue;
        if (c->out < 0 && c->words < 0 && ms > STEP_MS)
            ms = STEP_MS;
        if (c->deadline_ns && c->deadline_ns <= now)
            return 0;
        if (c->deadline_ns && (c->deadline_ns - now) / 1000000u + 1 < ms)
            ms = (c->deadline_ns - now) / 1000000u + 1;
    }
    return (int)ms;
}

// One that has said all ends at once, mostly.
static bool has_ended(struct gv_check_child *child)
{
    if (!child->pid)
        return true;
    if (child->out < 0 && child->words < 0 && reap(child, false))
        return true;
    if (!child->deadline_ns || gv_now_ns() < child->deadline_ns)
        return false;
    kill_child(child, GV_CHECK_LATE);
    return true;
}

static void hear(struct gv_check_child *child, const struct pollfd ready[2])
{
    if (child->words >= 0 && ready[1].revents)
        hear_words(child);
    if (child->out >= 0 && ready[0].revents)
        hear_output(child);
}

size_t gv_check_child_wait(struct gv_check_child *children, size_t count)
{
    struct pollfd ready[2 * GV_STOP_CHILDREN];
    bool runs[GV_STOP_CHILDREN];
    for (size_t i = 0; i < count; i++)
        runs[i] = children[i].pid != 0;
    for (;;) {
        for (size_t i = 0; i < count; i++) {
            const bool running = children[i].pid != 0;
            ready[2 * i] = (struct pollfd){ running ? children[i].out : -1, POLLIN, 0 };
            ready[2 * i + 1] =
                (struct pollfd){ running ? children[i].words : -1, POLLIN, 0 };
        }
        const int ms = patience(children, count);
        const uint64_t before = gv_now_ns();
        const int heard = poll(ready, 2 * (nfds_t)count, ms);
        const uint64_t over = gv_now_ns() - before;
        if (over > (uint64_t)ms * 1000000u + PAUSE_NS)
            forgive(children, count, over - (uint64_t)ms * 1000000u);
        if (heard < 0)
            continue;
        for (size_t i = 0; i < count; i++) {
            if (!runs[i])
                continue;
            hear(&children[i], &ready[2 * i]);
            if (has_ended(&children[i]))
                return i;
        }
    }
}
