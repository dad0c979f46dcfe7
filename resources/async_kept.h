// What was fetched once is kept on disk, for the next run: in the layout of a folder
// store.
#ifndef GV_ASYNC_KEPT_H
#define GV_ASYNC_KEPT_H

#include "resources/async.h"
#include "resources/base/log.h"

struct gv_async_keep {
    char folder[4096]; // is there; others may use it at the same time
    uint64_t limit;    // bytes of all objects there
    const struct gv_log *log;
};

// Objects that are kept come from the folder, all others from `inner`, which is owned
// from now on, and then they are kept. What is damaged there is fetched anew, what
// cannot be written is not kept. Where the limit is reached, what was not used for
// longest goes until half of it is left. `inner` itself, if there is no memory for more
// or no such folder.
struct gv_async *gv_async_kept(struct gv_async *inner,
                               const struct gv_async_keep *keep);

#endif
