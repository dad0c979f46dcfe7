// A host that takes dispatches at their word: it stands before the runtime and, for
// each buffer of which a dispatch names ranges, overwrites everything outside them with
// noise, with what they say is overwritten and not read, and afterwards keeps nothing
// but what was written inside. A dispatch that reads or writes more than it says, or
// overwrites less, gives other results than without.
#ifndef GV_RANGE_AUDIT_H
#define GV_RANGE_AUDIT_H

#include "vm/machine/vm.h"

struct gv_range_audit;

// `inner` is borrowed. NULL: out of memory.
struct gv_range_audit *gv_range_audit_create(const struct gv_host *inner);
void gv_range_audit_destroy(struct gv_range_audit *audit);

const struct gv_host *gv_range_audit_host(const struct gv_range_audit *audit);

// Dispatches that were held to ranges of at least one buffer.
uint64_t gv_range_audit_count(const struct gv_range_audit *audit);

#endif
