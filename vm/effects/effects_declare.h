// What the calls of verified code declare to write, one after another: whoever runs
// them can hold them to it.
#ifndef GV_EFFECTS_DECLARE_H
#define GV_EFFECTS_DECLARE_H

#include "vm/effects/effects.h"

struct gv_declared_call {
    uint8_t call;          // enum gv_call; none of those that gv_track_is_soft names
    uint32_t made;         // object that it makes; 0: none
    uint32_t first, count; // effects
};

struct gv_declared {
    struct gv_track *track;         // owned; its objects say what they are
    struct gv_declared_call *calls; // owned
    size_t count, capacity;
    struct gv_effects effects; // writes
    const char *opaque; // why calls behind these are not known; NULL: there are none
};

// False: the code cannot be read, or no memory (GV_ERR_LIMIT). Finish it either way.
bool gv_declared_make(struct gv_declared *declared, struct gv_payload *payload,
                      struct gv_error *err);
void gv_declared_finish(struct gv_declared *declared);

#endif
