#include "resources/base/write_all.h"

#include <errno.h>
#include <unistd.h>

bool gv_write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = EIO; // it would take nothing for ever
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}
