#include "resources/base/in_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "resources/base/path_kind.h"

// A reader that is started together with us comes within a moment.
#define TRIES_PER_SECOND 100
#define BETWEEN_NS (1000000000 / TRIES_PER_SECOND)

static uint64_t seconds_waited = GV_PIPE_SECONDS;

void gv_wait_for_pipes(uint64_t seconds)
{
    if (seconds < seconds_waited)
        seconds_waited = seconds;
}

// Not blocking, a pipe without a reader is ENXIO.
static int open_pipe(const char *path)
{
    const struct timespec between = { 0, BETWEEN_NS };
    for (uint64_t i = 0;; i++) {
        int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0) {
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
            return fd;
        }
        if (errno != ENXIO || i >= seconds_waited * TRIES_PER_SECOND)
            return -1;
        nanosleep(&between, NULL);
    }
}

int gv_open_in_place(const char *path, struct gv_error *err)
{
    bool pipe = gv_path_kind(path) == GV_PATH_PIPE;
    int fd = pipe ? open_pipe(path) : open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0)
        gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write %s: %s", path,
                pipe && errno == ENXIO ? "nobody reads the pipe" : strerror(errno));
    return fd;
}
