// A pack: a store in one file (docs/stores.md). Objects are only ever appended and the
// index is written anew at the end, so that a copy cut short, or a writer killed, costs
// no object that was whole.
#ifndef GV_PACKFILE_H
#define GV_PACKFILE_H

#include "resources/pack_format.h"
#include "resources/source.h"

struct gv_packfile;

// Opens a pack for reading. One without a whole index is searched for its objects. One
// thread at a time. NULL: GV_ERR_NOT_FOUND, GV_ERR_SYSTEM, GV_ERR_FORMAT,
// GV_ERR_UNSUPPORTED.
struct gv_packfile *gv_packfile_open(const char *path, struct gv_error *err);

// Opens a pack to add to; makes it if there is none, or an empty file. Waits while
// another process adds to it.
struct gv_packfile *gv_packfile_append(const char *path, struct gv_error *err);

// Without gv_packfile_close what was appended is there for those who search.
void gv_packfile_destroy(struct gv_packfile *pack); // NULL is fine

const char *gv_packfile_path(const struct gv_packfile *pack);
bool gv_packfile_torn(const struct gv_packfile *pack); // was without a whole index
// All objects, by ascending id; until the next put.
const struct gv_pack_row *gv_packfile_rows(const struct gv_packfile *pack,
                                           size_t *count);
// NULL: there is no such object.
const struct gv_pack_row *gv_packfile_find(const struct gv_packfile *pack,
                                           const struct gv_hash *hash);

// As gv_store_get.
bool gv_packfile_get(struct gv_packfile *pack, struct gv_fetch *item,
                     struct gv_error *err);

// The frame as it is stored, appended to `out`. GV_ERR_FETCH.
bool gv_packfile_get_frame(const struct gv_packfile *pack,
                           const struct gv_pack_row *row, struct gv_bytes *out,
                           struct gv_error *err);

// The id of the dictionary's object; NULL: it needs none.
const struct gv_hash *gv_packfile_needs(const struct gv_packfile *pack,
                                        const struct gv_pack_row *row);

// What it needs to be decompressed, nothing if it needs none; kept until the pack is
// destroyed. GV_ERR_FETCH with the offset of the record, GV_ERR_MEMORY.
bool gv_packfile_dictionary(struct gv_packfile *pack, const struct gv_pack_row *row,
                            struct gv_span *bytes, struct gv_error *err);

// An object that is to be added.
struct gv_pack_object {
    struct gv_hash hash;
    struct gv_span raw, frame;
    // Id of the object that may be its dictionary, if it is there and can be; or NULL.
    const struct gv_hash *dictionary;
    bool made_with; // the frame needs this dictionary
    int level;      // of a frame that has to be made
};

// As gv_store_put_frame; of a pack that was opened by gv_packfile_append. With the
// dictionary only if that saves a twentieth, or the frame is made with it.
bool gv_packfile_put(struct gv_packfile *pack, const struct gv_pack_object *object,
                     struct gv_error *err);

// Writes the index, if anything was added or it was torn. GV_ERR_OUTPUT.
bool gv_packfile_close(struct gv_packfile *pack, struct gv_error *err);

#endif
