#define _GNU_SOURCE // fallocate
#include "tools/process/driver_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resources/base/file.h"

// More than what drivers map at first: Mesa's index has 1.3 MB.
#define ROOM (4 << 20) // bytes

// Mesa's index: a count, then 65536 keys of 20 bytes.
#define INDEX_BYTES (8 + 65536 * 20)

// Variables of drivers that name a cache of the user's choice; the last one serves all
// that have none of their own.
static const char *const places[GV_DRIVER_CACHE_PATHS] = {
    "MESA_SHADER_CACHE_DIR",      "MESA_GLSL_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH",
    "AMD_SHADER_DISK_CACHE_PATH", "XDG_CACHE_HOME",
};

// Bytes are really had, and given back: a quota or a limit is not in what statvfs says.
static bool has_room(const char *folder)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/room.XXXXXX", folder);
    int fd = length > 0 && (size_t)length < sizeof path ? mkstemp(path) : -1;
    if (fd < 0)
        return false;
    unlink(path);
    bool ok = posix_fallocate(fd, 0, ROOM) == 0;
    close(fd);
    return ok;
}

// Fills the holes of Mesa's index, which it maps and writes. One that is larger than
// any goes, and Mesa makes another: to fill it would take all the disk there is.
static bool fill_index(const char *folder)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/mesa_shader_cache/index", folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return false;
    int fd = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT;
    struct stat st;
    bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (ok && st.st_size > INDEX_BYTES)
        ok = unlink(path) == 0;
    else if (ok && st.st_blocks * 512 < st.st_size)
        ok = fallocate(fd, 0, 0, st.st_size) == 0;
    close(fd);
    return ok;
}

static void run_without(void)
{
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("MESA_GLSL_CACHE_DISABLE", "true", 1); // the older name
    setenv("__GL_SHADER_DISK_CACHE", "0", 1);
}

void gv_driver_cache_prepare(const char *folder, const struct gv_log *log)
{
    char own[4096];
    int length = folder ? snprintf(own, sizeof own, "%s/driver", folder) : -1;
    bool named = length > 0 && (size_t)length < sizeof own;
    if (named)
        setenv("XDG_CACHE_HOME", own, 1);
    if (!named) {
        gv_log(log, GV_LOG_DEBUG, "no folder for the driver's cache: it runs without");
        unsetenv("XDG_CACHE_HOME"); // what is there is not the driver's to write
        run_without();
    }
    const char *paths[GV_DRIVER_CACHE_PATHS];
    gv_driver_cache_paths(paths);
    for (size_t i = 0; i < GV_DRIVER_CACHE_PATHS; i++) {
        if (!paths[i] || (gv_make_folders(paths[i], NULL) && has_room(paths[i]) &&
                          fill_index(paths[i])))
            continue;
        gv_log(log, GV_LOG_DEBUG,
               "no room in %s, or an index that is none: the driver runs without its "
               "cache",
               paths[i]);
        run_without();
    }
}

void gv_driver_cache_paths(const char *paths[GV_DRIVER_CACHE_PATHS])
{
    for (size_t i = 0; i < GV_DRIVER_CACHE_PATHS; i++) {
        const char *path = getenv(places[i]);
        paths[i] = path && path[0] ? path : NULL;
    }
}
