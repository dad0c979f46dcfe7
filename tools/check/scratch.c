#define _GNU_SOURCE // nftw, mkdtemp, pipe2
#include "tools/check/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/file.h"

#define OPEN_FOLDERS 16
#define SWEEPS 100
#define SWEEP_MS 50

static int take_away(const char *path, const struct stat *st, int kind,
                     struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    remove(path);
    return 0;
}

void gv_scratch_clear(const char *path)
{
    nftw(path, take_away, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

// Processes that still write there die with the one whose line this is, but not at
// once.
static _Noreturn void sweep(const char *path, int line)
{
    char nothing;
    setsid(); // keys of a terminal are not for it
    while (read(line, &nothing, 1) < 0 && errno == EINTR) {
    }
    for (int step = 0; step < SWEEPS && access(path, F_OK) == 0; step++) {
        gv_scratch_clear(path);
        if (access(path, F_OK) == 0)
            poll(NULL, 0, SWEEP_MS);
    }
    _exit(0);
}

// With signals blocked, which stay so in it.
static bool start_sweeper(struct gv_scratch *scratch, struct gv_error *err)
{
    int line[2];
    sigset_t all, kept;
    if (pipe2(line, O_CLOEXEC) != 0)
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "pipe: %s", strerror(errno));
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &kept);
    scratch->sweeper = fork();
    if (scratch->sweeper == 0) {
        close(line[1]);
        sweep(scratch->path, line[0]);
    }
    const int error = errno;
    sigprocmask(SIG_SETMASK, &kept, NULL);
    close(line[0]);
    if (scratch->sweeper > 0) {
        scratch->line = line[1];
        return true;
    }
    scratch->sweeper = 0;
    close(line[1]);
    return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "fork: %s", strerror(error));
}

void gv_scratch_remove(struct gv_scratch *scratch)
{
    if (scratch->sweeper) {
        close(scratch->line);
        while (waitpid(scratch->sweeper, NULL, 0) < 0 && errno == EINTR) {
        }
    } else if (scratch->path[0]) {
        gv_scratch_clear(scratch->path);
    }
    *scratch = (struct gv_scratch){ 0 };
}

static bool make_temporary(struct gv_scratch *scratch, const char *temporary,
                           struct gv_error *err)
{
    if (!mkdtemp(scratch->path)) {
        scratch->path[0] = '\0';
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "no folder in %.100s: %s",
                       temporary, strerror(errno));
    }
    return start_sweeper(scratch, err);
}

bool gv_scratch_make(struct gv_scratch *scratch, const char *beside,
                     struct gv_error *err)
{
    char *path = scratch->path;
    const char *temporary = getenv("TMPDIR");
    if (!temporary || !*temporary)
        temporary = "/tmp";
    const int length =
        beside ? snprintf(path, GV_SCRATCH_PATH, "%s/.scratch", beside)
               : snprintf(path, GV_SCRATCH_PATH, "%s/gpuvm-check-XXXXXX", temporary);
    if (length < 0 || length >= GV_SCRATCH_PATH) {
        path[0] = '\0';
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                       "the folder's name is too long");
    }
    if (!beside)
        return make_temporary(scratch, temporary, err);
    gv_scratch_clear(path);
    return gv_make_folders(path, err);
}
