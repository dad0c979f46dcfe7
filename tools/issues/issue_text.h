// Issues as `gpuvm issues` prints them.
#ifndef GV_ISSUE_TEXT_H
#define GV_ISSUE_TEXT_H

#include "tools/run/run_job.h"

// For gv_run_job.report of a gv_issues_job: lines, or the member "issues".
void gv_issues_report(const struct gv_run_job *job, struct gv_json *json);

#endif
