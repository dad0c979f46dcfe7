// What a call touches, by the roles of its row in calls.def. Only vm/effects/
// includes this.
#ifndef GV_EFFECTS_ROLES_H
#define GV_EFFECTS_ROLES_H

#include "vm/effects/effects_put.h"

// An object that a call reads or writes, with the numbers that say which part.
struct gv_touch {
    uint32_t object;
    uint8_t kind;                   // enum gv_kind
    uint8_t role;                   // READ, WRITE, UPDATE; of a map also DESTROY
    uint32_t has;                   // bit per role: which of the numbers there are
    uint64_t number[GV_ROLE_INDEX]; // by role
    struct gv_box box;              // of an image
};

#define GV_MAX_TOUCHES 4 // of one call

// The objects that the call touches. Returns how many.
size_t gv_touches(const struct gv_track *t, const struct gv_track_call *c,
                  struct gv_touch *out);

static inline bool gv_touch_writes(const struct gv_touch *touch)
{
    return touch->role == GV_ROLE_WRITE || touch->role == GV_ROLE_UPDATE;
}

// Puts the part of touch `which` of `count` as an effect of the kind.
void gv_put_touch(const struct gv_track *t, struct gv_effects *out,
                  const struct gv_touch *touches, size_t count, size_t which,
                  enum gv_effect_kind kind);

#endif
