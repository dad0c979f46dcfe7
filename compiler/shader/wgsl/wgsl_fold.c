// Scalar constants, computed as WGSL computes them: abstract integers in 64 bits,
// abstract floats as double, concrete ones as what they are. Overflow is an error, but
// concrete integers wrap.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <math.h>

// What && and || leave out need not be a number, but stays of a type.
static bool no_value(struct wgsl *w, struct wgsl_expr *e, const char *why)
{
    e->value = (struct wgsl_value){ .known = true };
    return w->skipped || wgsl_fail(w, e->at, "%s", why);
}

static bool overflow(struct wgsl *w, struct wgsl_expr *e)
{
    return no_value(w, e, "constant does not fit its type");
}

static bool integer_fits(int64_t v, enum wgsl_kind kind)
{
    if (kind == WGSL_I32)
        return v >= INT32_MIN && v <= INT32_MAX;
    return kind != WGSL_U32 || (v >= 0 && v <= UINT32_MAX);
}

static bool set_float(struct wgsl *w, struct wgsl_expr *e, enum wgsl_kind kind,
                      double f)
{
    if (kind == WGSL_F32)
        f = fabs(f) > 3.4028235677973366e38 ? (double)INFINITY : (double)(float)f;
    if (!isfinite(f))
        return overflow(w, e);
    e->value = (struct wgsl_value){ .known = true, .f = f };
    return true;
}

// Concrete integers wrap.
static int64_t wrap(enum wgsl_kind kind, int64_t i)
{
    return kind == WGSL_I32   ? (int64_t)(int32_t)(uint32_t)i
           : kind == WGSL_U32 ? (int64_t)(uint32_t)i
                              : i;
}

static bool set_integer(struct wgsl *w, struct wgsl_expr *e, enum wgsl_kind kind,
                        int64_t i)
{
    if (!integer_fits(i, kind))
        return overflow(w, e);
    e->value = (struct wgsl_value){ .known = true, .i = i };
    return true;
}

// What f32 -> integer conversions give beyond the range: its end.
static int64_t clamp_to(double f, enum wgsl_kind to)
{
    double low = to == WGSL_U32 ? 0.0 : (double)INT32_MIN;
    double high = to == WGSL_U32 ? (double)UINT32_MAX : (double)INT32_MAX;
    return (int64_t)(f < low ? low : f > high ? high : f);
}

bool wgsl_fold_convert(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_value *in,
                       enum wgsl_kind from, enum wgsl_kind to, bool checked)
{
    struct wgsl_value v = *in;
    if (to == WGSL_BOOL) {
        e->value =
            (struct wgsl_value){ .known = true,
                                 .i = wgsl_is_float(from) ? v.f != 0.0 : v.i != 0 };
        return true;
    }
    if (wgsl_is_float(to))
        return set_float(w, e, to, wgsl_is_float(from) ? v.f : (double)v.i);
    if (wgsl_is_float(from))
        return set_integer(w, e, to, clamp_to(v.f, to));
    if (!checked && from != WGSL_ABSTRACT_INT && from != WGSL_BOOL)
        v.i = to == WGSL_I32 ? (int64_t)(int32_t)(uint32_t)v.i : (int64_t)(uint32_t)v.i;
    return set_integer(w, e, to, v.i);
}

bool wgsl_fold_unary(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_value *v = &e->args->value;
    enum wgsl_kind kind = e->type->kind;
    if (!v->known || !wgsl_is_scalar(e->type))
        return true;
    if (e->op == WGSL_NOT)
        return set_integer(w, e, WGSL_BOOL, !v->i);
    if (e->op == WGSL_COMPLEMENT)
        return set_integer(w, e, kind,
                           kind == WGSL_U32 ? (int64_t)(uint32_t)~v->i : ~v->i);
    if (wgsl_is_float(kind))
        return set_float(w, e, kind, -v->f);
    return v->i == INT64_MIN ? overflow(w, e)
                             : set_integer(w, e, kind, wrap(kind, -v->i));
}

// ---- binary operators ----

static bool multiply(int64_t a, int64_t b, int64_t *out)
{
    if (a && (a > 0   ? b > INT64_MAX / a || b < INT64_MIN / a
              : b > 0 ? a < INT64_MIN / b
                      : b && a < INT64_MAX / b))
        return false;
    *out = a * b;
    return true;
}

static bool add(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
        return false;
    *out = a + b;
    return true;
}

