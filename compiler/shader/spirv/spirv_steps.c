// Steps that instructions are taken apart into, in high and in medium precision.
#include <string.h>

#include "compiler/shader/spirv/spirv_half_internal.h"

struct gv_steps gv_steps_of(struct gv_half *h, uint32_t type, bool half, bool precise)
{
    const struct gv_relaxed_id *t = &h->in.ids[type];
    return (
        struct gv_steps){ h, type, t->part ? t->part : type, t->parts, half, precise };
}

struct gv_steps gv_steps_of_one(const struct gv_steps *s)
{
    return gv_steps_of(s->h, s->component, s->half, s->precise);
}

static void mark(const struct gv_steps *s)
{
    if (s->precise)
        GV_SPIRV_PUT(&s->h->edit.front, SpvOpDecorate, s->h->edit.next_id,
                     SpvDecorationNoContraction);
}

static uint32_t rounded(const struct gv_steps *s, uint32_t raw)
{
    return s->half ? gv_half_rounded(s->h, s->type, raw) : raw;
}

uint32_t gv_step(const struct gv_steps *s, SpvOp op, uint32_t a, uint32_t b)
{
    mark(s);
    return rounded(s, gv_half_operate(s->h, op, GV_HALF_OF(s->type, a, b)));
}

uint32_t gv_step_function(const struct gv_steps *s, uint32_t name, uint32_t of)
{
    struct gv_half *h = s->h;
    mark(s);
    const uint32_t raw = h->edit.next_id++;
    GV_SPIRV_PUT(&h->edit.body, SpvOpExtInst, s->type, raw, h->in.functions_of_glsl,
                 name, of);
    return rounded(s, raw);
}

uint32_t gv_step_number(const struct gv_steps *s, float value)
{
    return gv_half_constant(s->h, s->type, s->half ? gv_half_nearest(value) : value);
}

uint32_t gv_step_component(const struct gv_steps *s, uint32_t of, uint32_t i)
{
    return s->parts == 1 ? of
                         : gv_half_operate(s->h, SpvOpCompositeExtract,
                                           GV_HALF_OF(s->component, of, i));
}

uint32_t gv_step_composite(const struct gv_steps *s, uint32_t type,
                           const uint32_t *parts, uint32_t count)
{
    struct gv_half *h = s->h;
    uint32_t words[2 + GV_HALF_MOST_PARTS] = { type, h->edit.next_id++ };
    for (uint32_t i = 0; i < count; i++)
        words[2 + i] = parts[i];
    gv_spirv_put_op(&h->edit.body, SpvOpCompositeConstruct, words, 2 + count);
    return words[1];
}

// ---- constants ----

// The number that an id is.
static bool number_of(const struct gv_relaxed *in, uint32_t id, float *value)
{
    if (id >= in->bound || !in->ids[id].constant)
        return false;
    const uint32_t *c = in->words + in->ids[id].at;
    if (gv_spirv_op(c) != SpvOpConstant || !gv_relaxed_is_real(in, id))
        return false;
    memcpy(value, &c[3], sizeof *value);
    return true;
}

bool gv_half_known(const struct gv_half *h, uint32_t id, uint32_t i, float *value)
{
    const struct gv_relaxed *in = &h->in;
    id = gv_relaxed_source(in, id);
    const uint32_t *w = in->words + in->ids[id].at;
    const uint32_t op = gv_spirv_op(w), parts = in->ids[in->ids[id].type].parts;
    if (parts == 1)
        return number_of(in, id, value);
    return (op == SpvOpCompositeConstruct || op == SpvOpConstantComposite) &&
           gv_spirv_length(w) == 3 + parts && number_of(in, w[3 + i], value);
}

