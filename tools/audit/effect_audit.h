// run --check-effects: a host around the runtime's that looks at what every call wrote.
// Behind a call all that it declares to write is compared with what was there, at the
// ends of frames and passes all there is.
#ifndef GV_EFFECT_AUDIT_H
#define GV_EFFECT_AUDIT_H

#include "resources/base/log.h"
#include "runtime/runtime.h"

struct gv_effect_audit;

// NULL: GV_ERR_LIMIT, or the code cannot be read. All are borrowed; the payload is
// verified, and runs once, whole.
struct gv_effect_audit *gv_effect_audit_create(struct gv_runtime *runtime,
                                               struct gv_payload *payload,
                                               const struct gv_log *log,
                                               struct gv_error *err);
void gv_effect_audit_destroy(struct gv_effect_audit *audit); // NULL is fine

// For gv_vm_params.host. Valid until destroy.
const struct gv_host *gv_effect_audit_host(const struct gv_effect_audit *audit);

// Objects found with what no call declares.
uint64_t gv_effect_audit_violations(const struct gv_effect_audit *audit);

#endif
