// The progress file says where a run was, also after it was killed in the middle.
#include "tests/test.h"
#include "vm/machine/progress.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char path[] = "test_progress.bin";

static void killed_run(void)
{
    int ready[2];
    CHECK(pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        struct gv_progress *p = gv_progress_create(path, NULL);
        for (uint64_t i = 0; i <= 100000 && p; i++) {
            gv_progress_recorded(p, i / 1000, i);
            if (i % 2 == 0)
                gv_progress_completed(p, i / 2000, i / 2);
        }
        if (write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    char byte = 0;
    close(ready[1]);
    CHECK(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    CHECK(kill(child, SIGKILL) == 0);
    CHECK(waitpid(child, NULL, 0) == child);

    struct gv_progress_state state;
    CHECK(gv_progress_read(path, &state, NULL));
    CHECK(state.recorded_frame == 100 && state.recorded_command == 100000);
    CHECK(state.completed_frame == 50 && state.completed_command == 50000);
    CHECK(state.completions == 50001);
    CHECK(!state.finished);
}

static void finished_run(void)
{
    struct gv_progress_state state;
    struct gv_progress *p = gv_progress_create(path, NULL); // replaces the one above
    CHECK(p);
    CHECK(gv_progress_read(path, &state, NULL));
    CHECK(state.recorded_frame == GV_PROGRESS_NONE);
    CHECK(state.recorded_command == GV_PROGRESS_NONE);
    CHECK(state.completed_frame == GV_PROGRESS_NONE);
    CHECK(state.completed_command == GV_PROGRESS_NONE && !state.finished);
    CHECK(state.completions == 0);
    gv_progress_recorded(p, 1, UINT64_C(1) << 40);
    gv_progress_completed(p, 1, 7);
    gv_progress_completed(p, 1, 7); // the same position is progress too
    gv_progress_finished(p);
    gv_progress_destroy(p);
    CHECK(gv_progress_read(path, &state, NULL));
    CHECK(state.recorded_command == UINT64_C(1) << 40 && state.finished);
    CHECK(state.completions == 2);
}

// What is no progress file is not turned into one.
static void kept_files(void)
{
    static const struct {
        const char *name, *bytes;
        size_t size;
        enum gv_status status;
    } rows[] = {
        { "empty", "", 0, GV_OK },
        { "text", "some text", 9, GV_ERR_USAGE },
        { "of_older_programs", "GPUVMPRG                                        ", 48,
          GV_OK },
        { "as_long", "GPUVMPRX                                                ", 56,
          GV_ERR_USAGE },
        { "begins_alike", "GPUVMPRG", 8, GV_ERR_USAGE },
        { "between", "GPUVMPRG                                         ", 49,
          GV_ERR_USAGE },
        { "longer", "GPUVMPRG                                                 ", 57,
          GV_ERR_USAGE },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char bytes[64];
        FILE *file = fopen(path, "wb");
        CHECK(file && fwrite(rows[i].bytes, 1, rows[i].size, file) == rows[i].size &&
              !fclose(file));
        struct gv_error err = GV_ERROR_INIT;
        struct gv_progress *p = gv_progress_create(path, &err);
        CHECK_ROW(rows[i].name, !p == (rows[i].status != GV_OK));
        CHECK_ROW(rows[i].name, err.status == rows[i].status);
        gv_progress_destroy(p);
        file = fopen(path, "rb");
        size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
        CHECK_ROW(rows[i].name,
                  rows[i].status == GV_OK ||
                      (size == rows[i].size && !memcmp(bytes, rows[i].bytes, size)));
        CHECK(file && !fclose(file));
    }
    CHECK(remove(path) == 0 && mkfifo(path, 0600) == 0);
    struct gv_error err = GV_ERROR_INIT;
    CHECK(!gv_progress_create(path, &err) && err.status == GV_ERR_USAGE);
    gv_error_clear(&err);
    CHECK(!gv_progress_create("/dev/full", &err) && err.status == GV_ERR_USAGE);
    CHECK(remove(path) == 0);
}

// Without the count of completions; the rest is read.
static void older_file(void)
{
    static const uint8_t bytes[48] = { 'G', 'P', 'U', 'V', 'M', 'P', 'R', 'G', 9 };
    struct gv_progress_state state;
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, sizeof bytes, 1, file) == 1 && !fclose(file));
    CHECK(gv_progress_read(path, &state, NULL));
    CHECK(state.recorded_frame == 9 && state.completions == 0 && !state.finished);
    CHECK(remove(path) == 0);
}

static void other_files(void)
{
    struct gv_progress_state state;
    struct gv_error err = GV_ERROR_INIT;
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs("GPUVMPRG, but too short", file) >= 0 && !fclose(file));
    CHECK(!gv_progress_read(path, &state, &err) && err.status == GV_ERR_FORMAT);
    CHECK(remove(path) == 0);
    gv_error_clear(&err);
    CHECK(!gv_progress_read(path, &state, &err) && err.status == GV_ERR_NOT_FOUND);
    gv_error_clear(&err);
    CHECK(!gv_progress_create("/nonexistent/folder/file", &err));
    CHECK(err.status == GV_ERR_OUTPUT);
    gv_progress_recorded(NULL, 0, 0); // no file asked for
    gv_progress_completed(NULL, 0, 0);
    gv_progress_finished(NULL);
    gv_progress_destroy(NULL);
}

int main(void)
{
    killed_run();
    finished_run();
    CHECK(remove(path) == 0);
    kept_files();
    older_file();
    other_files();
    return TEST_RESULT();
}
