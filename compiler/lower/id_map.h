// Names of a source to its objects. A name stands for one object at a time; an object
// may have several names (aliases), lives on without any while something refers to it,
// and is told from those that had its name before by its serial (its generation).
//
// A front-end's object begins with struct gv_named, which only this file changes (but
// for references, see gv_id_release). Objects are made and reused here; what they hold
// is the front-end's to free.
#ifndef GV_ID_MAP_H
#define GV_ID_MAP_H

#include <stdint.h>

#include "resources/base/arena.h"

struct gv_named {
    uint64_t name;       // its first one
    uint64_t serial;     // unique over all that draw on one counter, from 1 on
    uint32_t names;      // that it has now
    uint32_t references; // names, and all else that holds it
    struct gv_named *next_free;
    struct gv_named *next_made; // of all objects of its map, those that are gone too
};

struct gv_id_entry {
    uint64_t name;           // 0 = empty
    bool reserved;           // the name is gone, but nobody may take it yet
    struct gv_named *object; // NULL: removed
};

// Zeroed but for the first group: a map without names.
struct gv_id_map {
    struct gv_arena *arena; // of objects and tables
    size_t object_bytes;    // of an object, struct gv_named included
    uint64_t *serials;      // the counter that serials come from
    uint32_t limit;         // of objects alive at once

    struct gv_id_entry *entries; // open addressing; capacity is 0 or a power of two
    uint32_t capacity, used;
    uint32_t live; // objects
    struct gv_named *free;
    struct gv_named *made; // all, by next_made
};

enum gv_id_result {
    GV_ID_OK,
    GV_ID_ZERO,   // 0 names nothing
    GV_ID_IN_USE, // the name has an object, or is reserved
    GV_ID_LIMIT,
    GV_ID_NO_MEMORY,
};

// The object of a name, or NULL: 0, never given, taken away, reserved.
struct gv_named *gv_id_find(const struct gv_id_map *m, uint64_t name);

// Whether a name was taken from an object that other names keep alive: what was made
// under it holds it until that object goes.
bool gv_id_reserved(const struct gv_id_map *m, uint64_t name);

// Makes an object, zeroed but for its struct gv_named, under a free name; it has one
// reference, its name's.
enum gv_id_result gv_id_create(struct gv_id_map *m, uint64_t name,
                               struct gv_named **out);

// Makes a free name another one of `o`: one more reference.
enum gv_id_result gv_id_alias(struct gv_id_map *m, uint64_t name, struct gv_named *o);

// Takes a name from its object and returns it (NULL: it had none). The first name of an
// object that has others stays reserved. The name's reference is now the caller's, who
// gives it up by gv_id_release.
struct gv_named *gv_id_remove(struct gv_id_map *m, uint64_t name);

// Drops a reference. True if it was the last one: the caller frees what the object
// holds and then calls gv_id_reuse.
bool gv_id_release(struct gv_named *o);

// The objects that are alive, with names or without: the first one and the one after
// `o`, or NULL. Those that are made meanwhile are none of them.
struct gv_named *gv_id_first(const struct gv_id_map *m);
struct gv_named *gv_id_next(const struct gv_named *o);

// An object without references is gone: its reserved name is free again, its memory
// serves the next one.
void gv_id_reuse(struct gv_id_map *m, struct gv_named *o);

#endif
