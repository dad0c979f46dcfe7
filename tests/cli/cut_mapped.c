// To be preloaded: the file $CUT_MAPPED is cut to 4096 bytes as soon as it has been
// mapped, as somebody might do to a file in use.
#define _GNU_SOURCE // RTLD_NEXT
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int is_file(int fd, const char *path)
{
    struct stat here, there;
    return path && fstat(fd, &here) == 0 && stat(path, &there) == 0 &&
           here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    typedef void *(*call)(void *, size_t, int, int, int, off_t);
    const char *path = getenv("CUT_MAPPED");
    call next;
    *(void **)&next = dlsym(RTLD_NEXT, "mmap");
    void *data = next(at, size, protection, flags, fd, offset);
    if (data != MAP_FAILED && fd >= 0 && is_file(fd, path) && truncate(path, 4096) != 0)
        perror(path);
    return data;
}
