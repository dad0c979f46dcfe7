#include "tools/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool gv_streams_open(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF)
            continue;
        // Of all numbers the lowest that is free: this one.
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    }
    return true;
}
