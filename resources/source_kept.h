// A source that keeps what others had, for those who read the same objects again.
#ifndef GV_SOURCE_KEPT_H
#define GV_SOURCE_KEPT_H

#include <stdint.h>

#include "resources/source.h"

// Asks `sources`, the first one first, and keeps the first `most` bytes of objects that
// it gets; what comes after them is asked for each time. `sources` are borrowed and
// must outlive it. NULL and GV_ERR_SYSTEM: no memory. Use it from one thread.
struct gv_source *gv_source_kept(struct gv_source *const *sources, size_t count,
                                 uint64_t most, struct gv_error *err);

#endif
