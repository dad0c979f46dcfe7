// Messages and memory between a window and who replays, who may send anything.
#define _GNU_SOURCE // memfd_create
#include "tools/window/window_line.h"
#include "tools/window/window_recent.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/test.h"

static void test_messages(void)
{
    struct gv_window_message sent = { .word = GV_WINDOW_SHOW, .slot = 2, .frame = 77 };
    struct gv_window_message m;
    int ends[2], passed = -1;
    CHECK(gv_window_line_open(ends));
    CHECK(gv_window_line_take(ends[1], &m, NULL, false) == GV_WINDOW_SILENT);
    CHECK(gv_window_line_take(ends[1], &m, &passed, false) == GV_WINDOW_SILENT);
    memset(sent.text, 'x', sizeof sent.text - 1);
    CHECK(gv_window_line_send(ends[0], &sent, -1));
    CHECK(gv_window_line_say(ends[0], GV_WINDOW_SAID, "a line"));
    CHECK(gv_window_line_take(ends[1], &m, NULL, true) == GV_WINDOW_HEARD);
    CHECK(memcmp(&m, &sent, sizeof m) == 0);
    CHECK(gv_window_line_take(ends[1], &m, &passed, true) == GV_WINDOW_HEARD);
    CHECK(m.word == GV_WINDOW_SAID && strcmp(m.text, "a line") == 0 && passed == -1);
    // One that is cut, and text without its end.
    CHECK(send(ends[0], &sent, 8, 0) == 8);
    CHECK(gv_window_line_take(ends[1], &m, &passed, false) == GV_WINDOW_ENDS);
    memset(&sent, 'x', sizeof sent);
    CHECK(send(ends[0], &sent, sizeof sent, 0) == (ssize_t)sizeof sent);
    CHECK(gv_window_line_take(ends[1], &m, &passed, false) == GV_WINDOW_HEARD);
    CHECK(strlen(m.text) == GV_WINDOW_TEXT - 1);
    // What was said before the end is heard before it.
    CHECK(gv_window_line_say(ends[0], GV_WINDOW_LEAVE, ""));
    close(ends[0]);
    CHECK(gv_window_line_take(ends[1], &m, NULL, true) == GV_WINDOW_HEARD);
    CHECK(m.word == GV_WINDOW_LEAVE);
    CHECK(gv_window_line_take(ends[1], &m, NULL, true) == GV_WINDOW_ENDS);
    CHECK(gv_window_line_take(ends[1], &m, &passed, true) == GV_WINDOW_ENDS);
    close(ends[1]);
}

static void test_memory(void)
{
    static const struct {
        const char *name;
        unsigned flags;
        int seals;
        off_t size;
        uint64_t bytes; // said of a slot
    } rows[] = {
        { "can be cut short", MFD_ALLOW_SEALING, 0, 3 * 4096, 4096 },
        { "cannot be sealed", 0, 0, 3 * 4096, 4096 },
        { "too short", MFD_ALLOW_SEALING, F_SEAL_SHRINK, 3 * 4096 - 1, 4096 },
        { "nothing", MFD_ALLOW_SEALING, F_SEAL_SHRINK, 3 * 4096, 0 },
        { "wraps", MFD_ALLOW_SEALING, F_SEAL_SHRINK, 3 * 4096, UINT64_MAX / 3 + 1 },
        { "all of it", MFD_ALLOW_SEALING, F_SEAL_SHRINK, 3 * 4096, UINT64_MAX },
    };
    struct gv_window_memory made, map;
    struct gv_error err = GV_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int fd = memfd_create("test", rows[i].flags);
        CHECK(fd >= 0 && ftruncate(fd, rows[i].size) == 0);
        CHECK(!rows[i].seals || fcntl(fd, F_ADD_SEALS, rows[i].seals) == 0);
        CHECK_ROW(rows[i].name, !gv_window_memory_map(&map, fd, rows[i].bytes));
        CHECK_ROW(rows[i].name, fcntl(fd, F_GETFD) < 0 && map.shared.fd == -1);
    }
    CHECK(gv_window_memory_make(&made, 5000, &err));
    CHECK(gv_window_memory_map(&map, dup(made.shared.fd), 5000));
    gv_window_memory_slot(&made, 2)[4999] = 7;
    CHECK(gv_window_memory_slot(&map, 2)[4999] == 7);
    CHECK(ftruncate(made.shared.fd, 1) != 0);
    gv_window_memory_finish(&map);
    gv_window_memory_finish(&made);
}

static void test_recent(void)
{
    static uint8_t rows[4096 * 2048 * 4]; // of 32 MiB
    static struct gv_recent recent;
    struct gv_window_picture picture = { .width = 1, .height = 1, .rgba = rows };
    for (uint64_t i = 0; i < 200; i++) {
        picture.frame = i;
        CHECK(gv_recent_add(&recent, &picture));
    }
    CHECK(recent.count == GV_RECENT_MOST && recent.bytes == GV_RECENT_MOST * 4);
    CHECK(!gv_recent_find(&recent, 71) && gv_recent_find(&recent, 72));
    CHECK(gv_recent_add(&recent, &picture) && recent.count == GV_RECENT_MOST);
    picture = (struct gv_window_picture){ .frame = 72, .rgba = rows }; // it has none
    CHECK(gv_recent_add(&recent, &picture) && recent.bytes == (GV_RECENT_MOST - 1) * 4);
    CHECK(gv_recent_find(&recent, 72)->width == 0);
    picture.width = 4096;
    picture.height = 2048;
    for (picture.frame = 1000; picture.frame < 1010; picture.frame++)
        CHECK(gv_recent_add(&recent, &picture));
    CHECK(recent.count == GV_RECENT_LEAST && recent.bytes <= GV_RECENT_BYTES);
    CHECK(gv_recent_find(&recent, 1009) && !gv_recent_find(&recent, 1001));
    gv_recent_clear(&recent);
    CHECK(recent.count == 0 && recent.bytes == 0);
}

int main(void)
{
    test_messages();
    test_memory();
    test_recent();
    return TEST_RESULT();
}
