// The replay of `gpuvm issues`: one pass, with a host that looks for issues, beside
// what the payload and the device say of themselves.
#ifndef GV_ISSUES_JOB_H
#define GV_ISSUES_JOB_H

#include "tools/issues/issue_host.h"
#include "tools/run/run_job.h"

struct gv_issues_job {
    struct gv_run_job job; // first
    const char *fail_on;   // a severity; NULL: exit 0 whatever is found
    bool verbose;
    // Made:
    enum gv_issue_severity least; // of `fail_on`
    const struct gv_payload *payload;
    struct gv_issues issues;
    struct gv_issue_host *host; // owned
    struct gv_log log;          // of the run: keeps messages of the validation layer
    struct gv_log further;      // that gets all others
};

// Sets the functions. GV_ERR_USAGE: `fail_on` is no severity.
bool gv_issues_job_init(struct gv_issues_job *job, struct gv_error *err);

#endif
