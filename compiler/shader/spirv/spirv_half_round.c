// Rounding to half floats, the same on every device.
#include <string.h>

#include "compiler/shader/spirv/spirv_half_internal.h"

// A float's 13 last bits are what a half lacks: with x * (2^13 + 1) = c, c - (c - x) is
// x without them, to the nearest.
#define SPLITTER 8193.0f
// Beyond what a half holds, and no more than what survives the above.
#define BEYOND 131072.0f

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

void gv_half_round_to(struct gv_half *h, uint32_t type, uint32_t to, uint32_t from)
{
    const struct gv_relaxed_id *t = &h->in.ids[type];
    if (!h->low[t->parts]) {
        h->low[t->parts] = gv_half_constant(h, type, -BEYOND);
        h->high[t->parts] = gv_half_constant(h, type, BEYOND);
    }
    if (!h->splitter)
        h->splitter = scalar(h, t->part ? t->part : type, SPLITTER);
    const uint32_t x = h->bound++;
    GV_SPIRV_PUT(&h->code, SpvOpExtInst, type, x, h->in.functions_of_glsl,
                 GLSLstd450NClamp, from, h->low[t->parts], h->high[t->parts]);
    const SpvOp times = t->part ? SpvOpVectorTimesScalar : SpvOpFMul;
    const uint32_t c = exactly(h, times, GV_HALF_OF(type, x, h->splitter));
    const uint32_t rest = exactly(h, SpvOpFSub, GV_HALF_OF(type, c, x));
    const uint32_t rounded = exactly(h, SpvOpFSub, GV_HALF_OF(type, c, rest));
    GV_SPIRV_PUT(&h->code, SpvOpQuantizeToF16, type, to, rounded);
}

uint32_t gv_half_rounded(struct gv_half *h, uint32_t type, uint32_t from)
{
    const uint32_t to = h->bound++;
    gv_half_round_to(h, type, to, from);
    return to;
}
