#include "resources/base/read_some.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

ssize_t gv_read_some(int fd, void *to, size_t size)
{
    for (;;) {
        const ssize_t n = read(fd, to, size);
        if (n >= 0 || (errno != EINTR && errno != EAGAIN))
            return n;
        if (errno == EAGAIN)
            poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, -1);
    }
}
