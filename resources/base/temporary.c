#include "resources/base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PLACES 64
#define PATIENCE_MS 1000 // for a file system that makes a file
#define NAMES 1000       // tried before giving up

static _Atomic(const char *) places[PLACES];
static atomic_int making;  // threads between the making of a file and its note
static atomic_bool ending; // nothing is made any more

static void note(const char *path)
{
    for (size_t i = 0; i < PLACES; i++) {
        const char *nothing = NULL;
        if (atomic_compare_exchange_strong(&places[i], &nothing, path))
            return;
    }
}

int gv_temporary_make(const char *path, mode_t mode)
{
    sigset_t all, kept; // a handler must not wait for the thread that it interrupts
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    atomic_fetch_add(&making, 1);
    if (atomic_load(&ending)) {
        atomic_fetch_sub(&making, 1);
        for (;;)
            pause();
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0)
        note(path);
    atomic_fetch_sub(&making, 1);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    return fd;
}

int gv_temporary_beside(const char *path, char *name, mode_t mode)
{
    size_t room = strlen(path) + GV_TEMPORARY_ROOM;
    for (unsigned i = 0; i < NAMES; i++) {
        snprintf(name, room, "%s.%ld-%u.tmp", path, (long)getpid(), i);
        int fd = gv_temporary_make(name, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

void gv_temporary_forget(const char *path)
{
    for (size_t i = 0; i < PLACES; i++) {
        const char *noted = path;
        if (atomic_compare_exchange_strong(&places[i], &noted, NULL))
            return;
    }
}

// A path is left where it is: whoever forgets it meanwhile finds it as before. Freed
// memory can be read only by a handler that runs beside the very thread that frees it;
// unlink then fails, the file having its final name.
void gv_temporary_remove_all(void)
{
    atomic_store(&ending, true);
    for (int i = 0; i < PATIENCE_MS && atomic_load(&making) > 0; i++)
        poll(NULL, 0, 1);
    for (size_t i = 0; i < PLACES; i++) {
        const char *path = atomic_load(&places[i]);
        if (path)
            unlink(path);
    }
}
