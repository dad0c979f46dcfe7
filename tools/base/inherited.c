#define _DEFAULT_SOURCE // dirfd
#include "tools/base/inherited.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLES "GPUVM_" // of options begin so

extern char **environ;

static struct {
    int *items;
    size_t count, capacity;
} noted;

static bool is_named_in(const char *text, int fd)
{
    for (const char *at = text; (at = strstr(at, "/fd/"));) {
        char *end;
        at += strlen("/fd/");
        if (strtol(at, &end, 10) == fd && end != at)
            return true;
    }
    return false;
}

static bool is_named(int argc, char **argv, int fd)
{
    for (int i = 1; i < argc; i++)
        if (is_named_in(argv[i], fd))
            return true;
    for (char **v = environ; v && *v; v++)
        if (strncmp(*v, VARIABLES, strlen(VARIABLES)) == 0 && is_named_in(*v, fd))
            return true;
    return false;
}

static void note(int fd)
{
    if (noted.count == noted.capacity) {
        size_t capacity = noted.capacity ? 2 * noted.capacity : 16;
        void *grown = realloc(noted.items, capacity * sizeof *noted.items);
        if (!grown)
            return;
        noted.items = grown;
        noted.capacity = capacity;
    }
    noted.items[noted.count++] = fd;
}

void gv_inherited_note(int argc, char **argv)
{
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return;
    for (const struct dirent *e; (e = readdir(folder));) {
        int fd = (int)strtol(e->d_name, NULL, 10);
        if (fd <= STDERR_FILENO || fd == dirfd(folder))
            continue;
        // What came through exec; what a preloaded library opened has the flag.
        int flags = fcntl(fd, F_GETFD);
        if (flags >= 0 && !(flags & FD_CLOEXEC) && !is_named(argc, argv, fd))
            note(fd);
    }
    closedir(folder);
}

void gv_inherited_close(void)
{
    for (size_t i = 0; i < noted.count; i++)
        close(noted.items[i]);
    noted.count = 0;
}
