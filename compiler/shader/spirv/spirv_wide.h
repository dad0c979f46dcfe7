// Attributes of doubles as words: not every device has vertex formats of 64 bits.
#ifndef GV_SPIRV_WIDE_H
#define GV_SPIRV_WIDE_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// An input that was one of doubles: now an array of uvec4, two doubles in each.
struct gv_spirv_wide {
    uint32_t id;        // of the variable that is an input now
    uint32_t columns;   // of vectors, in all elements of arrays and matrices
    uint32_t in_column; // uvec4 of a column: 1 or 2
};

struct gv_spirv_widened {
    const uint32_t *words; // those that went in where there is no such input
    size_t count;
    struct gv_spirv_wide *inputs;
    size_t input_count;
};

// A module of a vertex stage whose inputs of doubles are arrays of uvec4 of the same
// name, location and bits; code finds the doubles where it did. Inputs of more than 32
// uvec4 stay. It takes what glslang has made. GV_ERR_FORMAT, GV_ERR_SYSTEM.
bool gv_spirv_widen(const uint32_t *words, size_t count, struct gv_arena *arena,
                    struct gv_spirv_widened *out, struct gv_error *err);

#endif
