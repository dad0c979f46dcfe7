// The progress file says where a run was, also after it was killed in the middle.
#include "tests/test.h"
#include "vm/progress.h"

#include <signal.h>
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
    CHECK(!state.finished);
}

static void finished_run(void)
{
    struct gv_progress_state state;
    struct gv_progress *p = gv_progress_create(path, NULL); // replaces the one above
    CHECK(p);
    CHECK(gv_progress_read(path, &state, NULL) && !state.recorded_command);
    gv_progress_recorded(p, 1, UINT64_C(1) << 40);
    gv_progress_finished(p);
    gv_progress_destroy(p);
    CHECK(gv_progress_read(path, &state, NULL));
    CHECK(state.recorded_command == UINT64_C(1) << 40 && state.finished);
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
    other_files();
    return TEST_RESULT();
}
