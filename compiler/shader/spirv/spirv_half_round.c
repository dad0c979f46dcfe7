// Rounding to half floats, the same on every device: OpQuantizeToF16 rounds either way,
// and lavapipe without F16C dies of it.
#include <float.h>

#include "compiler/shader/spirv/spirv_half_internal.h"

// A float's 13 last bits are what a half lacks: with x * (2^13 + 1) = c, c - (c - x) is
// x without them, to the nearest.
#define SPLITTER 8193.0f
// With this for c multiples of 2^-24 are left, as halves are that are not normal: those
// below the least normal one.
#define COARSE 0.75f
#define NORMAL 0x1p-14f
// From here on the nearest half is infinite, and times this so are floats.
#define BEYOND 65520.0f
#define TO_THE_END 0x1p113f
// For rounding toward zero: the bits that a half has, its steps where it is not normal,
// the largest one, and from where on numbers are larger.
#define KEPT_BITS 0xffffe000u
#define STEPS 0x1p24f
#define LARGEST 65504.0f
#define LARGER 65536.0f

uint32_t gv_half_constant(struct gv_half *h, uint32_t type, float value)
{
    const struct gv_relaxed_id *t = &h->in.ids[type];
    const uint32_t one = gv_spirv_edit_float(&h->edit, t->part ? t->part : type, value);
    return t->part ? gv_spirv_edit_splat(&h->edit, type, one, t->parts) : one;
}

uint32_t gv_half_operate(struct gv_half *h, SpvOp op, const uint32_t *operands)
{
    const uint32_t words[] = { operands[0], h->edit.next_id, operands[1], operands[2] };
    gv_spirv_put_op(&h->edit.body, op, words, 4);
    return h->edit.next_id++;
}

// Not to be simplified by anybody.
static uint32_t exactly(struct gv_half *h, SpvOp op, const uint32_t *operands)
{
    GV_SPIRV_PUT(&h->edit.front, SpvOpDecorate, h->edit.next_id,
                 SpvDecorationNoContraction);
    return gv_half_operate(h, op, operands);
}

// Of one value, `of`.
static uint32_t size_of(struct gv_half *h, uint32_t type, uint32_t of)
{
    GV_SPIRV_PUT(&h->edit.body, SpvOpExtInst, type, h->edit.next_id,
                 h->in.functions_of_glsl, GLSLstd450FAbs, of);
    return h->edit.next_id++;
}

// The type of as many truths as a type of floats has parts, or of as many words.
static uint32_t truth_of(struct gv_half *h, const struct gv_relaxed_id *t)
{
    return gv_spirv_edit_bool(&h->edit, t->part ? t->parts : 1);
}

static uint32_t words_of(struct gv_half *h, const struct gv_relaxed_id *t)
{
    return gv_spirv_edit_uints(&h->edit, t->part ? t->parts : 1);
}

static void make_constants(struct gv_half *h, uint32_t type)
{
    const struct gv_relaxed_id *t = &h->in.ids[type];
    if (!h->splitter) {
        const uint32_t part = t->part ? t->part : type;
        h->splitter = gv_spirv_edit_float(&h->edit, part, SPLITTER);
        h->to_the_end = gv_spirv_edit_float(&h->edit, part, TO_THE_END);
        gv_spirv_edit_bool(&h->edit, 1);
    }
    if (h->beyond[t->parts])
        return;
    h->beyond[t->parts] = gv_half_constant(h, type, BEYOND);
    h->coarse[t->parts] = gv_half_constant(h, type, COARSE);
    h->normal[t->parts] = gv_half_constant(h, type, NORMAL);
    truth_of(h, t);
}

static void choose(struct gv_half *h, uint32_t type, uint32_t to, uint32_t below,
                   const uint32_t two[2])
{
    GV_SPIRV_PUT(&h->edit.body, SpvOpSelect, type, to, below, two[0], two[1]);
}

void gv_half_round_to(struct gv_half *h, uint32_t type, uint32_t to, uint32_t from)
{
    make_constants(h, type);
    const struct gv_relaxed_id *t = &h->in.ids[type];
    const SpvOp times = t->part ? SpvOpVectorTimesScalar : SpvOpFMul;
    const uint32_t truth = truth_of(h, t);
    const uint32_t size = size_of(h, type, from);
    const uint32_t tiny = gv_half_operate(h, SpvOpFOrdLessThan,
                                          GV_HALF_OF(truth, size, h->normal[t->parts]));
    const uint32_t product = exactly(h, times, GV_HALF_OF(type, from, h->splitter));
    const uint32_t c = h->edit.next_id++;
    choose(h, type, c, tiny, GV_HALF_OF(h->coarse[t->parts], product));
    const uint32_t rest = exactly(h, SpvOpFSub, GV_HALF_OF(type, c, from));
    const uint32_t half = exactly(h, SpvOpFSub, GV_HALF_OF(type, c, rest));
    const uint32_t finite = gv_half_operate(
        h, SpvOpFOrdLessThan, GV_HALF_OF(truth, size, h->beyond[t->parts]));
    const uint32_t far = exactly(h, times, GV_HALF_OF(type, from, h->to_the_end));
    choose(h, type, to, finite, GV_HALF_OF(half, far));
}

