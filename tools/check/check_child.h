// Processes that a check starts: this very program, with other arguments. What one says
// is kept, and it does not outlive its time or this process.
#ifndef GV_CHECK_CHILD_H
#define GV_CHECK_CHILD_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"

#include <sys/types.h>

enum gv_check_end {
    GV_CHECK_ENDED,  // by itself: `status` is waitpid's
    GV_CHECK_LATE,   // it was killed: its time was over
    GV_CHECK_TALKED, // it was killed: it said more than anybody keeps
};

struct gv_check_child {
    pid_t pid;              // 0: none
    int out, words;         // its standard output and error; -1: closed
    struct gv_bytes output; // owned, with a NUL behind once it has ended
    char last_words[512];   // how its standard error began
    size_t last_size;
    uint64_t started_ns, deadline_ns; // 0: none
    uint64_t ns;                      // that it took
    enum gv_check_end end;
    int status;
};

// `argv` ends with a NULL. Variables GPUVM_* do not reach it. GV_ERR_SYSTEM.
bool gv_check_child_start(struct gv_check_child *child, char *const argv[],
                          uint64_t timeout_s, struct gv_error *err);

// Waits until one of them has ended, whose index it is. At least one runs.
size_t gv_check_child_wait(struct gv_check_child *children, size_t count);

// Ends it, if it runs. What it said is freed.
void gv_check_child_finish(struct gv_check_child *child);

#endif
