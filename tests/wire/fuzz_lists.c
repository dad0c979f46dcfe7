// Lists that people write: of files to play, of hashes to expect, of frames. Whatever
// the bytes are, what comes out of them is whole, and numbers are those of frames.
#define _GNU_SOURCE // memfd_create
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resources/base/write_all.h"
#include "tests/promise.h"
#include "tools/run/play_files.h"
#include "tools/run/run_plan.h"
#include "tools/set_file.h"
#include "tools/verdict/expect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FRAMES 50

static void read_names(const char *path)
{
    struct gv_play_files files;
    struct gv_error err = GV_ERROR_INIT;
    bool ok = gv_play_files_read(&files, path, NULL, &err);
    gv_must(ok == (err.status == GV_OK) && ok <= (files.count > 0));
    for (size_t i = 0; ok && i < files.count; i++)
        gv_must(files.names[i][0] && strlen(files.names[i]) < GV_RUN_PATH &&
                !strchr(files.names[i], '\n'));
    gv_play_files_finish(&files);
}

static void read_hashes(const char *path)
{
    struct gv_expect expect = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    bool ok = gv_expect_read(&expect, path, &err);
    gv_must(ok == (err.status == GV_OK));
    for (size_t i = 0; ok && i < expect.count; i++) {
        size_t count = 0;
        const struct gv_expect_line *line = &expect.lines[i];
        const struct gv_expect_line *first =
            gv_expect_lines(&expect, line->frame, &count);
        gv_must(first && first <= line && line < first + count &&
                strcmp(first->frame, line->frame) == 0);
        gv_must(line->forms != 0 || strcmp(line->hash, "none") == 0);
    }
    gv_expect_name_last(&expect, "7");
    gv_expect_finish(&expect);
}

static void read_set(const char *text)
{
    struct gv_set set = { 0 };
    struct gv_selection frames = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_set_read(&set, text, &err)) {
        gv_must(err.status != GV_OK);
        gv_set_finish(&set);
        return;
    }
    if (gv_set_resolve(&set, FRAMES, "frame", &frames, &err))
        for (size_t i = 0; i < frames.count; i++)
            gv_must(frames.numbers[i] < FRAMES &&
                    (i == 0 || frames.numbers[i - 1] < frames.numbers[i]));
    gv_selection_finish(&frames);
    gv_set_finish(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("list", MFD_CLOEXEC);
    // A SET that names files would read whichever the input says.
    if (size == 0 || fd < 0 || memchr(data, '@', size)) {
        close(fd);
        return 0;
    }
    gv_must(gv_write_all(fd, data + 1, size - 1));
    // With what `@` makes of it, a SET.
    snprintf(path, sizeof path, "@/proc/self/fd/%d", fd);
    switch (data[0] % 3) {
    case 0:
        read_names(path + 1);
        break;
    case 1:
        read_hashes(path + 1);
        break;
    case 2:
        read_set(path);
        break;
    }
    close(fd);
    return 0;
}
