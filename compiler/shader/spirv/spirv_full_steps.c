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

// A product of matrices is taken apart: a * b * v is a * (b * v).
static uint32_t apply(struct gv_half *h, uint32_t matrix, uint32_t vector, bool precise)
{
    const uint32_t source = gv_relaxed_source(&h->in, matrix);
    const uint32_t *w = h->in.words + h->in.ids[source].at;
    if (h->in.ids[source].applied)
        return apply(h, w[3], apply(h, w[4], vector, precise), precise);
    const struct gv_relaxed_id *type = &h->in.ids[h->in.ids[matrix].type];
    const struct gv_steps s = gv_steps_of(h, type->part, false, precise);
    return transform(&s, matrix, type->parts, vector);
}

static uint32_t matrix_times_vector(struct gv_half *h, const uint32_t *w, bool precise)
{
    return is_real(h, w[1]) ? apply(h, w[3], w[4], precise) : 0;
}

static uint32_t vector_times_matrix(struct gv_half *h, const uint32_t *w, bool precise)
{
    if (!is_real(h, w[1]))
        return 0;
    const struct gv_steps row = gv_steps_of(h, h->in.ids[w[3]].type, false, precise);
    const struct gv_steps s = gv_steps_of(h, w[1], false, precise);
    uint32_t parts[MOST_PARTS];
    for (uint32_t i = 0; i < s.parts; i++)
        parts[i] = gv_steps_dot(&row, w[3], part(&s, row.type, w[4], i));
    return gv_step_composite(&s, w[1], parts, s.parts);
}

static uint32_t matrix_times_matrix(struct gv_half *h, const uint32_t *w, bool precise)
{
    const struct gv_relaxed_id *ids = h->in.ids;
    const uint32_t column = ids[w[1]].part, count = ids[w[1]].parts;
    const uint32_t across = ids[ids[w[4]].type].part; // a column of the second one
    const uint32_t columns = ids[ids[w[3]].type].parts;
    if (!is_real(h, column) || h->in.ids[w[2]].applied)
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
        gv_step_function(&one, GLSLstd450InverseSqrt, gv_steps_dot(s, v, v));
    return gv_step(s, SpvOpVectorTimesScalar, v, by);
}

static uint32_t call(struct gv_half *h, const uint32_t *w, bool precise)
{
    const uint32_t type = h->in.ids[w[5]].type; // of what the function is about
    if (!is_real(h, type))
        return 0;
    const struct gv_steps s = gv_steps_of(h, type, false, precise);
    switch (w[4]) {
    case GLSLstd450Length:
        return gv_steps_length(&s, w[5]);
    case GLSLstd450Distance:
        return gv_steps_length(&s, gv_step(&s, SpvOpFSub, w[5], w[6]));
    case GLSLstd450Normalize:
        return normal(&s, w[5]);
    case GLSLstd450Reflect:
        return gv_steps_reflect(&s, w[5], w[6]);
    case GLSLstd450Refract:
        return gv_steps_refract(&s, w[5], w[6], w[7]);
    case GLSLstd450FMix:
        return gv_steps_mix(&s, w + 5, w + 5);
    case GLSLstd450Asin:
        return gv_steps_arc_sine(&s, w[5]);
    default:
        return 0;
    }
}

static uint32_t scalar_product(struct gv_half *h, const uint32_t *w, bool precise)
{
    if (!is_real(h, h->in.ids[w[3]].type))
        return 0;
    const struct gv_steps s = gv_steps_of(h, h->in.ids[w[3]].type, false, precise);
    return gv_steps_dot(&s, w[3], w[4]);
}

static uint32_t steps_of(struct gv_half *h, const uint32_t *w, bool precise)
{
    switch (gv_spirv_op(w)) {
    case SpvOpDot:
        return scalar_product(h, w, precise);
    case SpvOpMatrixTimesVector:
        return matrix_times_vector(h, w, precise);
    case SpvOpVectorTimesMatrix:
        return vector_times_matrix(h, w, precise);
    case SpvOpMatrixTimesMatrix:
        return matrix_times_matrix(h, w, precise);
    case SpvOpExtInst:
        return gv_spirv_length(w) > 5 ? call(h, w, precise) : 0;
    default:
        return 0;
    }
}

bool gv_full_steps(struct gv_half *h, const uint32_t *words)
{
    const uint32_t op = gv_spirv_op(words);
    if (!gv_spirv_has_type(op) || gv_spirv_length(words) < 3)
        return false;
    const uint32_t result = steps_of(h, words, h->in.ids[words[2]].precise);
    if (!result)
        return false;
    GV_SPIRV_PUT(&h->edit.body, SpvOpCopyObject, words[1], words[2], result);
    return true;
}
