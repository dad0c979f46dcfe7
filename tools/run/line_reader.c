#include "tools/run/line_reader.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "vm/machine/progress.h"

#define WAIT_MS 1000

// More bytes; 0 at the end of the input, less with `errno`.
static ssize_t read_more(struct gv_line_reader *r)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    ssize_t n;
    do {
        while (poll(&in, 1, WAIT_MS) == 0)
            gv_progress_alive(r->progress);
        n = read(STDIN_FILENO, r->bytes + r->size, sizeof r->bytes - r->size);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n > 0)
        r->size += (size_t)n;
    return n;
}

static void drop(struct gv_line_reader *r, size_t size)
{
    r->size -= size;
    memmove(r->bytes, r->bytes + size, r->size);
}

// Hands out `size` bytes as a line.
static bool take(struct gv_line_reader *r, size_t size, char line[GV_LINE_BYTES],
                 bool too_long, struct gv_error *err)
{
    memcpy(line, r->bytes, size);
    line[size] = '\0';
    bool whole = strlen(line) == size;
    if (whole && size && line[size - 1] == '\r')
        line[size - 1] = '\0';
    drop(r, size < r->size ? size + 1 : size);
    if (too_long)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "a line of over %d bytes",
                       GV_LINE_BYTES - 1);
    return whole || gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "a line that holds a NUL");
}

bool gv_line_reader_next(struct gv_line_reader *r, char line[GV_LINE_BYTES],
                         bool *ended, struct gv_error *err)
{
    bool too_long = false;
    *ended = false;
    for (;;) {
        const char *end = r->size ? memchr(r->bytes, '\n', r->size) : NULL;
        if (end)
            return take(r, (size_t)(end - r->bytes), line, too_long, err);
        if (r->size == sizeof r->bytes) {
            too_long = true;
            drop(r, r->size);
        }
        ssize_t n = read_more(r);
        if (n < 0)
            return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET,
                           "cannot read standard input: %s", strerror(errno));
        if (n > 0)
            continue;
        *ended = r->size == 0 && !too_long;
        return *ended || take(r, r->size, line, too_long, err);
    }
}
