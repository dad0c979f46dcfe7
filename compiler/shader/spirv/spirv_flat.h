// Arrays of arrays of textures, images and blocks, which Vulkan has not: one array
// each, row by row.
#ifndef GV_SPIRV_FLAT_H
#define GV_SPIRV_FLAT_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

#define GV_SPIRV_MOST_SIZES 6u       // of arrays in arrays
#define GV_SPIRV_MOST_ELEMENTS 4096u // of all of them

// A variable that was an array of arrays: how many elements, from outside in.
struct gv_spirv_flat {
    uint32_t variable, size_count;
    uint32_t sizes[GV_SPIRV_MOST_SIZES];
};

struct gv_spirv_flats {
    const struct gv_spirv_flat *list;
    size_t count;
};

// What a variable was; NULL: it is as it was.
const struct gv_spirv_flat *gv_spirv_find_flat(const struct gv_spirv_flats *f,
                                               uint32_t variable);

// The module with one array for each such variable; `*out` is `words` where there is
// none. It takes what glslang has made. GV_ERR_UNSUPPORTED by name: functions that take
// an inner array, arrays that are larger.
bool gv_spirv_flatten(const uint32_t *words, size_t count, struct gv_arena *arena,
                      const uint32_t **out, size_t *out_count,
                      struct gv_spirv_flats *flats, struct gv_error *err);

#endif
