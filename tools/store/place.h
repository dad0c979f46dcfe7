// A store that a command works on, whatever it is kept in: folder or pack.
#ifndef GV_PLACE_H
#define GV_PLACE_H

#include "resources/packfile.h"
#include "resources/store_walk.h"

// Zero-initialise.
struct gv_place {
    const char *location;         // borrowed; as it was given
    struct gv_store *folder;      // the one
    struct gv_packfile *pack;     // or the other
    struct gv_codec_state *codec; // owned
};

// GV_ERR_UNSUPPORTED of other kinds, and what opening one gives. `writes`: made if it
// is not there; of a pack others then wait until it is closed.
bool gv_place_open(struct gv_place *place, const char *location, bool writes,
                   struct gv_error *err);
// The end of adding. Without it, what was added to a pack is found by searching alone.
bool gv_place_close(struct gv_place *place, struct gv_error *err);
void gv_place_finish(struct gv_place *place); // also of what was not opened

// Without damage `raw_size` is the object's, and else what its file states, or 0.
struct gv_stored {
    struct gv_hash hash;
    uint64_t raw_size, stored; // bytes
    bool leftover;             // no object: see store_walk.h
};

typedef bool (*gv_place_visit)(void *context, const struct gv_stored *object,
                               struct gv_error *err);
// By ascending id.
bool gv_place_walk(struct gv_place *place, gv_place_visit visit, void *context,
                   struct gv_error *err);

// Appends an object's bytes to `raw`, size and hash checked. GV_ERR_NOT_FOUND,
// GV_ERR_FETCH.
bool gv_place_read(struct gv_place *place, const struct gv_hash *hash,
                   struct gv_bytes *raw, struct gv_error *err);

// Adds an object; `*hash` becomes its id.
bool gv_place_add(struct gv_place *place, struct gv_span raw, int level,
                  struct gv_hash *hash, struct gv_error *err);

// The same with the id made by the caller, and the zstd frame, if it is not empty.
bool gv_place_put(struct gv_place *place, const struct gv_pack_object *object,
                  struct gv_error *err);

// Adds the object `hash` of another store as it stands there, once it is known to be
// whole; without its dictionary, where that is not. A pack may give it the dictionary
// that `object` names. The size of `raw` is the object's then, the rest is filled in.
bool gv_place_copy(struct gv_place *place, struct gv_place *from,
                   struct gv_pack_object *object, struct gv_error *err);

// Of an object that is not there: it was asked for, which makes it GV_ERR_FETCH (false,
// for tail calls); or it was listed, and others have removed it since: then `err` is
// cleared. False: the error is another.
bool gv_place_missing(struct gv_error *err);
bool gv_place_vanished(struct gv_error *err);

#endif