static bool shift(struct wgsl *w, struct wgsl_expr *e, enum wgsl_kind kind, int64_t a,
                  int64_t b)
{
    int64_t bits = kind == WGSL_ABSTRACT_INT ? 63 : 32, r = 0;
    if (b >= bits)
        return w->skipped ? set_integer(w, e, kind, 0)
                          : wgsl_fail(w, e->at, "shift by %lld bits", (long long)b);
    if (e->op == WGSL_RIGHT_SHIFT)
        return set_integer(w, e, kind, a >> b);
    if (kind == WGSL_U32)
        r = (int64_t)(uint32_t)((uint64_t)a << b);
    else if (!multiply(a, (int64_t)1 << b, &r))
        return overflow(w, e);
    return set_integer(w, e, kind, r);
}

static bool divide(struct wgsl *w, struct wgsl_expr *e, enum wgsl_kind kind, int64_t a,
                   int64_t b)
{
    if (b == 0)
        return no_value(w, e, "division by zero");
    if (b == -1) // INT64_MIN / -1 is no number
        return e->op == WGSL_REMAINDER ? set_integer(w, e, kind, 0)
               : a == INT64_MIN        ? overflow(w, e)
                                       : set_integer(w, e, kind, -a);
    return set_integer(w, e, kind, e->op == WGSL_DIVIDE ? a / b : a % b);
}

static bool fold_integer(struct wgsl *w, struct wgsl_expr *e, enum wgsl_kind kind,
                         int64_t a, int64_t b)
{
    int64_t r = 0;
    switch ((int)e->op) {
    case WGSL_ADD:
        return add(a, b, &r) ? set_integer(w, e, kind, wrap(kind, r)) : overflow(w, e);
    case WGSL_SUBTRACT:
        return b != INT64_MIN && add(a, -b, &r) ? set_integer(w, e, kind, wrap(kind, r))
                                                : overflow(w, e);
    case WGSL_MULTIPLY:
        if (kind == WGSL_U32) { // two of them may not fit 63 bits
            const uint32_t product = (uint32_t)a * (uint32_t)b;
            return set_integer(w, e, kind, product);
        }
        return multiply(a, b, &r) ? set_integer(w, e, kind, wrap(kind, r))
                                  : overflow(w, e);
    case WGSL_DIVIDE:
    case WGSL_REMAINDER:
        return divide(w, e, kind, a, b);
    case WGSL_LEFT_SHIFT:
    case WGSL_RIGHT_SHIFT:
        return shift(w, e, kind, a, b);
    case WGSL_AND:
        return set_integer(w, e, kind, a & b);
    case WGSL_OR:
        return set_integer(w, e, kind, a | b);
    case WGSL_XOR:
        return set_integer(w, e, kind, a ^ b);
    default:
        return true;
    }
}

static bool fold_float(struct wgsl *w, struct wgsl_expr *e, enum wgsl_kind kind,
                       double a, double b)
{
    // For f32 operands one double operation and a rounding give the f32 result.
    switch ((int)e->op) {
    case WGSL_ADD:
        return set_float(w, e, kind, a + b);
    case WGSL_SUBTRACT:
        return set_float(w, e, kind, a - b);
    case WGSL_MULTIPLY:
        return set_float(w, e, kind, a * b);
    case WGSL_DIVIDE:
        return b != 0.0 ? set_float(w, e, kind, a / b) : overflow(w, e);
    case WGSL_REMAINDER:
        return b != 0.0 ? set_float(w, e, kind, fmod(a, b)) : overflow(w, e);
    default:
        return true;
    }
}

static bool compare(struct wgsl *w, struct wgsl_expr *e, bool less, bool equal)
{
    bool r = e->op == WGSL_EQUAL        ? equal
             : e->op == WGSL_NOT_EQUAL  ? !equal
             : e->op == WGSL_LESS       ? less
             : e->op == WGSL_LESS_EQUAL ? less || equal
             : e->op == WGSL_GREATER    ? !less && !equal
                                        : /* WGSL_GREATER_EQUAL */ !less;
    return set_integer(w, e, WGSL_BOOL, r);
}

bool wgsl_fold_binary(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_expr *ea = e->args, *eb = e->args->next;
    const struct wgsl_value *a = &ea->value, *b = &eb->value;
    if (!a->known || !b->known || !wgsl_is_scalar(e->type))
        return true;
    bool fa = wgsl_is_float(ea->type->kind), fb = wgsl_is_float(eb->type->kind);
    double da = fa ? a->f : (double)a->i, db = fb ? b->f : (double)b->i;
    if (wgsl_is_comparison(e->op))
        return fa || fb ? compare(w, e, da < db, da == db)
                        : compare(w, e, a->i < b->i, a->i == b->i);
    if (e->op == WGSL_LOGICAL_AND || e->op == WGSL_LOGICAL_OR)
        return set_integer(w, e, WGSL_BOOL,
                           e->op == WGSL_LOGICAL_AND ? a->i && b->i : a->i || b->i);
    return wgsl_is_float(e->type->kind) ? fold_float(w, e, e->type->kind, da, db)
                                        : fold_integer(w, e, e->type->kind, a->i, b->i);
}
