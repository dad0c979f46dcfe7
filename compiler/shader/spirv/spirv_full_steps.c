// High precision: instructions and functions of several steps, in the order in which
// Mesa's compiler of GLSL takes them. Its reader of SPIR-V takes another one.
#include "compiler/shader/spirv/spirv_half_internal.h"

#define MOST_PARTS GV_HALF_MOST_PARTS

// Part `i` of a vector or matrix, of a type.
static uint32_t part(const struct gv_steps *s, uint32_t type, uint32_t of, uint32_t i)
{
    return gv_half_operate(s->h, SpvOpCompositeExtract, GV_HALF_OF(type, of, i));
}

// ---- matrices ----

// Columns times components, added from the first one on. `s` is a column's.
static uint32_t transform(const struct gv_steps *s, uint32_t matrix, uint32_t columns,
                          uint32_t vector)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < columns; i++) {
        const uint32_t column = part(s, s->type, matrix, i);
        const uint32_t term = gv_step(s, SpvOpVectorTimesScalar, column,
                                      part(s, s->component, vector, i));
        sum = sum ? gv_step(s, SpvOpFAdd, sum, term) : term;
    }
    return sum;
}

static bool is_real(const struct gv_half *h, uint32_t type)
{
    return h->in.ids[type].real;
}

static uint32_t matrix_times_vector(struct gv_half *h, const uint32_t *w, bool precise)
{
    const uint32_t columns = h->in.ids[h->in.ids[w[3]].type].parts;
    if (!is_real(h, w[1]) || columns > MOST_PARTS)
        return 0;
    const struct gv_steps s = gv_steps_of(h, w[1], false, precise);
    return transform(&s, w[3], columns, w[4]);
}

static uint32_t matrix_times_matrix(struct gv_half *h, const uint32_t *w, bool precise)
{
    const struct gv_relaxed_id *ids = h->in.ids;
    const uint32_t column = ids[w[1]].part, count = ids[w[1]].parts;
    const uint32_t across = ids[ids[w[4]].type].part; // a column of the second one
    const uint32_t columns = ids[ids[w[3]].type].parts;
    if (!is_real(h, column) || count > MOST_PARTS || columns > MOST_PARTS)
        return 0;
    const struct gv_steps s = gv_steps_of(h, column, false, precise);
    uint32_t parts[MOST_PARTS];
    for (uint32_t i = 0; i < count; i++)
        parts[i] = transform(&s, w[3], columns, part(&s, across, w[4], i));
    return gv_step_composite(&s, w[1], parts, count);
}

// ---- functions ----

static uint32_t normal(const struct gv_steps *s, uint32_t v)
{
    const struct gv_steps one = gv_steps_of_one(s);
    if (s->parts == 1)
        return gv_step_function(s, GLSLstd450FSign, v);
    const uint32_t by =
        gv_step_function(&one, GLSLstd450InverseSqrt, gv_step(&one, SpvOpDot, v, v));
    return gv_step(s, SpvOpVectorTimesScalar, v, by);
}

static uint32_t call(struct gv_half *h, const uint32_t *w, bool precise)
{
    if (!is_real(h, w[1]) || h->in.ids[w[1]].parts > MOST_PARTS)
        return 0;
    const struct gv_steps s = gv_steps_of(h, w[1], false, precise);
    switch (w[4]) {
    case GLSLstd450Normalize:
        return normal(&s, w[5]);
    case GLSLstd450FMix:
        return gv_steps_mix(&s, w + 5, w + 5);
    case GLSLstd450Asin:
        return gv_steps_arc_sine(&s, w[5]);
    default:
        return 0;
    }
}

bool gv_full_steps(struct gv_half *h, const uint32_t *words)
{
    uint32_t result = 0;
    const uint32_t op = gv_spirv_op(words);
    if (op == SpvOpMatrixTimesVector)
        result = matrix_times_vector(h, words, h->in.ids[words[2]].precise);
    else if (op == SpvOpMatrixTimesMatrix)
        result = matrix_times_matrix(h, words, h->in.ids[words[2]].precise);
    else if (op == SpvOpExtInst)
        result = call(h, words, h->in.ids[words[2]].precise);
    if (!result)
        return false;
    GV_SPIRV_PUT(&h->code, SpvOpCopyObject, words[1], words[2], result);
    return true;
}
