// High precision: instructions and functions of several steps, in the order in which
// Mesa's compiler of GLSL takes them. Its reader of SPIR-V takes another one.
#include "compiler/shader/spirv/spirv_half_internal.h"

#define MOST_PARTS GV_HALF_MOST_PARTS

// Where steps go to, and whether nobody may change them.
struct steps {
    struct gv_half *h;
    uint32_t type, component, parts; // as the result's; the component's of a vector
    bool precise;
};

static struct steps steps_of(struct gv_half *h, uint32_t type, bool precise)
{
    const struct gv_relaxed_id *t = &h->in.ids[type];
    return (struct steps){ h, type, t->part ? t->part : type, t->parts, precise };
}

static void mark(const struct steps *s)
{
    if (s->precise)
        GV_SPIRV_PUT(&s->h->decorations, SpvOpDecorate, s->h->bound,
                     SpvDecorationNoContraction);
}

static uint32_t step(const struct steps *s, SpvOp op, uint32_t a, uint32_t b)
{
    mark(s);
    return gv_half_operate(s->h, op, GV_HALF_OF(s->type, a, b));
}

static uint32_t function(const struct steps *s, uint32_t name, uint32_t of)
{
    struct gv_half *h = s->h;
    mark(s);
    GV_SPIRV_PUT(&h->code, SpvOpExtInst, s->type, h->bound, h->in.functions_of_glsl,
                 name, of);
    return h->bound++;
}

static uint32_t number(const struct steps *s, float value)
{
    return gv_half_constant(s->h, s->type, value);
}

// Part `i` of a vector or matrix, of a type.
static uint32_t part(const struct steps *s, uint32_t type, uint32_t of, uint32_t i)
{
    return gv_half_operate(s->h, SpvOpCompositeExtract, GV_HALF_OF(type, of, i));
}

static uint32_t component(const struct steps *s, uint32_t of, uint32_t i)
{
    return s->parts == 1 ? of : part(s, s->component, of, i);
}

static uint32_t together(const struct steps *s, uint32_t type, const uint32_t *parts,
                         uint32_t count)
{
    struct gv_half *h = s->h;
    uint32_t words[2 + MOST_PARTS] = { type, h->bound++ };
    for (uint32_t i = 0; i < count; i++)
        words[2 + i] = parts[i];
    gv_spirv_put_op(&h->code, SpvOpCompositeConstruct, words, 2 + count);
    return words[1];
}

// ---- matrices ----

// Columns times components, added from the first one on. `s` is a column's.
static uint32_t transform(const struct steps *s, uint32_t matrix, uint32_t columns,
                          uint32_t vector)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < columns; i++) {
        const uint32_t column = part(s, s->type, matrix, i);
        const uint32_t term =
            step(s, SpvOpVectorTimesScalar, column, part(s, s->component, vector, i));
        sum = sum ? step(s, SpvOpFAdd, sum, term) : term;
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
    const struct steps s = steps_of(h, w[1], precise);
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
    const struct steps s = steps_of(h, column, precise);
    uint32_t parts[MOST_PARTS];
    for (uint32_t i = 0; i < count; i++)
        parts[i] = transform(&s, w[3], columns, part(&s, across, w[4], i));
    return together(&s, w[1], parts, count);
}

// ---- functions ----

static uint32_t normal(const struct steps *s, uint32_t v)
{
    const struct steps one = steps_of(s->h, s->component, s->precise);
    if (s->parts == 1)
        return function(s, GLSLstd450FSign, v);
    const uint32_t by =
        function(&one, GLSLstd450InverseSqrt, step(&one, SpvOpDot, v, v));
    return step(s, SpvOpVectorTimesScalar, v, by);
}

// x * (1 - t) + y * t
static uint32_t weighed(const struct steps *s, const uint32_t v[3])
{
    const uint32_t rest = step(s, SpvOpFSub, number(s, 1), v[2]);
    return step(s, SpvOpFAdd, step(s, SpvOpFMul, v[0], rest),
                step(s, SpvOpFMul, v[1], v[2]));
}

// What Mesa makes of one component, by what of it is constant: nir_lower_flrp.c, and
// the rules for zeros that are in front of it.
static uint32_t mixed(const struct steps *s, const uint32_t v[3], bool known[3],
                      const float value[3])
{
    const uint32_t x = v[0], y = v[1], t = v[2];
    if (known[0] && value[0] == 0)
        return step(s, SpvOpFMul, y, t);
    if (known[1] && value[1] == 0)
        return step(s, SpvOpFSub, x, step(s, SpvOpFMul, x, t));
    if (known[0] && (value[0] == 1 || value[0] == -1) && !known[1]) {
        const SpvOp with = value[0] == 1 ? SpvOpFSub : SpvOpFAdd;
        return step(s, SpvOpFAdd, step(s, with, step(s, SpvOpFMul, y, t), t), x);
    }
    if ((known[1] && (value[1] == 1 || value[1] == -1) && !known[0]) ||
        (known[2] && !(known[0] && known[1])))
        return weighed(s, v);
    return step(s, SpvOpFAdd, step(s, SpvOpFMul, step(s, SpvOpFSub, y, x), t), x);
}

static uint32_t mix(const struct steps *s, const uint32_t *v)
{
    const struct steps one = steps_of(s->h, s->component, s->precise);
    uint32_t parts[MOST_PARTS];
    for (uint32_t i = 0; i < s->parts; i++) {
        uint32_t of[3];
        bool known[3];
        float value[3] = { 0 };
        for (uint32_t k = 0; k < 3; k++) {
            known[k] = gv_half_known(s->h, v[k], i, &value[k]);
            of[k] = component(s, v[k], i);
        }
        parts[i] = mixed(&one, of, known, value);
    }
    return s->parts == 1 ? parts[0] : together(s, s->type, parts, s->parts);
}

// sign(x) * (pi / 2 - sqrt(1 - |x|) * (pi / 2 + |x| * (pi / 4 - 1 + |x| * (a + |x| *
// b))))
static uint32_t arc_sine(const struct steps *s, uint32_t x)
{
    static const float factors[] = { -0.03102955f, 0.086566724f,
                                     0.78539816339744830962f - 1.0f,
                                     1.57079632679489661923f };
    const uint32_t size = function(s, GLSLstd450FAbs, x);
    uint32_t sum = number(s, factors[0]);
    for (uint32_t i = 1; i < sizeof factors / sizeof *factors; i++)
        sum = step(s, SpvOpFAdd, number(s, factors[i]), step(s, SpvOpFMul, size, sum));
    const uint32_t root =
        function(s, GLSLstd450Sqrt, step(s, SpvOpFSub, number(s, 1), size));
    const uint32_t angle =
        step(s, SpvOpFSub, number(s, factors[3]), step(s, SpvOpFMul, root, sum));
    return step(s, SpvOpFMul, function(s, GLSLstd450FSign, x), angle);
}

static uint32_t call(struct gv_half *h, const uint32_t *w, bool precise)
{
    if (!is_real(h, w[1]) || h->in.ids[w[1]].parts > MOST_PARTS)
        return 0;
    const struct steps s = steps_of(h, w[1], precise);
    switch (w[4]) {
    case GLSLstd450Normalize:
        return normal(&s, w[5]);
    case GLSLstd450FMix:
        return mix(&s, w + 5);
    case GLSLstd450Asin:
        return arc_sine(&s, w[5]);
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
