#define _GNU_SOURCE // O_PATH
#include "resources/base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLACES 64
#define PATIENCE_MS 1000 // for a file system that makes a file
#define NAMES 1000       // tried before giving up

// Where they are: the folder as it was found, which may be moved meanwhile, or become a
// link to another. One more than its descriptor; 0 where it could not be opened.
static struct {
    _Atomic(const char *) path;
    atomic_int folder;
} places[PLACES];
static atomic_int making;  // threads between the making of a file and its note
static atomic_bool ending; // nothing is made any more

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Takes over `folder`.
static void note(const char *path, int folder)
{
    for (size_t i = 0; i < PLACES; i++) {
        const char *nothing = NULL;
        if (atomic_compare_exchange_strong(&places[i].path, &nothing, path)) {
            atomic_store(&places[i].folder, folder + 1);
            return;
        }
    }
    if (folder >= 0)
        close(folder);
}

static int open_folder(const char *path)
{
    char folder[PATH_MAX];
    const size_t length = (size_t)(base_of(path) - path);
    if (length >= sizeof folder)
        return -1;
    memcpy(folder, length ? path : ".", length ? length : 1);
    folder[length ? length : 1] = '\0';
    return open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int make_noted(const char *path, mode_t mode)
{
    const int folder = open_folder(path);
    const int fd = folder < 0
                       ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
                       : openat(folder, base_of(path),
                                O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    const int error = errno;
    if (fd >= 0)
        note(path, folder);
    else if (folder >= 0)
        close(folder);
    errno = error;
    return fd;
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
    const int fd = make_noted(path, mode);
    const int error = errno;
    atomic_fetch_sub(&making, 1);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    errno = error;
    return fd;
}

// Less of a name than there may be, whole characters of it.
static size_t shorter(const char *base)
{
    size_t length = strlen(base);
    length = length > GV_TEMPORARY_ROOM ? length - GV_TEMPORARY_ROOM : 0;
    while (length && ((unsigned char)base[length] & 0xc0) == 0x80)
        length--;
    return length;
}

// Whether nothing can have this name itself.
static bool is_too_long(const char *path)
{
    struct stat st;
    return lstat(path, &st) != 0 && errno == ENAMETOOLONG;
}

int gv_temporary_beside(const char *path, char *name, mode_t mode)
{
    const char *base = base_of(path);
    const size_t whole = strlen(path), room = whole + GV_TEMPORARY_ROOM;
    size_t length = whole;
    for (unsigned i = 0; i < NAMES; i++) {
        snprintf(name, room, "%.*s.%ld-%u.tmp", (int)length, path, (long)getpid(), i);
        int fd = gv_temporary_make(name, mode);
        if (fd < 0 && errno == ENAMETOOLONG && length == whole && !is_too_long(path))
            length = (size_t)(base - path) + shorter(base);
        else if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

void gv_temporary_forget(const char *path)
{
    for (size_t i = 0; i < PLACES; i++) {
        const char *noted = path;
        if (atomic_load(&places[i].path) != path)
            continue;
        const int folder = atomic_exchange(&places[i].folder, 0) - 1;
        atomic_compare_exchange_strong(&places[i].path, &noted, NULL);
        if (folder >= 0)
            close(folder);
        return;
    }
}

void gv_temporary_remove(const char *path)
{
    for (size_t i = 0; i < PLACES; i++) {
        const int folder = atomic_load(&places[i].folder) - 1;
        if (atomic_load(&places[i].path) == path && folder >= 0) {
            unlinkat(folder, base_of(path), 0);
            gv_temporary_forget(path);
            return;
        }
    }
    unlink(path);
    gv_temporary_forget(path);
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
        const char *path = atomic_load(&places[i].path);
        const int folder = atomic_load(&places[i].folder) - 1;
        if (path && folder >= 0)
            unlinkat(folder, base_of(path), 0);
        else if (path)
            unlink(path);
    }
}
