// What `gpuvm prof` found: lines, a table or JSON.
#ifndef GV_PROF_TEXT_H
#define GV_PROF_TEXT_H

#include "tools/run/run_job.h"

// For gv_run_job.report of a gv_prof.
void gv_prof_report(const struct gv_run_job *job, struct gv_json *json);

#endif
