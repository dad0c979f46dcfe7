#define _GNU_SOURCE // O_TMPFILE
#include "resources/base/nameless.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/temporary.h"

// A file without a name in `folder`, or -1.
static int nameless_in(const char *folder)
{
    char path[4096], name[4096 + GV_TEMPORARY_ROOM];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    if (snprintf(path, sizeof path, "%s/gpuvm", folder) >= (int)sizeof path)
        return -1;
    fd = gv_temporary_beside(path, name, 0600); // as old file systems have it
    if (fd < 0)
        return -1;
    int again = open(name, O_RDWR | O_CLOEXEC);
    gv_temporary_remove(name);
    close(fd);
    return again;
}

int gv_nameless_open(struct gv_error *err)
{
    const char *const folders[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
    int fd = -1;
    for (size_t i = 0; fd < 0 && i < sizeof folders / sizeof *folders; i++)
        if (folders[i] && folders[i][0])
            fd = nameless_in(folders[i]);
    if (fd < 0)
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET,
                "no place for what comes through a pipe (TMPDIR, /var/tmp, /tmp): %s",
                strerror(errno));
    return fd;
}
