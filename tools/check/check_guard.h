// Keeps what a check reads from what it writes.
#ifndef GV_CHECK_GUARD_H
#define GV_CHECK_GUARD_H

#include "resources/base/error.h"
#include "tools/check/check_items.h"
#include "tools/check/check_params.h"

// Before anything is written: no file of results is a capture, a golden file, the list
// of expected failures or the earlier results, under another name or by a link.
// GV_ERR_USAGE.
bool gv_check_guard(const struct gv_check_params *params,
                    const struct gv_check_items *items, struct gv_error *err);

#endif
