// What a SPIR-V module may cost those who walk and compile it: the rows of
// spirv_bounds.def.
#ifndef GV_SPIRV_BOUNDS_H
#define GV_SPIRV_BOUNDS_H

#include "resources/base/error.h"

#include <stdbool.h>
#include <stdint.h>

// GV_MAX_SPIRV_WORDS and so on.
enum {
#define GV_SPIRV_BOUND(name, most, before, behind) GV_MAX_SPIRV_##name = (most),
#include "vm/spirv/spirv_bounds.def"
#undef GV_SPIRV_BOUND
};

enum gv_spirv_bounded {
#define GV_SPIRV_BOUND(name, most, before, behind) GV_SPIRV_BOUND_##name,
#include "vm/spirv/spirv_bounds.def"
#undef GV_SPIRV_BOUND
};

// Whether `count` of what the row bounds are no more than that; else the error, for the
// instruction at byte `offset`.
bool gv_spirv_within(enum gv_spirv_bounded bound, uint64_t count, uint64_t offset,
                     struct gv_error *err);

#endif
