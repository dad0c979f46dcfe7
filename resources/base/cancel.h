// A flag that any thread may raise, for who works to look at: what it was given fails
// soon.
#ifndef GV_CANCEL_H
#define GV_CANCEL_H

#include "resources/base/error.h"

#include <stdatomic.h>

// `cancel` may be NULL.
static inline bool gv_is_cancelled(const atomic_bool *cancel)
{
    return cancel && atomic_load_explicit(cancel, memory_order_relaxed);
}

// False and "cancelled": GV_ERR_SYSTEM.
static inline bool gv_fail_cancelled(struct gv_error *err)
{
    return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "cancelled");
}

#endif
