// A folder of blobs named by their content id: cas/ab/abcdef….zst, where ab are the
// first two of the 32 hexadecimal digits and the file is one zstd frame. The same
// layout serves a local cache, a static web server or a bucket.
#ifndef GV_STORE_H
#define GV_STORE_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "resources/hash.h"
#include "resources/object.h"
#include "resources/source.h"

#include <stddef.h>

struct gv_store;

// Opens the store in `folder`, which is made (with its parents) if it does not exist;
// fan-out folders below it are made when first needed. The caller owns the store. Use
// it from one thread at a time; several processes may share the folder.
// NULL: GV_ERR_OUTPUT, GV_ERR_SYSTEM.
struct gv_store *gv_store_create(const char *folder, struct gv_error *err);

// The same for a folder that must exist: GV_ERR_NOT_FOUND otherwise.
struct gv_store *gv_store_open(const char *folder, struct gv_error *err);

void gv_store_destroy(struct gv_store *store); // NULL is fine

// Adds the bytes `raw`, whose id is `hash`, compressed at `level`; readers see the
// whole object or none. If the object exists its bytes are read back and compared:
// other bytes under the same id are GV_ERR_FORMAT "content id collision"; a damaged
// file is replaced. The object is as new afterwards (gv_store_collect).
// GV_ERR_OUTPUT when it cannot be written.
bool gv_store_put(struct gv_store *store, const struct gv_hash *hash,
                  struct gv_span raw, int level, struct gv_error *err);

// The same with the zstd frame of `raw` made by the caller (on another thread, say).
bool gv_store_put_frame(struct gv_store *store, const struct gv_hash *hash,
                        struct gv_span raw, struct gv_span frame, struct gv_error *err);

// Reads an object. `found` is false, and the result true, where the store has no such
// object. A damaged object (bad zstd, other size, other hash) is GV_ERR_FETCH naming
// the id; its `data` is then undefined.
bool gv_store_get(struct gv_store *store, struct gv_fetch *item, struct gv_error *err);

// The frame as it is stored, appended to `out`; what it holds is not looked at.
// GV_ERR_NOT_FOUND, GV_ERR_SYSTEM, GV_ERR_LIMIT (no frame of what it states is so
// long).
bool gv_store_get_frame(struct gv_store *store, const struct gv_hash *hash,
                        struct gv_bytes *out, struct gv_error *err);

// Bytes that an object holds by the first ones of its file; 0 where they say nothing.
uint64_t gv_store_stated_size(const char *path);

// Makes an object as new without looking at it.
void gv_store_renew(struct gv_store *store, const struct gv_hash *hash);

const char *gv_store_folder(const struct gv_store *store);

#endif
