// Files: writing them, making them, changing what they are.
#define _GNU_SOURCE // syscall, CLONE_*, O_ASYNC
#include "tests/cli/ways_list.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool shut_open(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd >= 0)
        close(fd);
    return refused(fd);
}

static bool shut_writing(void)
{
    return shut_open(gv_ways_victim, O_WRONLY);
}

static bool shut_reading_and_writing(void)
{
    return shut_open(gv_ways_victim, O_RDWR);
}

static bool shut_appending(void)
{
    return shut_open(gv_ways_victim, O_WRONLY | O_APPEND);
}

static bool shut_cutting_on_reading(void)
{
    return shut_open(gv_ways_victim, O_RDONLY | O_TRUNC);
}

static bool shut_making(void)
{
    return shut_open(gv_ways_fresh, O_WRONLY | O_CREAT);
}

static bool shut_nameless(void)
{
    return shut_open(gv_ways_folder, O_WRONLY | O_TMPFILE);
}

static bool shut_reopening(void)
{
    int fd = open(gv_ways_victim, O_RDONLY);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    bool shut = fd >= 0 && shut_open(path, O_RDWR);
    close(fd);
    return shut;
}

static bool shut_removing(void)
{
    return refused(unlink(gv_ways_victim));
}

static bool shut_renaming(void)
{
    return refused(rename(gv_ways_victim, gv_ways_fresh));
}

static bool shut_folder(void)
{
    return refused(mkdir(gv_ways_fresh, 0700));
}

static bool shut_symlink(void)
{
    return refused(symlink(gv_ways_victim, gv_ways_fresh));
}

static bool shut_link(void)
{
    return refused(link(gv_ways_victim, gv_ways_fresh));
}

static bool shut_fifo(void)
{
    return refused(mkfifo(gv_ways_fresh, 0600));
}

static bool shut_truncate(void)
{
    return refused(truncate(gv_ways_victim, 0));
}

static bool shut_chmod(void)
{
    return refused(chmod(gv_ways_victim, 0666));
}

static bool shut_fchmod(void)
{
    int fd = open(gv_ways_victim, O_RDONLY);
    bool shut = refused(fchmod(fd, 0666));
    close(fd);
    return shut;
}

static bool shut_chown(void)
{
    return refused(chown(gv_ways_victim, getuid(), getgid()));
}

static bool shut_times(void)
{
    return refused(utimensat(AT_FDCWD, gv_ways_victim, NULL, 0));
}

static bool shut_attributes(void)
{
    return refused(syscall(SYS_setxattr, gv_ways_victim, "user.x", "x", 1, 0));
}

static const struct gv_way_out ways[] = {
    FILE_WAY("writing a file", shut_writing),
    FILE_WAY("reading and writing a file", shut_reading_and_writing),
    FILE_WAY("appending to a file", shut_appending),
    CALL("O_TRUNC on reading", shut_cutting_on_reading),
    FILE_WAY("making a file", shut_making),
    FILE_WAY("making a nameless file", shut_nameless),
    FILE_WAY("opening a file again for writing", shut_reopening),
    FILE_WAY("removing a file", shut_removing),
    FILE_WAY("renaming a file", shut_renaming),
    FILE_WAY("making a folder", shut_folder),
    CALL("symlink", shut_symlink),
    CALL("link", shut_link),
    CALL("mkfifo", shut_fifo),
    CALL("truncate", shut_truncate),
    CALL("chmod", shut_chmod),
    CALL("fchmod", shut_fchmod),
    CALL("chown", shut_chown),
    CALL("utimensat", shut_times),
    CALL("setxattr", shut_attributes),
};
const struct gv_ways gv_ways_to_files = { ways, sizeof ways / sizeof *ways };
