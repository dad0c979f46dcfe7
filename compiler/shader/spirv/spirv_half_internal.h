// What the files share that write medium precision as half floats.
#ifndef GV_SPIRV_HALF_INTERNAL_H
#define GV_SPIRV_HALF_INTERNAL_H

#include <spirv/unified1/GLSL.std.450.h>

#include "compiler/shader/spirv/spirv_relaxed.h"
#include "vm/spirv/spirv_edit.h"

#define GV_HALF_MOST_PARTS 4u

// What an id's value is as a half, in the block of code where that is known.
struct gv_half_twin {
    uint32_t id, block;
};

struct gv_half {
    struct gv_relaxed in;
    struct gv_half_twin *twins; // [in.bound]
    struct gv_spirv_edit edit;  // `front`: decorations too; `head`: constants too
    uint32_t block;
    bool steps;                    // high precision, too, step by step as Mesa has it
    uint32_t splitter, to_the_end; // constants
    // Constants by parts; 0: none so far.
    uint32_t beyond[GV_HALF_MOST_PARTS + 1], coarse[GV_HALF_MOST_PARTS + 1];
    uint32_t normal[GV_HALF_MOST_PARTS + 1];
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

// The half nearest to a number.
float gv_half_nearest(float value);

// The half next to `from` on the side of zero: how llvmpipe rounds what it samples.
void gv_half_cut_to(struct gv_half *h, uint32_t type, uint32_t to, uint32_t from);

// An id's value as a half.
uint32_t gv_half_of(struct gv_half *h, uint32_t id);

// ---- instructions of several steps ----

// Values of one type on their way to a result.
struct gv_steps {
    struct gv_half *h;
    uint32_t type, component, parts; // `component`: the type itself of a scalar's
    bool half;                       // each step is rounded to a half
    bool precise;                    // nobody may change the steps
};

struct gv_steps gv_steps_of(struct gv_half *h, uint32_t type, bool half, bool precise);

// The same steps for one component.
struct gv_steps gv_steps_of_one(const struct gv_steps *s);

// An operation, and a function, of values of the type.
uint32_t gv_step(const struct gv_steps *s, SpvOp op, uint32_t a, uint32_t b);
uint32_t gv_step_function(const struct gv_steps *s, uint32_t name, uint32_t of);

// A constant, as a half where steps are rounded.
uint32_t gv_step_number(const struct gv_steps *s, float value);

// A component of a value; values as one again.
uint32_t gv_step_component(const struct gv_steps *s, uint32_t of, uint32_t i);
uint32_t gv_step_composite(const struct gv_steps *s, uint32_t type,
                           const uint32_t *parts, uint32_t count);

// A mix of v[0] and v[1] by v[2], as Mesa has it by what is constant: `named` are the
// module's own ids of these.
uint32_t gv_steps_mix(const struct gv_steps *s, const uint32_t *v,
                      const uint32_t *named);

// Products of components are added from the last one to the first: also for what has a
// dot product in it.
uint32_t gv_steps_dot(const struct gv_steps *s, uint32_t a, uint32_t b);
uint32_t gv_steps_length(const struct gv_steps *s, uint32_t v);
uint32_t gv_steps_reflect(const struct gv_steps *s, uint32_t a, uint32_t n);
uint32_t gv_steps_refract(const struct gv_steps *s, uint32_t i, uint32_t n,
                          uint32_t eta);

// asin(x), and acos(x), by a polynomial.
uint32_t gv_steps_arc_sine(const struct gv_steps *s, uint32_t x);
uint32_t gv_steps_arc_cosine(const struct gv_steps *s, uint32_t x);

// A constant of halves for one of floats; 0: its value is not known.
uint32_t gv_half_of_constant(struct gv_half *h, uint32_t id);

// The constant that a scalar, or component `i` of a vector, is. False without.
bool gv_half_known(const struct gv_half *h, uint32_t id, uint32_t i, float *value);

// A product (OpFMul, OpVectorTimesScalar) and a sum (OpFAdd, OpFSub) of products and
// sums, rearranged as Mesa does; 0: it stays.
uint32_t gv_half_product(struct gv_half *h, const uint32_t *words);
uint32_t gv_half_sum(struct gv_half *h, const uint32_t *words);

// The module's `id` times a number, which joins another one.
uint32_t gv_half_scaled(const struct gv_steps *s, uint32_t id, float factor);

// Writes an instruction of several steps as Mesa has them, each a half. False: it is
// one step, and nothing is written.
bool gv_half_steps(struct gv_half *h, const uint32_t *words);

// The same in high precision.
bool gv_full_steps(struct gv_half *h, const uint32_t *words);

#endif
