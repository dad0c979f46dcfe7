// Instructions and functions of several steps: in what order Mesa takes them, as its
// pictures show.
#include "compiler/shader/spirv/spirv_half_internal.h"

#define LOG2_E 1.4423828125f // as halves
#define LN_2 0.693359375f

// Of halves.
static struct gv_steps steps_of(struct gv_half *h, uint32_t type)
{
    return gv_steps_of(h, type, true, false);
}

// ---- sums ----

static bool is_zero(const struct gv_half *h, uint32_t id, uint32_t i)
{
    float value;
    return gv_half_known(h, id, i, &value) && value == 0;
}

// Where zeros are added to components of `to`, these are what they were, which need be
// no halves. 0: no zeros.
static uint32_t sum_with_zeros(const struct gv_steps *s, const uint32_t *words,
                               uint32_t to, uint32_t zeros)
{
    struct gv_half *h = s->h;
    uint32_t parts[GV_HALF_MOST_PARTS], sum = 0, kept = 0;
    for (uint32_t i = 0; i < s->parts; i++)
        kept += is_zero(h, words[zeros], i);
    if (!kept || kept == s->parts)
        return kept ? words[to] : 0;
    sum = gv_step(s, gv_spirv_op(words), gv_half_of(h, words[3]),
                  gv_half_of(h, words[4]));
    for (uint32_t i = 0; i < s->parts; i++)
        parts[i] =
            gv_step_component(s, is_zero(h, words[zeros], i) ? words[to] : sum, i);
    return gv_step_composite(s, s->type, parts, s->parts);
}

static uint32_t added(struct gv_half *h, const uint32_t *words)
{
    const struct gv_steps s = steps_of(h, words[1]);
    if (s.parts > GV_HALF_MOST_PARTS)
        return 0;
    const uint32_t result = sum_with_zeros(&s, words, 3, 4);
    return result || gv_spirv_op(words) == SpvOpFSub ? result
                                                     : sum_with_zeros(&s, words, 4, 3);
}

struct term {
    uint32_t id;
    bool bare; // a column as it is
};

// Column `i` times a component; none of a component that is 0.
static struct term column_of(const struct gv_steps *s, const uint32_t *words,
                             uint32_t i)
{
    struct gv_half *h = s->h;
    float value;
    const bool constant = gv_half_known(h, words[4], i, &value);
    if (constant && value == 0)
        return (struct term){ 0 };
    uint32_t id =
        gv_half_operate(h, SpvOpCompositeExtract, GV_HALF_OF(s->type, words[3], i));
    id = gv_half_rounded(h, s->type, id);
    if (constant && value == 1)
        return (struct term){ id, true };
    const uint32_t scale = gv_half_operate(
        h, SpvOpCompositeExtract, GV_HALF_OF(s->component, gv_half_of(h, words[4]), i));
    return (struct term){ gv_step(s, SpvOpVectorTimesScalar, id, scale), false };
}

// A matrix times a vector: added from the first column on, but of two products and a
// column as it is that one comes second.
static uint32_t transform(const struct gv_steps *s, const uint32_t *words)
{
    const struct gv_relaxed *in = &s->h->in;
    const uint32_t columns = in->ids[in->ids[words[3]].type].parts;
    struct term terms[GV_HALF_MOST_PARTS + 1] = { { 0 } };
    uint32_t count = 0;
    for (uint32_t i = 0; i < columns && i < GV_HALF_MOST_PARTS; i++) {
        terms[count] = column_of(s, words, i);
        count += terms[count].id != 0;
    }
    if (!count)
        return gv_step_number(s, 0);
    if (count > 2 && terms[2].bare && !terms[0].bare && !terms[1].bare) {
        const struct term product = terms[1];
        terms[1] = terms[2];
        terms[2] = product;
    }
    uint32_t sum = terms[0].id;
    for (uint32_t i = 1; i < count; i++)
        sum = gv_step(s, SpvOpFAdd, sum, terms[i].id);
    return sum;
}

