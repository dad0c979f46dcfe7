// Coordinates that GL clamps or mirrors before it filters, where Vulkan's address modes
// have no such thing: GL_CLAMP, GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_TO_BORDER_EXT. And
// what is compared with depths, which GL clamps for depths that are fractions, and
// depths that are filtered, which not every device does.
#ifndef GV_SPIRV_WRAP_H
#define GV_SPIRV_WRAP_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// What becomes of coordinates, a bit for each of s, t, r: clamped to 0..1.
#define GV_SPIRV_WRAP_SHORT 8u // to less than 1
#define GV_SPIRV_WRAP_MIRROR \
    16u // from this bit on, for each again: mirrored at 0 first
#define GV_SPIRV_WRAP_SLOPES 128u    // slopes from before tell level and filter
#define GV_SPIRV_WRAP_REFERENCE 256u // what is compared, of cube maps too
#define GV_SPIRV_WRAP_FOUR 512u // filtered linearly, of two dimensions and one level

// The textures of a binding, all of an array.
struct gv_spirv_wrap {
    uint32_t set, binding;
    uint16_t bits;
};

struct gv_spirv_wraps {
    const struct gv_spirv_wrap *list;
    size_t count;
};

// The module with lookups of these textures changed so; cube maps stay. `*out` is
// `words` where there is none. It takes what glslang has made. GV_ERR_UNSUPPORTED by
// name: a function that takes several textures of which some are clamped.
bool gv_spirv_wrap(const uint32_t *words, size_t count,
                   const struct gv_spirv_wraps *clamps, struct gv_arena *arena,
                   const uint32_t **out, size_t *out_count, struct gv_error *err);

#endif
