// Rounding to half floats, the same on every device: OpQuantizeToF16 rounds either way,
// and lavapipe without F16C dies of it.
#include <string.h>

#include "compiler/shader/spirv/spirv_half_internal.h"

// A float's 13 last bits are what a half lacks: with x * (2^13 + 1) = c, c - (c - x) is
// x without them, to the nearest.
#define SPLITTER 8193.0f
// No less is c: what is left then are multiples of 2^-24, as halves are that are not
// normal.
#define COARSE 0.75f
// Beyond what a half holds, and no more than what survives the above.
#define BEYOND 131072.0f
// What a half does not hold is infinite after this: 65,504 times 2^112 is the last
// float but few.
#define TO_THE_END 0x1p112f
#define AND_BACK 0x1p-112f

static uint32_t scalar(struct gv_half *h, uint32_t type, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    GV_SPIRV_PUT(&h->constants, SpvOpConstant, type, h->bound, word);
    return h->bound++;
}

uint32_t gv_half_constant(struct gv_half *h, uint32_t type, float value)
{
    const struct gv_relaxed_id *t = &h->in.ids[type];
    uint32_t words[2 + GV_HALF_MOST_PARTS] = { type };
    if (!t->part)
        return scalar(h, type, value);
    const uint32_t one = scalar(h, t->part, value);
    words[1] = h->bound++;
    for (uint32_t i = 0; i < t->parts; i++)
        words[2 + i] = one;
    gv_spirv_put_op(&h->constants, SpvOpConstantComposite, words, 2 + t->parts);
    return words[1];
}

uint32_t gv_half_operate(struct gv_half *h, SpvOp op, const uint32_t *operands)
{
    const uint32_t words[] = { operands[0], h->bound, operands[1], operands[2] };
    gv_spirv_put_op(&h->code, op, words, 4);
    return h->bound++;
}

// Not to be simplified by anybody.
static uint32_t exactly(struct gv_half *h, SpvOp op, const uint32_t *operands)
{
    GV_SPIRV_PUT(&h->decorations, SpvOpDecorate, h->bound, SpvDecorationNoContraction);
    return gv_half_operate(h, op, operands);
}

static uint32_t function(struct gv_half *h, uint32_t type, uint32_t name, uint32_t of)
{
    GV_SPIRV_PUT(&h->code, SpvOpExtInst, type, h->bound, h->in.functions_of_glsl, name,
                 of);
    return h->bound++;
}

// The larger or smaller one of two.
static uint32_t one_of(struct gv_half *h, uint32_t type, uint32_t name,
                       const uint32_t two[2])
{
    GV_SPIRV_PUT(&h->code, SpvOpExtInst, type, h->bound, h->in.functions_of_glsl, name,
                 two[0], two[1]);
    return h->bound++;
}

static void make_constants(struct gv_half *h, uint32_t type)
{
    const struct gv_relaxed_id *t = &h->in.ids[type];
    const uint32_t part = t->part ? t->part : type;
    if (!h->beyond[t->parts]) {
        h->beyond[t->parts] = gv_half_constant(h, type, BEYOND);
        h->coarse[t->parts] = gv_half_constant(h, type, COARSE);
    }
    if (h->splitter)
        return;
    h->splitter = scalar(h, part, SPLITTER);
    h->to_the_end = scalar(h, part, TO_THE_END);
    h->and_back = scalar(h, part, AND_BACK);
}

void gv_half_round_to(struct gv_half *h, uint32_t type, uint32_t to, uint32_t from)
{
    const struct gv_relaxed_id *t = &h->in.ids[type];
    const SpvOp times = t->part ? SpvOpVectorTimesScalar : SpvOpFMul;
    make_constants(h, type);
    const uint32_t size[2] = { function(h, type, GLSLstd450FAbs, from),
                               h->beyond[t->parts] };
    const uint32_t x = one_of(h, type, GLSLstd450NMin, size);
    const uint32_t product[2] = { exactly(h, times, GV_HALF_OF(type, x, h->splitter)),
                                  h->coarse[t->parts] };
    const uint32_t c = one_of(h, type, GLSLstd450FMax, product);
    const uint32_t rest = exactly(h, SpvOpFSub, GV_HALF_OF(type, c, x));
    const uint32_t half = exactly(h, SpvOpFSub, GV_HALF_OF(type, c, rest));
    const uint32_t far = exactly(h, times, GV_HALF_OF(type, half, h->to_the_end));
    const uint32_t back = exactly(h, times, GV_HALF_OF(type, far, h->and_back));
    const uint32_t sign = function(h, type, GLSLstd450FSign, from);
    GV_SPIRV_PUT(&h->decorations, SpvOpDecorate, to, SpvDecorationNoContraction);
    GV_SPIRV_PUT(&h->code, SpvOpFMul, type, to, back, sign);
}

uint32_t gv_half_rounded(struct gv_half *h, uint32_t type, uint32_t from)
{
    const uint32_t to = h->bound++;
    gv_half_round_to(h, type, to, from);
    return to;
}
