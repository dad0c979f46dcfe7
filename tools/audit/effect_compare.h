// Contents of an object before and after a call, against what it declares to write.
#ifndef GV_EFFECT_COMPARE_H
#define GV_EFFECT_COMPARE_H

#include "vm/effects/effects.h"

struct gv_effect_compare {
    const struct gv_track_object *object;
    uint32_t number;                 // of it, as effects name it
    const struct gv_effect *effects; // of any objects
    size_t count;
    const uint8_t *before, *after; // as gv_runtime_contents has them
    size_t size;                   // bytes of either
};

// Whether something differs that no effect names; `place` says what, the first.
bool gv_effect_differs(const struct gv_effect_compare *compare, char place[96]);

#endif