uint32_t gv_half_of_constant(struct gv_half *h, uint32_t id)
{
    const struct gv_steps s = gv_steps_of(h, h->in.ids[id].type, true, false);
    uint32_t words[2 + GV_HALF_MOST_PARTS] = { s.type };
    float value;
    for (uint32_t i = 0; i < s.parts; i++) {
        if (!gv_half_known(h, id, i, &value))
            return 0;
        words[2 + i] = gv_half_constant(h, s.component, gv_half_nearest(value));
    }
    if (s.parts == 1)
        return words[2];
    words[1] = h->edit.next_id++;
    gv_spirv_put_op(&h->edit.head, SpvOpConstantComposite, words, 2 + s.parts);
    return words[1];
}

// ---- functions ----

// Products of components, added from the last to the first.
uint32_t gv_steps_dot(const struct gv_steps *s, uint32_t a, uint32_t b)
{
    const struct gv_steps one = gv_steps_of_one(s);
    uint32_t sum = 0;
    for (uint32_t i = s->parts; i > 0; i--) {
        const uint32_t term = gv_step(&one, SpvOpFMul, gv_step_component(s, a, i - 1),
                                      gv_step_component(s, b, i - 1));
        sum = sum ? gv_step(&one, SpvOpFAdd, sum, term) : term;
    }
    return sum;
}

uint32_t gv_steps_length(const struct gv_steps *s, uint32_t v)
{
    const struct gv_steps one = gv_steps_of_one(s);
    if (s->parts == 1)
        return gv_step_function(&one, GLSLstd450FAbs, v);
    return gv_step_function(&one, GLSLstd450Sqrt, gv_steps_dot(s, v, v));
}

uint32_t gv_steps_reflect(const struct gv_steps *s, uint32_t a, uint32_t n)
{
    const struct gv_steps one = gv_steps_of_one(s);
    const uint32_t product = gv_steps_dot(s, n, a);
    const uint32_t twice = gv_step(&one, SpvOpFAdd, product, product);
    const SpvOp times = s->parts == 1 ? SpvOpFMul : SpvOpVectorTimesScalar;
    return gv_step(s, SpvOpFSub, a, gv_step(s, times, n, twice));
}

static uint32_t function2(const struct gv_steps *s, uint32_t name, uint32_t a,
                          uint32_t b)
{
    struct gv_half *h = s->h;
    const uint32_t result = h->edit.next_id++;
    GV_SPIRV_PUT(&h->edit.body, SpvOpExtInst, s->type, result, h->in.functions_of_glsl,
                 name, a, b);
    return result;
}

// k = 1 - eta * (eta * (1 - d * d)) with d = gv_steps_dot(n, i); eta * i - (eta * d +
// sqrt(k)) * n, or 0 where k is negative.
uint32_t gv_steps_refract(const struct gv_steps *s, uint32_t i, uint32_t n,
                          uint32_t eta)
{
    const struct gv_steps one = gv_steps_of_one(s);
    const SpvOp scale = s->parts == 1 ? SpvOpFMul : SpvOpVectorTimesScalar;
    const uint32_t d = gv_steps_dot(s, n, i), nothing = gv_step_number(&one, 0);
    uint32_t k = gv_step(&one, SpvOpFSub, gv_step_number(&one, 1),
                         gv_step(&one, SpvOpFMul, d, d));
    k = gv_step(&one, SpvOpFMul, eta, gv_step(&one, SpvOpFMul, eta, k));
    k = gv_step(&one, SpvOpFSub, gv_step_number(&one, 1), k);
    const uint32_t root = gv_step_function(&one, GLSLstd450Sqrt,
                                           function2(&one, GLSLstd450FMax, k, nothing));
    const uint32_t along =
        gv_step(&one, SpvOpFAdd, gv_step(&one, SpvOpFMul, eta, d), root);
    const uint32_t bent =
        gv_step(s, SpvOpFSub, gv_step(s, scale, i, eta), gv_step(s, scale, n, along));
    return gv_step(s, scale, bent, function2(&one, GLSLstd450Step, nothing, k));
}

