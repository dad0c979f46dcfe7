#include "tools/library/spawn_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/child_line.h"

#define ENDING_MS 50

extern char **environ;

const char *gv_spawn_process_name(const char *player)
{
    const char *named = player ? player : getenv("GPUVM_PLAYER");
    return named && named[0] ? named : "gpuvm-player";
}

// Signals as a program expects them: none blocked, none ignored.
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    return posix_spawnattr_setflags(attributes,
                                    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int start(const char *name, int line, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    char program[] = "gpuvm-player", argument[] = GV_CHILD_ARGUMENT;
    char *const words[] = { program, argument, NULL };
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (!failed) {
        failed = set_signals(&attributes);
        if (!failed)
            failed = posix_spawn_file_actions_adddup2(&files, line, STDIN_FILENO);
        for (int fd = STDOUT_FILENO; !failed && fd <= STDERR_FILENO; fd++)
            failed =
                posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
        if (!failed)
            failed = posix_spawnp(pid, name, &files, &attributes, words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

bool gv_spawn_process_start(const char *player, int line, pid_t *pid,
                            struct gv_error *err)
{
    const char *name = gv_spawn_process_name(player);
    const int failed = start(name, line, pid);
    if (!failed)
        return true;
    const bool theirs = failed == ENOENT || failed == EACCES || failed == ENOEXEC;
    return gv_fail(err, theirs ? GV_ERR_USAGE : GV_ERR_SYSTEM, GV_NO_OFFSET,
                   "cannot start %.96s: %s", name, strerror(failed));
}

// Its end is seen by its line a moment before the kernel knows how it has ended.
static bool is_ending(pid_t pid)
{
    siginfo_t info = { 0 };
    for (int i = 0; i < ENDING_MS; i++) {
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            info.si_pid)
            return true;
        poll(NULL, 0, 1);
    }
    return false;
}

int gv_spawn_process_end(pid_t pid, bool *killed)
{
    int status = -1;
    *killed = !is_ending(pid);
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}
