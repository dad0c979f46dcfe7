// Work that no picture needs, and no export: what a slice for all of them leaves out.
#ifndef GV_DEAD_WORK_H
#define GV_DEAD_WORK_H

#include "vm/inspect/inspect.h"

// The draws and dispatches of a verified payload that could be left out, by names
// "f3.d40" in their order; all frames, the end and all exports are wanted. Rows have no
// arguments. GV_ERR_UNSUPPORTED: the code cannot be followed.
bool gv_inspect_each_dead(struct gv_payload *payload, uint64_t memory_limit,
                          gv_inspect_row *visit, void *context, struct gv_error *err);

#endif
