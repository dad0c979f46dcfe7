// Sums and products of halves in the order in which Mesa's optimizer leaves them
// (nir_opt_algebraic.py): it gathers constants, and puts what is no product first.
#include "compiler/shader/spirv/spirv_half_internal.h"

// An operation of two values, in medium precision.
struct pair {
    uint32_t op, a, b;
};

static bool is_sum(uint32_t op)
{
    return op == SpvOpFAdd || op == SpvOpFSub;
}

static bool is_product(uint32_t op)
{
    return op == SpvOpFMul || op == SpvOpVectorTimesScalar;
}

// 0 for `op`: it is something else.
static struct pair pair_of(const struct gv_half *h, uint32_t id)
{
    id = gv_relaxed_source(&h->in, id);
    const uint32_t *w = h->in.words + h->in.ids[id].at;
    const uint32_t op = gv_spirv_op(w);
    if (!h->in.ids[id].relaxed || (!is_sum(op) && !is_product(op)))
        return (struct pair){ 0, 0, 0 };
    return (struct pair){ op, w[3], w[4] };
}

// A product, or its opposite.
static bool of_product(const struct gv_half *h, uint32_t id)
{
    const uint32_t *w = h->in.words + h->in.ids[gv_relaxed_source(&h->in, id)].at;
    return is_product(pair_of(h, gv_spirv_op(w) == SpvOpFNegate ? w[3] : id).op);
}

static bool is_constant(const struct gv_half *h, uint32_t id)
{
    float value;
    const uint32_t parts = h->in.ids[h->in.ids[id].type].parts;
    for (uint32_t i = 0; i < parts; i++)
        if (!gv_half_known(h, id, i, &value))
            return false;
    return true;
}

// ---- products ----

static uint32_t scaled(const struct gv_steps *s, uint32_t a, uint32_t b, bool by_scalar)
{
    return gv_step(s, by_scalar ? SpvOpVectorTimesScalar : SpvOpFMul, a, b);
}

// Times a constant, a scalar's or the type's own: x * a * b is x * (a * b), and x * y *
// a is x * a * y.
static uint32_t product(const struct gv_steps *s, uint32_t result, uint32_t inner,
                        uint32_t constant)
{
    struct gv_half *h = s->h;
    const struct pair p = pair_of(h, inner);
    const uint32_t by = h->in.ids[constant].type, of = h->in.ids[p.b].type;
    if (!is_product(p.op) || is_constant(h, p.a))
        return 0;
    const uint32_t c = gv_half_of(h, constant);
    if (is_constant(h, p.b)) {
        if (by != of)
            return 0;
        const struct gv_steps factor = gv_steps_of(h, by, true, false);
        return scaled(s, gv_half_of(h, p.a),
                      gv_step(&factor, SpvOpFMul, gv_half_of(h, p.b), c),
                      by != s->type);
    }
    if (!gv_relaxed_is_used_once(&h->in, inner) ||
        !gv_relaxed_is_used_once(&h->in, result))
        return 0;
    return scaled(s, scaled(s, gv_half_of(h, p.a), c, by != s->type),
                  gv_half_of(h, p.b), of != s->type);
}

uint32_t gv_half_product(struct gv_half *h, const uint32_t *w)
{
    const struct gv_steps s = gv_steps_of(h, w[1], true, false);
    if (is_constant(h, w[4]))
        return product(&s, w[2], w[3], w[4]);
    return is_constant(h, w[3]) && gv_spirv_op(w) == SpvOpFMul
               ? product(&s, w[2], w[4], w[3])
               : 0;
}

uint32_t gv_half_scaled(const struct gv_steps *s, uint32_t id, float factor)
{
    const struct pair p = pair_of(s->h, id);
    const uint32_t by = gv_step_number(s, factor);
    if (!is_product(p.op) || !is_constant(s->h, p.b))
        return gv_step(s, SpvOpFMul, gv_half_of(s->h, id), by);
    const struct gv_steps of = gv_steps_of(s->h, s->h->in.ids[p.b].type, true, false);
    const uint32_t both =
        gv_step(&of, SpvOpFMul, gv_half_of(s->h, p.b), gv_step_number(&of, factor));
    return scaled(s, gv_half_of(s->h, p.a), both, of.type != s->type);
}

// ---- sums ----

// a + b, in this order, then `c`: each with a sign.
struct sum {
    uint32_t a, b, c;
    bool minus_b, minus_c;
};

// Whether `c` goes before `b`. A sum that starts with its second term has them swapped.
static bool rearrange(const struct gv_half *h, uint32_t result, struct sum *x)
{
    const bool a = of_product(h, x->a), b = of_product(h, x->b);
    if (!is_constant(h, x->c))
        return a && b && !of_product(h, x->c);
    if (is_constant(h, x->a) || is_constant(h, x->b))
        return false;
    if (a && b)
        return true;
    if (!gv_relaxed_is_used_once(&h->in, result))
        return false;
    // What is no product takes the constant: a + c + b.
    if (a && !x->minus_b)
        *x = (struct sum){ x->b, x->a, x->c, false, x->minus_c };
    return !a || !b;
}

uint32_t gv_half_sum(struct gv_half *h, const uint32_t *w)
{
    const struct gv_steps s = gv_steps_of(h, w[1], true, false);
    const bool minus = gv_spirv_op(w) == SpvOpFSub;
    for (uint32_t i = 0; i < (minus ? 1u : 2u); i++) {
        const uint32_t inner = w[3 + i];
        const struct pair p = pair_of(h, inner);
        struct sum x = { p.a, p.b, w[4 - i], p.op == SpvOpFSub, minus };
        if (!is_sum(p.op) || !gv_relaxed_is_used_once(&h->in, inner) ||
            !rearrange(h, w[2], &x))
            continue;
        const uint32_t first = gv_step(&s, x.minus_c ? SpvOpFSub : SpvOpFAdd,
                                       gv_half_of(h, x.a), gv_half_of(h, x.c));
        return gv_step(&s, x.minus_b ? SpvOpFSub : SpvOpFAdd, first,
                       gv_half_of(h, x.b));
    }
    return 0;
}
