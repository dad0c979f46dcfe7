// Bytes kept under keys from one run to the next: what can be made again, but slowly.
#ifndef GV_KEEPER_H
#define GV_KEEPER_H

#include "resources/base/bytes.h"
#include "resources/hash.h"

#include <stdatomic.h>

// Functions may be called by any thread, by several at once.
struct gv_keeper {
    // Appends to `out`; false: nothing is known, and `out` may hold anything.
    bool (*recall)(void *context, const struct gv_hash *key, struct gv_bytes *out);
    void (*keep)(void *context, const struct gv_hash *key, struct gv_span bytes);
    void *context;
};

#define GV_KEEPER_MOST ((size_t)16 << 20) // bytes under one key; more is not kept

// A file for each key, in a folder that several processes may share. Nothing here
// fails: what cannot be written is not kept, what was cut or changed is not known.
struct gv_folder_keeper {
    struct gv_keeper keeper; // to be handed on
    char folder[3840];
    struct gv_hash maker;
    uint64_t limit; // bytes of all files, and of those that one run writes
    atomic_uint_fast64_t written;
};

// `maker` names who makes the bytes: what others have kept is not known. False: there
// is no folder, or others than this user may write there. Makes the folder, for this
// user alone. `k` is not to move.
bool gv_folder_keeper_open(struct gv_folder_keeper *k, const char *folder,
                           const struct gv_hash *maker, uint64_t limit);

// Where more than the limit is there, and something was written, the oldest files go
// until half of it is left, those of runs that were ended in the middle among them.
void gv_folder_keeper_close(struct gv_folder_keeper *k);

#endif