// sign(x) * (pi / 2 - sqrt(1 - |x|) * (pi / 2 + |x| * (pi / 4 - 1 + |x| * (a + |x| *
// b))))
static uint32_t arc_sine(const struct gv_steps *s, uint32_t x, float a, float b)
{
    const float factors[] = { b, a, 0.78539816339744830962f - 1.0f,
                              1.57079632679489661923f };
    const uint32_t size = gv_step_function(s, GLSLstd450FAbs, x);
    uint32_t sum = gv_step_number(s, factors[0]);
    for (uint32_t i = 1; i < sizeof factors / sizeof *factors; i++)
        sum = gv_step(s, SpvOpFAdd, gv_step_number(s, factors[i]),
                      gv_step(s, SpvOpFMul, size, sum));
    const uint32_t root = gv_step_function(
        s, GLSLstd450Sqrt, gv_step(s, SpvOpFSub, gv_step_number(s, 1), size));
    const uint32_t angle = gv_step(s, SpvOpFSub, gv_step_number(s, factors[3]),
                                   gv_step(s, SpvOpFMul, root, sum));
    return gv_step(s, SpvOpFMul, gv_step_function(s, GLSLstd450FSign, x), angle);
}

uint32_t gv_steps_arc_sine(const struct gv_steps *s, uint32_t x)
{
    return arc_sine(s, x, 0.086566724f, -0.03102955f);
}

uint32_t gv_steps_arc_cosine(const struct gv_steps *s, uint32_t x)
{
    return gv_step(s, SpvOpFSub, gv_step_number(s, 1.57079632679489661923f),
                   arc_sine(s, x, 0.08132463f, -0.02363318f));
}

// x * (1 - t) + y * t
static uint32_t weighed(const struct gv_steps *s, const uint32_t v[3])
{
    const uint32_t rest = gv_step(s, SpvOpFSub, gv_step_number(s, 1), v[2]);
    return gv_step(s, SpvOpFAdd, gv_step(s, SpvOpFMul, v[0], rest),
                   gv_step(s, SpvOpFMul, v[1], v[2]));
}

// What Mesa makes of one component, by what of it is constant: nir_lower_flrp.c, and
// the rules for zeros that are in front of it.
static uint32_t mixed(const struct gv_steps *s, const uint32_t v[3], bool known[3],
                      const float value[3])
{
    const uint32_t x = v[0], y = v[1], t = v[2];
    if (known[0] && value[0] == 0)
        return gv_step(s, SpvOpFMul, y, t);
    if (known[1] && value[1] == 0)
        return gv_step(s, SpvOpFSub, x, gv_step(s, SpvOpFMul, x, t));
    if (known[0] && (value[0] == 1 || value[0] == -1) && !known[1]) {
        const SpvOp with = value[0] == 1 ? SpvOpFSub : SpvOpFAdd;
        return gv_step(s, SpvOpFAdd, gv_step(s, with, x, t),
                       gv_step(s, SpvOpFMul, y, t));
    }
    if ((known[1] && (value[1] == 1 || value[1] == -1) && !known[0]) ||
        (known[2] && !(known[0] && known[1])))
        return weighed(s, v);
    return gv_step(s, SpvOpFAdd, gv_step(s, SpvOpFMul, gv_step(s, SpvOpFSub, y, x), t),
                   x);
}

uint32_t gv_steps_mix(const struct gv_steps *s, const uint32_t *v,
                      const uint32_t *named)
{
    const struct gv_steps one = gv_steps_of_one(s);
    uint32_t parts[GV_HALF_MOST_PARTS];
    for (uint32_t i = 0; i < s->parts; i++) {
        uint32_t of[3];
        bool known[3];
        float value[3] = { 0 };
        for (uint32_t k = 0; k < 3; k++) {
            known[k] = gv_half_known(s->h, named[k], i, &value[k]);
            of[k] = gv_step_component(s, v[k], i);
        }
        parts[i] = mixed(&one, of, known, value);
    }
    return s->parts == 1 ? parts[0] : gv_step_composite(s, s->type, parts, s->parts);
}
