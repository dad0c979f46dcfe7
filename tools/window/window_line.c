#define _GNU_SOURCE // memfd_create, F_ADD_SEALS
#include "tools/window/window_line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/child_line.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

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

static bool map(struct gv_window_memory *memory, int protection)
{
    void *pixels = mmap(NULL, memory->bytes * GV_WINDOW_SLOTS, protection, MAP_SHARED,
                        memory->fd, 0);
    memory->pixels = pixels == MAP_FAILED ? NULL : pixels;
    return memory->pixels;
}

bool gv_window_memory_make(struct gv_window_memory *memory, size_t bytes,
                           struct gv_error *err)
{
    *memory = (struct gv_window_memory){
        .fd = memfd_create("gpuvm-pictures", MFD_CLOEXEC | MFD_ALLOW_SEALING),
        .bytes = bytes,
    };
    if (memory->fd >= 0 &&
        ftruncate(memory->fd, (off_t)(bytes * GV_WINDOW_SLOTS)) == 0 &&
        fcntl(memory->fd, F_ADD_SEALS, SEALS) == 0 &&
        map(memory, PROT_READ | PROT_WRITE))
        return true;
    gv_window_memory_finish(memory);
    return gv_out_of_memory(err);
}

bool gv_window_memory_map(struct gv_window_memory *memory, int fd, uint64_t bytes)
{
    struct stat st;
    *memory = (struct gv_window_memory){ .fd = fd, .bytes = (size_t)bytes };
    if (bytes > 0 && bytes <= SIZE_MAX / 2 / GV_WINDOW_SLOTS && fstat(fd, &st) == 0 &&
        (fcntl(fd, F_GET_SEALS) & F_SEAL_SHRINK) && st.st_size >= 0 &&
        (uint64_t)st.st_size >= bytes * GV_WINDOW_SLOTS && map(memory, PROT_READ))
        return true;
    gv_window_memory_finish(memory);
    return false;
}

void gv_window_memory_finish(struct gv_window_memory *memory)
{
    if (memory->pixels)
        munmap(memory->pixels, memory->bytes * GV_WINDOW_SLOTS);
    if (memory->fd >= 0)
        close(memory->fd);
    *memory = GV_WINDOW_MEMORY_NONE;
}

uint8_t *gv_window_memory_slot(const struct gv_window_memory *memory, uint32_t slot)
{
    return memory->pixels + memory->bytes * slot;
}
