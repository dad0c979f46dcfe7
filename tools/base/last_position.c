#include "tools/base/last_position.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "vm/machine/progress.h"

void gv_why_died(char why[GV_WHY_LOST], const char *who, int status)
{
    if (WIFSIGNALED(status))
        snprintf(why, GV_WHY_LOST, "lost: %s died (%s)", who,
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, GV_WHY_LOST, "lost: %s ended by itself (%d)", who,
                 WEXITSTATUS(status));
}

void gv_why_silent(char why[GV_WHY_LOST], bool running, uint64_t timeout_ns)
{
    snprintf(why, GV_WHY_LOST, GV_WHY_TIME_OUT " %s for %" PRIu64 " s",
             running ? "nothing completed" : "the device was not ready",
             timeout_ns / 1000000000u);
}

void gv_fail_lost_at(const char *path, const char *why, struct gv_error *err)
{
    struct gv_progress_state state = { 0 };
    if (!path || !gv_progress_read(path, &state, NULL) ||
        state.recorded_frame == GV_PROGRESS_NONE) {
        gv_fail(err, GV_ERR_LOST, GV_NO_OFFSET, "%s", why);
        return;
    }
    if (state.completed_frame == GV_PROGRESS_NONE)
        gv_fail(err, GV_ERR_LOST, GV_NO_OFFSET,
                "%s at frame %" PRIu64 "; nothing had completed before", why,
                state.recorded_frame);
    else
        gv_fail(
            err, GV_ERR_LOST, GV_NO_OFFSET,
            "%s at frame %" PRIu64 "; completed: frame %" PRIu64 ", command %" PRIu64,
            why, state.recorded_frame, state.completed_frame, state.completed_command);
    gv_error_at_command(err, state.recorded_command);
}
