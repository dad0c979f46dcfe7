// Lists of files to play: what comes of their lines, and of mutants of them.
#define _GNU_SOURCE // memfd_create
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resources/base/write_all.h"
#include "tools/run/play_files.h"
#include "tools/run/run_plan.h"

#include "tests/helpers.h"
#include "tests/test.h"

#define FOLDER "/proc/self/fd/"
#define MUTANTS 20000
#define MOST_BYTES 64

static bool read_list(struct gv_play_files *files, const char *data, size_t size,
                      struct gv_error *err)
{
    char path[48];
    const int fd = memfd_create("list", MFD_CLOEXEC);
    CHECK(fd >= 0 && gv_write_all(fd, data, size));
    snprintf(path, sizeof path, FOLDER "%d", fd);
    const bool read = gv_play_files_read(files, path, NULL, err);
    close(fd);
    return read;
}

static void test_lines(void)
{
    static const char list[] = "# games\na b.gvp\r\n\n\r\n #c\n../d\n-\n/e.psxgpu\n"
                               "https://example.com/f.gvp\nno end";
    static const char *const names[] = { FOLDER "a b.gvp", FOLDER " #c",
                                         FOLDER "../d",    FOLDER "-",
                                         "/e.psxgpu",      "https://example.com/f.gvp",
                                         FOLDER "no end" };
    const size_t count = sizeof names / sizeof *names;
    struct gv_play_files files;
    struct gv_error err = GV_ERROR_INIT;
    CHECK(read_list(&files, list, sizeof list - 1, &err));
    CHECK(files.count == count);
    for (size_t i = 0; i < count && i < files.count; i++)
        CHECK_ROW(names[i], strcmp(files.names[i], names[i]) == 0);
    gv_play_files_finish(&files);
}

// The longest name there may be, and one byte more.
static void test_long(void)
{
    char list[GV_RUN_PATH];
    const size_t most = GV_RUN_PATH - 1 - strlen(FOLDER);
    memset(list, 'x', sizeof list);
    for (size_t more = 0; more < 2; more++) {
        struct gv_play_files files;
        struct gv_error err = GV_ERROR_INIT;
        CHECK(read_list(&files, list, most + more, &err) == !more);
        CHECK(err.status == (more ? GV_ERR_LIMIT : GV_OK));
        gv_play_files_finish(&files);
    }
}

// Whether the bytes have the name, from the start of a line to its end.
static bool is_line(const char *name, const char *data, size_t size)
{
    const size_t length = strlen(name);
    for (size_t at = 0; length <= size - at;) {
        const size_t end = at + length;
        if (memcmp(data + at, name, length) == 0 &&
            (end == size || data[end] == '\n' || data[end] == '\r'))
            return true;
        const char *next = memchr(data + at, '\n', size - at);
        if (!next)
            return false;
        at = (size_t)(next - data) + 1;
    }
    return false;
}

static bool is_right(const char *path, const char *data, size_t size)
{
    const size_t before = strlen(FOLDER);
    const bool within = strncmp(path, FOLDER, before) == 0;
    return !strchr(path, '\n') && path[0] != '#' &&
           (is_line(path, data, size) ||
            (within && is_line(path + before, data, size)));
}

static void test_mutants(void)
{
    static const char bytes[] = "\n\n\r#/-a.\0h";
    uint32_t state = 1;
    size_t whole = 0, refused = 0;
    for (int i = 0; i < MUTANTS; i++) {
        char data[MOST_BYTES];
        const size_t size = gv_test_random(&state) % MOST_BYTES;
        for (size_t k = 0; k < size; k++)
            data[k] = bytes[gv_test_random(&state) % (i % 2 ? 8 : sizeof bytes)];
        struct gv_play_files files;
        struct gv_error err = GV_ERROR_INIT;
        const bool read = read_list(&files, data, size, &err);
        CHECK(read == (err.status == GV_OK) && (!read || files.count));
        CHECK(read || err.status == GV_ERR_FORMAT || err.status == GV_ERR_NOT_FOUND);
        for (size_t k = 0; read && k < files.count; k++)
            CHECK(is_right(files.names[k], data, size));
        whole += read;
        refused += !read;
        gv_play_files_finish(&files);
    }
    CHECK(whole > MUTANTS / 4 && refused > MUTANTS / 8);
}

int main(void)
{
    test_lines();
    test_long();
    test_mutants();
    return TEST_RESULT();
}
