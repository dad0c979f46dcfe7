// Bytes that come through a pipe: how many are there, what stays, what ends them.
#include "resources/inflow.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"

#define MEGABYTE ((size_t)1 << 20)

// Byte number `at` of what all writers here send.
static uint8_t byte_at(size_t at)
{
    return (uint8_t)(at * 31 + (at >> 8));
}

// The reading end of a pipe that a process of its own writes `size` bytes to, and
// `held` of which came before.
static int pipe_of(size_t size, size_t held, pid_t *writer)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    *writer = fork();
    if (*writer == 0) {
        close(ends[0]);
        for (size_t at = held; at < size;) {
            uint8_t bytes[5000];
            size_t n = size - at < sizeof bytes ? size - at : sizeof bytes;
            for (size_t i = 0; i < n; i++)
                bytes[i] = byte_at(at + i);
            if (write(ends[1], bytes, n) != (ssize_t)n)
                _exit(1);
            at += n;
        }
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

static bool holds(const struct gv_inflow *f, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++)
        if (f->data[at] != byte_at(at))
            return false;
    return true;
}

static void test_grows(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_inflow f;
    const uint8_t head[] = { byte_at(0), byte_at(1), byte_at(2) };
    pid_t writer;
    const int fd = pipe_of(20 * MEGABYTE, sizeof head, &writer);
    const struct gv_inflow_params params = { .fd = fd,
                                             .head = { head, sizeof head },
                                             .limit = 64 * MEGABYTE };
    CHECK(gv_inflow_init(&f, &params, &err) && f.size == 0);
    CHECK(gv_inflow_want(&f, 2) && f.size >= 2 && f.size < MEGABYTE && !f.ended);
    const uint8_t *at = f.data;
    CHECK(gv_inflow_want(&f, 17 * MEGABYTE) && holds(&f, 0, f.size));
    gv_inflow_forget(&f, 9 * MEGABYTE); // which may be read all the same
    CHECK(holds(&f, 0, f.size));
    CHECK(!gv_inflow_want(&f, UINT64_MAX) && f.ended && f.size == 20 * MEGABYTE);
    CHECK(f.data == at && holds(&f, 0, f.size) && f.error.status == GV_OK);
    CHECK(!gv_inflow_want(&f, f.size + 1) && gv_inflow_want(&f, f.size));
    gv_inflow_finish(&f);
    gv_inflow_finish(&f);
    close(fd);
    waitpid(writer, NULL, 0);
}

// What is dropped makes room: much more comes than may wait.
static void test_drops(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_inflow f;
    pid_t writer;
    const int fd = pipe_of(40 * MEGABYTE, 0, &writer);
    const struct gv_inflow_params params = { .fd = fd, .limit = 10 * MEGABYTE };
    CHECK(gv_inflow_init(&f, &params, &err));
    for (size_t at = 0; gv_inflow_want(&f, at + 1); at = f.size) {
        CHECK(holds(&f, at, f.size));
        gv_inflow_drop(&f, f.size);
    }
    CHECK(f.error.status == GV_OK && f.size == 40 * MEGABYTE);
    CHECK(f.dropped == 40 * MEGABYTE);
    gv_inflow_finish(&f);
    close(fd);
    waitpid(writer, NULL, 0);
}

static void test_limit(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_inflow f;
    pid_t writer;
    const int fd = pipe_of(3 * MEGABYTE, 0, &writer);
    const struct gv_inflow_params params = { .fd = fd,
                                             .limit = 2 * MEGABYTE,
                                             .option = "--an-option" };
    CHECK(gv_inflow_init(&f, &params, &err));
    CHECK(!gv_inflow_want(&f, UINT64_MAX) && f.ended && f.size <= 2 * MEGABYTE);
    CHECK(f.error.status == GV_ERR_LIMIT);
    CHECK(strcmp(f.error.message, "over 2 MiB wait in a file: --an-option") == 0);
    CHECK(holds(&f, 0, f.size));
    gv_inflow_finish(&f);
    close(fd);
    waitpid(writer, NULL, 0);
}

static void test_refused(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_inflow f;
    const int fd = open("/", O_RDONLY);
    const struct gv_inflow_params params = { .fd = fd, .limit = MEGABYTE };
    CHECK(gv_inflow_init(&f, &params, &err));
    CHECK(!gv_inflow_want(&f, 1) && f.ended && f.error.status == GV_ERR_SYSTEM);
    CHECK(!gv_inflow_want(&f, 1)); // nor again
    gv_inflow_finish(&f);
    close(fd);
}

int main(void)
{
    test_grows();
    test_drops();
    test_limit();
    test_refused();
    return TEST_RESULT();
}
