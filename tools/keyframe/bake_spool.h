// Contents on their way to a store: who replays may not write there, and leaves them in
// a file that was open before.
#ifndef GV_BAKE_SPOOL_H
#define GV_BAKE_SPOOL_H

#include <stdio.h>

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "resources/hash.h"

// A file without a name. The caller closes it.
bool gv_bake_spool_open(FILE **spool, struct gv_error *err);

// `take` of a payload's writer (vm/keyframe/payload_append.h); `spool` is the file.
bool gv_bake_spool_put(void *spool, const struct gv_hash *hash, struct gv_span raw,
                       struct gv_span frame, struct gv_error *err);

// Puts all of it into a store: a folder or a pack that is there.
bool gv_bake_spool_store(FILE *spool, const char *store, struct gv_error *err);

#endif
