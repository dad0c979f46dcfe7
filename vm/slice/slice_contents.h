// Contents of objects that are wanted at places of the code: roots of a slice.
#ifndef GV_SLICE_CONTENTS_H
#define GV_SLICE_CONTENTS_H

#include "vm/slice/slice_back.h"

// Between two units of code: behind the one that begins at a byte of a chunk.
struct gv_slice_place {
    uint32_t chunks_left; // from its chunk on, as a view of the payload has them, too
    uint32_t begin;       // of the unit, in bytes of the chunk
};

// What is wanted at a place: of the object in a slot there, the range, whose own object
// and kind do not count.
struct gv_slice_content {
    struct gv_slice_place place;
    uint32_t slot;
    struct gv_effect range;
};

// As a root was found.
struct gv_slice_found {
    uint32_t unit;      // in front of the place
    uint32_t stop_unit; // the last that is kept up to there
    uint32_t stop;      // how many stops come in front of its own
    bool live;          // what is kept behind the place reads some of it
};

// For gv_slice_params.roots. Places ascend, none lies behind what is looked at of the
// code. What is kept stops behind each (GV_STOP_COMMAND), once where some stand
// together. GV_ERR_USAGE of gv_slice_make: a place that is none, or a slot that is
// empty there.
struct gv_slice_contents {
    struct gv_slice_roots roots;
    const struct gv_slice_content *items; // borrowed
    struct gv_slice_found *found;         // owned; [count]
    size_t count;
    size_t left; // not yet met
};

// `unsliced`: nothing is left out; there are the stops alone.
bool gv_slice_contents_init(struct gv_slice_contents *contents,
                            const struct gv_slice_content *items, size_t count,
                            bool unsliced, struct gv_error *err);
void gv_slice_contents_finish(struct gv_slice_contents *contents);

#endif