// A vector times a matrix: its products with the columns.
static uint32_t across(struct gv_half *h, const uint32_t *words)
{
    const struct gv_steps row = steps_of(h, h->in.ids[words[3]].type);
    const struct gv_steps result = steps_of(h, words[1]);
    const uint32_t vector = gv_half_of(h, words[3]);
    uint32_t parts[GV_HALF_MOST_PARTS];
    for (uint32_t i = 0; i < result.parts; i++) {
        const uint32_t column = gv_half_operate(h, SpvOpCompositeExtract,
                                                GV_HALF_OF(row.type, words[4], i));
        parts[i] = gv_steps_dot(&row, vector, gv_half_rounded(h, row.type, column));
    }
    return gv_step_composite(&result, result.type, parts, result.parts);
}

// ---- functions ----

// The components of a vector from the `first` one on, around.
static uint32_t around(const struct gv_steps *s, uint32_t v, uint32_t first)
{
    struct gv_half *h = s->h;
    GV_SPIRV_PUT(&h->edit.body, SpvOpVectorShuffle, s->type, h->edit.next_id, v, v,
                 first, (first + 1) % 3, (first + 2) % 3);
    return h->edit.next_id++;
}

static uint32_t crossed(const struct gv_steps *s, uint32_t a, uint32_t b)
{
    return gv_step(s, SpvOpFSub,
                   gv_step(s, SpvOpFMul, around(s, a, 1), around(s, b, 2)),
                   gv_step(s, SpvOpFMul, around(s, a, 2), around(s, b, 1)));
}

static uint32_t normal(const struct gv_steps *s, uint32_t v)
{
    const struct gv_steps one = gv_steps_of_one(s);
    const uint32_t by =
        gv_step(&one, SpvOpFDiv, gv_step_number(&one, 1), gv_steps_length(s, v));
    return gv_step(s, s->parts == 1 ? SpvOpFMul : SpvOpVectorTimesScalar, v, by);
}

static uint32_t smooth(const struct gv_steps *s, const uint32_t *edges, uint32_t x)
{
    struct gv_half *h = s->h;
    const uint32_t part = gv_step(s, SpvOpFDiv, gv_step(s, SpvOpFSub, x, edges[0]),
                                  gv_step(s, SpvOpFSub, edges[1], edges[0]));
    const uint32_t t = h->edit.next_id++;
    GV_SPIRV_PUT(&h->edit.body, SpvOpExtInst, s->type, t, h->in.functions_of_glsl,
                 GLSLstd450FClamp, part, gv_step_number(s, 0), gv_step_number(s, 1));
    const uint32_t rest = gv_step(s, SpvOpFSub, gv_step_number(s, 3),
                                  gv_step(s, SpvOpFMul, t, gv_step_number(s, 2)));
    return gv_step(s, SpvOpFMul, t, gv_step(s, SpvOpFMul, t, rest));
}

static uint32_t power(const struct gv_steps *s, uint32_t a, uint32_t b)
{
    const uint32_t exponent =
        gv_step(s, SpvOpFMul, gv_step_function(s, GLSLstd450Log2, a), b);
    return gv_step_function(s, GLSLstd450Exp2, exponent);
}

// Operands `v` are halves of the module's `named`; 0: the function is one step.
static uint32_t call(const struct gv_steps *s, uint32_t name, const uint32_t *v,
                     const uint32_t *named)
{
    switch (name) {
    case GLSLstd450Length:
        return gv_steps_length(s, v[0]);
    case GLSLstd450Distance:
        return gv_steps_length(s, gv_step(s, SpvOpFSub, v[0], v[1]));
    case GLSLstd450Normalize:
        return normal(s, v[0]);
    case GLSLstd450Cross:
        return crossed(s, v[0], v[1]);
    case GLSLstd450Asin:
        return gv_steps_arc_sine(s, v[0]);
    case GLSLstd450Acos:
        return gv_steps_arc_cosine(s, v[0]);
    case GLSLstd450InverseSqrt:
        return gv_step(s, SpvOpFDiv, gv_step_number(s, 1),
                       gv_step_function(s, GLSLstd450Sqrt, v[0]));
    case GLSLstd450Reflect:
        return gv_steps_reflect(s, v[0], v[1]);
    case GLSLstd450Refract:
        return gv_steps_refract(s, v[0], v[1], v[2]);
    case GLSLstd450SmoothStep:
        return smooth(s, v, v[2]);
    case GLSLstd450FMix:
        return gv_steps_mix(s, v, named);
    case GLSLstd450Pow:
        return power(s, v[0], v[1]);
    case GLSLstd450Exp:
        return gv_step_function(s, GLSLstd450Exp2, gv_half_scaled(s, named[0], LOG2_E));
    case GLSLstd450Log:
        return gv_step(s, SpvOpFMul, gv_step_function(s, GLSLstd450Log2, v[0]),
                       gv_step_number(s, LN_2));
    default:
        return 0;
    }
}

