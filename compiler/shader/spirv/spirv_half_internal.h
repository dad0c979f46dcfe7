// What the files share that write medium precision as half floats.
#ifndef GV_SPIRV_HALF_INTERNAL_H
#define GV_SPIRV_HALF_INTERNAL_H

#include <spirv_cross/GLSL.std.450.h>

#include "compiler/shader/spirv/spirv_relaxed.h"
#include "resources/base/bytes.h"

#define GV_HALF_MOST_PARTS 4u

// What an id's value is as a half, in the block of code where that is known.
struct gv_half_twin {
    uint32_t id, block;
};

struct gv_half {
    struct gv_relaxed in;
    struct gv_half_twin *twins; // [in.bound]
    uint32_t bound, block;
    bool steps;                    // high precision, too, step by step as Mesa has it
    uint32_t splitter, to_the_end; // constants
    // Constants and types of truths by parts; 0: none so far.
    uint32_t beyond[GV_HALF_MOST_PARTS + 1], coarse[GV_HALF_MOST_PARTS + 1];
    uint32_t normal[GV_HALF_MOST_PARTS + 1], truths[GV_HALF_MOST_PARTS + 1];
    struct gv_bytes decorations, constants, code;
};

#define GV_HALF_OF(...) \
    (const uint32_t[])  \
    {                   \
        __VA_ARGS__     \
    }

// A constant of a scalar or vector type, all of it one value.
uint32_t gv_half_constant(struct gv_half *h, uint32_t type, float value);

// Type and two operands; the result.
uint32_t gv_half_operate(struct gv_half *h, SpvOp op, const uint32_t *operands);

// `to` becomes the half nearest to `from`, infinities and all, but that zero has no
// sign.
void gv_half_round_to(struct gv_half *h, uint32_t type, uint32_t to, uint32_t from);
uint32_t gv_half_rounded(struct gv_half *h, uint32_t type, uint32_t from);

// An id's value as a half.
uint32_t gv_half_of(struct gv_half *h, uint32_t id);

// The constant that a scalar, or component `i` of a vector, is. False without.
bool gv_half_known(const struct gv_half *h, uint32_t id, uint32_t i, float *value);

// Writes an instruction of several steps as Mesa has them, each a half. False: it is
// one step, and nothing is written.
bool gv_half_steps(struct gv_half *h, const uint32_t *words);

// The same in high precision.
bool gv_full_steps(struct gv_half *h, const uint32_t *words);

#endif
