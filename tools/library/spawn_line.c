#include "tools/library/spawn_line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/base/child_line.h"

bool gv_spawn_line_open(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return true;
}

bool gv_spawn_line_send(int fd, const struct gv_spawn_message *m, int passed)
{
    const size_t size = offsetof(struct gv_spawn_message, data) + m->size;
    return gv_child_line_say(fd, (const uint8_t *)m, size, passed);
}

enum gv_spawn_heard gv_spawn_line_take(int fd, struct gv_spawn_message *m, int *passed,
                                       int wait_ms)
{
    struct pollfd poller = { .fd = fd, .events = POLLIN };
    const int ready = poll(&poller, 1, wait_ms);
    if (ready <= 0)
        return ready == 0 || errno == EINTR ? GV_SPAWN_SILENT : GV_SPAWN_ENDS;
    const ptrdiff_t n = passed ? gv_child_line_hear(fd, (uint8_t *)m, sizeof *m, passed)
                               : read(fd, m, sizeof *m);
    // The third: one that has gone left messages unread; what it sent is still there.
    if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == ECONNRESET))
        return GV_SPAWN_SILENT;
    const size_t head = offsetof(struct gv_spawn_message, data);
    if (n >= (ptrdiff_t)head && (size_t)n - head == m->size)
        return GV_SPAWN_HEARD;
    if (passed && *passed >= 0) {
        close(*passed);
        *passed = -1;
    }
    return GV_SPAWN_ENDS; // also at a message that is none
}

void gv_spawn_put_text(struct gv_spawn_message *m, const char *text)
{
    m->size = (uint32_t)strnlen(text, GV_SPAWN_DATA - 1) + 1;
    memcpy(m->data, text, m->size - 1);
    m->data[m->size - 1] = '\0';
}

const char *gv_spawn_text(struct gv_spawn_message *m)
{
    m->data[m->size && m->size <= GV_SPAWN_DATA ? m->size - 1 : 0] = '\0';
    return (const char *)m->data;
}
