// Objects by description: the same description is the same object.
#ifndef GV_OBJECTS_H
#define GV_OBJECTS_H

#include "compiler/builder/dedup.h"
#include "resources/base/bytes.h"

// Zero-initialise before use. Keys are what describes an object: its kind, the
// canonical bytes of its description and the objects it is made of. They are kept for
// the whole compile.
struct gv_object_cache {
    struct gv_dedup keys;
    struct gv_bytes key; // scratch
};

void gv_object_cache_finish(struct gv_object_cache *cache);

#endif
