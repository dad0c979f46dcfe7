#include "resources/store_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int gv_store_lock(const char *folder, bool alone)
{
    size_t size = strlen(folder) + sizeof "/.lock";
    char *path = malloc(size);
    if (!path)
        return -1;
    snprintf(path, size, "%s/.lock", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    free(path);
    while (fd >= 0 && flock(fd, alone ? LOCK_EX : LOCK_SH) != 0)
        if (errno != EINTR)
            break;
    return fd;
}

void gv_store_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}
