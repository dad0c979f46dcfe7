// All objects of a folder store: listed, collected.
#ifndef GV_STORE_WALK_H
#define GV_STORE_WALK_H

#include "resources/store.h"

// A file below cas/. What is no file, or has a name of no kind, is passed over.
struct gv_store_entry {
    struct gv_hash hash; // of its name
    uint64_t stored;     // bytes
    uint64_t age_s;      // since it was written, or added again
    bool leftover;       // begun, and not finished yet: or never, its writer killed
    const char *path;
};

// False ends the walk, with `err` filled.
typedef bool (*gv_store_visit)(void *context, const struct gv_store_entry *entry,
                               struct gv_error *err);

// Visits objects by ascending id, and beside them what was left over. What is added or
// removed meanwhile may be met or not. GV_ERR_SYSTEM.
bool gv_store_walk(const struct gv_store *store, gv_store_visit visit, void *context,
                   struct gv_error *err);

// What a collection removes: files written so many seconds ago or more, of objects that
// `keeps` does not want.
struct gv_collect_params {
    bool (*keeps)(void *context, const struct gv_hash *hash);
    void *context;
    uint64_t age_s;
    bool dry; // only counts
};

struct gv_collected {
    uint64_t objects, bytes; // removed
    uint64_t leftovers;      // likewise; in `bytes` too
    uint64_t kept;           // objects
};

// An object that is added at the same time is seen by the one or the other: it is not
// removed once it was added. GV_ERR_SYSTEM, GV_ERR_OUTPUT.
bool gv_store_collect(struct gv_store *store, const struct gv_collect_params *params,
                      struct gv_collected *out, struct gv_error *err);

#endif
