#include "tools/window/window_line.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/base/child_line.h"

bool gv_window_line_open(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
}

// Text that is not there is not sent.
static size_t size_of(const struct gv_window_message *m)
{
    return offsetof(struct gv_window_message, text) +
           strnlen(m->text, GV_WINDOW_TEXT - 1) + 1;
}

bool gv_window_line_send(int fd, const struct gv_window_message *m, int passed)
{
    const size_t size = size_of(m);
    ssize_t n;
    if (passed >= 0)
        return gv_child_line_say(fd, (const uint8_t *)m, size, passed);
    do
        n = write(fd, m, size);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)size;
}

bool gv_window_line_say(int fd, enum gv_window_word word, const char *text)
{
    struct gv_window_message m = { .word = word };
    snprintf(m.text, sizeof m.text, "%s", text);
    return gv_window_line_send(fd, &m, -1);
}

// A confined process may read, and take nothing that is passed.
static ptrdiff_t receive(int fd, struct gv_window_message *m, int *passed)
{
    if (passed)
        return gv_child_line_hear(fd, (uint8_t *)m, sizeof *m, passed);
    struct pollfd poller = { .fd = fd, .events = POLLIN };
    if (poll(&poller, 1, 0) == 0) {
        errno = EAGAIN;
        return -1;
    }
    return read(fd, m, sizeof *m);
}

enum gv_window_heard gv_window_line_take(int fd, struct gv_window_message *m,
                                         int *passed, bool wait)
{
    for (;;) {
        *m = (struct gv_window_message){ 0 };
        const ptrdiff_t n = receive(fd, m, passed);
        m->text[GV_WINDOW_TEXT - 1] = '\0';
        if (n > (ptrdiff_t)offsetof(struct gv_window_message, text))
            return GV_WINDOW_HEARD;
        // One that left messages unread: said once, and what it sent before is still
        // there.
        if (n < 0 && errno == ECONNRESET)
            continue;
        if (n >= 0 || (errno != EAGAIN && errno != EINTR))
            return GV_WINDOW_ENDS; // also at a message that is none
        if (!wait)
            return GV_WINDOW_SILENT;
        poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, -1);
    }
}

bool gv_window_memory_make(struct gv_window_memory *memory, size_t bytes,
                           struct gv_error *err)
{
    *memory = (struct gv_window_memory){ GV_SHARED_MEMORY_NONE, bytes };
    return gv_shared_memory_make(&memory->shared, bytes * GV_WINDOW_SLOTS, err);
}

bool gv_window_memory_map(struct gv_window_memory *memory, int fd, uint64_t bytes)
{
    const bool fits = bytes <= SIZE_MAX / 2 / GV_WINDOW_SLOTS;
    *memory = (struct gv_window_memory){ GV_SHARED_MEMORY_NONE, (size_t)bytes };
    return gv_shared_memory_map(&memory->shared, fd,
                                fits ? (size_t)bytes * GV_WINDOW_SLOTS : 0, false);
}

void gv_window_memory_finish(struct gv_window_memory *memory)
{
    gv_shared_memory_finish(&memory->shared);
    *memory = GV_WINDOW_MEMORY_NONE;
}

uint8_t *gv_window_memory_slot(const struct gv_window_memory *memory, uint32_t slot)
{
    return memory->shared.bytes + memory->bytes * slot;
}
