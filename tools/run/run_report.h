// What a run did and how it ended, for people and for JSON.
#ifndef GV_RUN_REPORT_H
#define GV_RUN_REPORT_H

#include "tools/run/run_session.h"

// Says it in every form that was asked for: the error or a line of what was done on
// standard error, counters or JSON on standard output. `err` is GV_OK where the run
// came to its end. Returns the exit code.
enum gv_exit gv_run_report(struct gv_run_session *s, const struct gv_error *err);

#endif
