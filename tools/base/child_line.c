#define _GNU_SOURCE // MSG_CMSG_CLOEXEC
#include "tools/base/child_line.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool gv_child_line_open(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
}

// Keeps the first descriptor; a stranger may send more.
static int take_passed(struct msghdr *message)
{
    int kept = -1;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (kept < 0)
                kept = fd;
            else
                close(fd);
        }
    }
    return kept;
}

ptrdiff_t gv_child_line_hear(int fd, uint8_t *bytes, size_t size, int *passed)
{
    union control control;
    struct iovec data = { bytes, size };
    struct msghdr message = { .msg_iov = &data,
                              .msg_iovlen = 1,
                              .msg_control = &control,
                              .msg_controllen = sizeof control };
    ssize_t n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    *passed = n < 0 ? -1 : take_passed(&message);
    return n;
}

bool gv_child_line_say(int fd, const uint8_t *bytes, size_t size, int passed)
{
    union control control = { 0 };
    struct iovec data = { (void *)(uintptr_t)bytes, size };
    struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };
    if (passed >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof passed);
        memcpy(CMSG_DATA(header), &passed, sizeof passed);
    }
    ssize_t n;
    do
        n = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)size;
}

// A child that does not listen is its own loss: the parent does not wait for it.
void gv_child_line_answer(int fd, const struct gv_error *answer)
{
    send(fd, answer, sizeof *answer, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool gv_child_line_take_answer(int fd, struct gv_error *answer)
{
    uint8_t *to = (uint8_t *)answer;
    for (size_t have = 0; have < sizeof *answer;) {
        ssize_t n = read(fd, to + have, sizeof *answer - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        have += (size_t)n;
    }
    return true;
}
