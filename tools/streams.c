#include "tools/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

// What others have open, too, stays as they have it, but for a socket, which cannot be
// opened again.
static void make_blocking(int fd)
{
    char path[32];
    const int flags = fcntl(fd, F_GETFL);
    if (flags == -1 || !(flags & O_NONBLOCK))
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const int own = open(path, (flags & O_ACCMODE) | O_NOCTTY);
    if (own < 0 || dup2(own, fd) < 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    if (own >= 0)
        close(own);
}

bool gv_streams_open(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF)
            continue;
        // Of all numbers the lowest that is free: this one.
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    }
    make_blocking(STDOUT_FILENO);
    make_blocking(STDERR_FILENO);
    return true;
}
