// Where resources come from: one small interface over a payload, a folder, and what
// else may come.
#ifndef GV_SOURCE_H
#define GV_SOURCE_H

#include "resources/base/error.h"
#include "resources/hash.h"

#include <stddef.h>

// One wanted object (a resource group) and, after fetch, its raw bytes.
struct gv_fetch {
    struct gv_hash hash; // of the raw bytes
    uint64_t raw_size;
    uint8_t *data; // out: raw_size bytes to write into, provided by the caller
    bool found;    // out
};

struct gv_async;

// A provider. Implementations embed it as their first member.
struct gv_source {
    const char *name; // for messages: "payload", the folder's path, the URL
    // Fetches what it can of `count` objects, decompressing into `data` and checking
    // size and hash once, on arrival; damaged bytes are GV_ERR_FETCH and never handed
    // out. What it does not have stays `found == false`, which is no error.
    bool (*fetch)(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err);
    // Bytes that can be borrowed without a copy (a mapped file, stored raw), or NULL.
    const uint8_t *(*borrow)(struct gv_source *source, const struct gv_hash *hash,
                             uint64_t raw_size);
    void (*destroy)(struct gv_source *source);
    struct gv_async *async; // the same by orders (async.h), or NULL; the source's own
    bool storeless;         // has what the payload itself holds, and no more
};

// None of them has the object: GV_ERR_FETCH, which asks for a store where there is
// none. Returns false.
bool gv_source_fail_absent(const struct gv_hash *hash, struct gv_source *const *sources,
                           size_t count, struct gv_error *err);

void gv_source_destroy(struct gv_source *source); // NULL is fine

#endif
