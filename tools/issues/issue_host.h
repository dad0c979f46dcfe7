// A host around the runtime's that looks for issues: contents that are read and were
// never written, draws without effect, uploads of what is there already, and messages
// of the validation layer.
#ifndef GV_ISSUE_HOST_H
#define GV_ISSUE_HOST_H

#include "runtime/runtime.h"
#include "tools/issues/issue_list.h"

struct gv_issue_host;

// NULL: GV_ERR_MEMORY. All are borrowed.
struct gv_issue_host *gv_issue_host_create(struct gv_runtime *runtime,
                                           const struct gv_payload *payload,
                                           struct gv_issues *issues,
                                           struct gv_error *err);
void gv_issue_host_destroy(struct gv_issue_host *host); // NULL is fine

// For gv_vm_params.host. Valid until destroy.
const struct gv_host *gv_issue_host_calls(const struct gv_issue_host *host);

// A message of the validation layer came.
void gv_issue_host_message(struct gv_issue_host *host, const char *text);

// Behind the end of the code: draws of which the device counted no sample.
bool gv_issue_host_end(struct gv_issue_host *host, struct gv_error *err);

#endif