// A unit vector's product with a constant, if nobody else reads that vector: its length
// comes last. 0: it is something else.
static uint32_t dot_of_normal(const struct gv_steps *s, uint32_t unit, uint32_t other)
{
    struct gv_half *h = s->h;
    const struct gv_steps one = gv_steps_of_one(s);
    const uint32_t source = gv_relaxed_source(&h->in, unit);
    const uint32_t *w = h->in.words + h->in.ids[source].at;
    float value;
    if (gv_spirv_op(w) != SpvOpExtInst || w[4] != GLSLstd450Normalize ||
        !h->in.ids[source].relaxed || !gv_relaxed_is_used_once(&h->in, unit))
        return 0;
    for (uint32_t i = 0; i < s->parts; i++)
        if (!gv_half_known(h, other, i, &value))
            return 0;
    const uint32_t v = gv_half_of(h, w[5]);
    const uint32_t by =
        gv_step(&one, SpvOpFDiv, gv_step_number(&one, 1), gv_steps_length(s, v));
    return gv_step(&one, SpvOpFMul, by, gv_steps_dot(s, v, gv_half_of(h, other)));
}

static uint32_t product_of(const struct gv_steps *s, const uint32_t *v,
                           const uint32_t *named)
{
    uint32_t result = dot_of_normal(s, named[0], named[1]);
    if (!result)
        result = dot_of_normal(s, named[1], named[0]);
    return result ? result : gv_steps_dot(s, v[0], v[1]);
}

// Of a function, or a product of vectors.
static uint32_t compute(struct gv_half *h, const uint32_t *words)
{
    const uint32_t op = gv_spirv_op(words), size = gv_spirv_length(words);
    const uint32_t first = gv_relaxed_arithmetic(op);
    uint32_t v[3] = { 0 };
    if (!gv_relaxed_is_real(&h->in, words[first]))
        return 0;
    for (uint32_t i = 0; i < 3 && first + i < size; i++)
        if (gv_relaxed_is_real(&h->in, words[first + i]))
            v[i] = gv_half_of(h, words[first + i]);
    const struct gv_steps s = steps_of(h, h->in.ids[words[first]].type);
    return op == SpvOpDot ? product_of(&s, v, words + first)
                          : call(&s, words[4], v, words + first);
}

static bool put(struct gv_half *h, const uint32_t *words, uint32_t result, bool halves)
{
    if (!result)
        return false;
    GV_SPIRV_PUT(&h->edit.body, SpvOpCopyObject, words[1], words[2], result);
    h->in.ids[words[2]].halved = halves;
    return true;
}

bool gv_half_steps(struct gv_half *h, const uint32_t *words)
{
    const uint32_t op = gv_spirv_op(words);
    uint32_t result = 0;
    bool halves = true;
    if (op == SpvOpMatrixTimesVector) {
        const struct gv_steps s = steps_of(h, words[1]);
        result = transform(&s, words);
    } else if (op == SpvOpVectorTimesMatrix) {
        result = across(h, words);
    } else if (op == SpvOpDot || op == SpvOpExtInst) {
        result = compute(h, words);
    } else if (op == SpvOpFMul || op == SpvOpVectorTimesScalar) {
        result = gv_half_product(h, words);
    } else if (op == SpvOpFAdd || op == SpvOpFSub) {
        result = added(h, words);
        if (!result)
            return put(h, words, gv_half_sum(h, words), true);
        halves = h->in.ids[words[3]].halved || h->in.ids[words[4]].halved;
    }
    return put(h, words, result, halves);
}