float gv_half_nearest(float value)
{
    const float size = value < 0 ? -value : value;
    if (!(size < BEYOND))
        return value * TO_THE_END;
    const float c = size < NORMAL ? COARSE : value * SPLITTER, rest = c - value;
    return c - rest;
}

// ---- toward zero ----

// A float without the bits that a normal half lacks.
static uint32_t without_bits(struct gv_half *h, uint32_t type, uint32_t from)
{
    const struct gv_relaxed_id *t = &h->in.ids[type];
    const uint32_t words = words_of(h, t);
    uint32_t mask =
        gv_spirv_edit_word(&h->edit, gv_spirv_edit_uint(&h->edit), KEPT_BITS);
    if (t->parts > 1)
        mask = gv_spirv_edit_splat(&h->edit, words, mask, t->parts);
    const uint32_t bits = h->edit.next_id++;
    GV_SPIRV_PUT(&h->edit.body, SpvOpBitcast, words, bits, from);
    const uint32_t kept =
        gv_half_operate(h, SpvOpBitwiseAnd, GV_HALF_OF(words, bits, mask));
    GV_SPIRV_PUT(&h->edit.body, SpvOpBitcast, type, h->edit.next_id, kept);
    return h->edit.next_id++;
}

// Multiples of 2^-24.
static uint32_t whole_steps(struct gv_half *h, uint32_t type, uint32_t from)
{
    const uint32_t scaled =
        exactly(h, SpvOpFMul, GV_HALF_OF(type, from, gv_half_constant(h, type, STEPS)));
    const uint32_t whole = h->edit.next_id++;
    GV_SPIRV_PUT(&h->edit.body, SpvOpExtInst, type, whole, h->in.functions_of_glsl,
                 GLSLstd450Trunc, scaled);
    return exactly(h, SpvOpFMul,
                   GV_HALF_OF(type, whole, gv_half_constant(h, type, 1 / STEPS)));
}

// The largest half, or what is no number.
static uint32_t at_the_end(struct gv_half *h, uint32_t type, uint32_t truth,
                           uint32_t size, uint32_t from)
{
    const uint32_t finite =
        gv_half_operate(h, SpvOpFOrdLessThanEqual,
                        GV_HALF_OF(truth, size, gv_half_constant(h, type, FLT_MAX)));
    const uint32_t largest = h->edit.next_id++, to = h->edit.next_id++;
    GV_SPIRV_PUT(&h->edit.body, SpvOpExtInst, type, largest, h->in.functions_of_glsl,
                 GLSLstd450FClamp, from, gv_half_constant(h, type, -LARGEST),
                 gv_half_constant(h, type, LARGEST));
    choose(h, type, to, finite, GV_HALF_OF(largest, from));
    return to;
}

void gv_half_cut_to(struct gv_half *h, uint32_t type, uint32_t to, uint32_t from)
{
    make_constants(h, type);
    const struct gv_relaxed_id *t = &h->in.ids[type];
    const uint32_t truth = truth_of(h, t);
    const uint32_t size = size_of(h, type, from);
    const uint32_t tiny = gv_half_operate(h, SpvOpFOrdLessThan,
                                          GV_HALF_OF(truth, size, h->normal[t->parts]));
    const uint32_t cut = without_bits(h, type, from);
    const uint32_t small = whole_steps(h, type, from), near = h->edit.next_id++;
    choose(h, type, near, tiny, GV_HALF_OF(small, cut));
    const uint32_t inside =
        gv_half_operate(h, SpvOpFOrdLessThan,
                        GV_HALF_OF(truth, size, gv_half_constant(h, type, LARGER)));
    const uint32_t far = at_the_end(h, type, truth, size, from);
    choose(h, type, to, inside, GV_HALF_OF(near, far));
}

uint32_t gv_half_rounded(struct gv_half *h, uint32_t type, uint32_t from)
{
    const uint32_t to = h->edit.next_id++;
    gv_half_round_to(h, type, to, from);
    return to;
}
