// Constants of several scalars: vectors, matrices, arrays. Each scalar is folded as
// wgsl_fold.c folds it, before any of them takes another type: what is abstract is
// known entirely, or refused.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <string.h>

static uint32_t scalars_of(const struct wgsl_type *t)
{
    return wgsl_base(t) == WGSL_VOID || wgsl_scalars(t) > GV_WGSL_MAX_ZEROES
               ? 0
               : (uint32_t)wgsl_scalars(t);
}

bool wgsl_known(const struct wgsl_expr *e)
{
    return e->value.known || e->parts;
}

// A scalar stands for each component.
static struct wgsl_value part(const struct wgsl_expr *e, uint32_t i)
{
    return e->parts ? e->parts[i] : e->value;
}

static bool all_known(const struct wgsl_expr *list)
{
    for (; list; list = list->next)
        if (!wgsl_known(list))
            return false;
    return true;
}

// NULL: too many, or out of memory.
static struct wgsl_value *new_parts(struct wgsl *w, const struct wgsl_expr *e,
                                    uint32_t count)
{
    w->values += count;
    if (w->values > GV_WGSL_MAX_VALUES) {
        wgsl_limit(w, e->at, "constants of more than %u scalars", GV_WGSL_MAX_VALUES);
        return NULL;
    }
    struct wgsl_value *parts = gv_arena_alloc(w->arena, count * sizeof *parts);
    if (!parts)
        wgsl_no_memory(w);
    return parts;
}

// Folds component by component: `fold` sees scalar operands of `e`.
static bool each_part(struct wgsl *w, struct wgsl_expr *e,
                      bool (*fold)(struct wgsl *w, struct wgsl_expr *e))
{
    uint32_t count = wgsl_is_scalar(e->type) ? 1 : scalars_of(e->type);
    struct wgsl_value *parts = new_parts(w, e, count);
    if (!parts)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct wgsl_expr scalar = *e, operands[3];
        struct wgsl_expr **end = &scalar.args;
        const struct wgsl_expr *arg = e->args;
        scalar.type = wgsl_scalar(wgsl_base(e->type));
        for (uint32_t k = 0; arg && k < 3; k++, arg = arg->next) {
            operands[k] = (struct wgsl_expr){ .at = arg->at,
                                              .type = wgsl_scalar(wgsl_base(arg->type)),
                                              .value = part(arg, i) };
            *end = &operands[k];
            end = &operands[k].next;
        }
        if (!fold(w, &scalar))
            return false;
        parts[i] = scalar.value;
    }
    if (wgsl_is_scalar(e->type))
        e->value = parts[0];
    else
        e->parts = parts;
    return true;
}

bool wgsl_fold_operator(struct wgsl *w, struct wgsl_expr *e)
{
    bool (*fold)(struct wgsl * w, struct wgsl_expr * e) =
        e->kind == WGSL_UNARY ? wgsl_fold_unary : wgsl_fold_binary;
    bool matrix = false;
    for (const struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        matrix |= arg->type->kind == WGSL_MATRIX;
    if (matrix || !all_known(e->args))
        return true;
    return wgsl_is_scalar(e->type) ? fold(w, e) : each_part(w, e, fold);
}

bool wgsl_fold_zero(struct wgsl *w, struct wgsl_expr *e)
{
    uint32_t count = scalars_of(e->type);
    e->value.known = wgsl_is_scalar(e->type);
    if (e->value.known || !count)
        return true;
    struct wgsl_value *parts = new_parts(w, e, count);
    for (uint32_t i = 0; parts && i < count; i++)
        parts[i].known = true;
    e->parts = parts;
    return parts != NULL;
}

bool wgsl_fold_constructor(struct wgsl *w, struct wgsl_expr *e)
{
    uint32_t count = scalars_of(e->type), n = 0;
    if (wgsl_is_scalar(e->type) || !count || !all_known(e->args))
        return true;
    struct wgsl_value *parts = new_parts(w, e, count);
    if (!parts)
        return false;
    for (const struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        for (uint32_t i = 0, m = scalars_of(arg->type); i < m && n < count; i++)
            parts[n++] = part(arg, i);
    for (; n < count; n++) // one scalar for all
        parts[n] = parts[0];
    e->parts = parts;
    return true;
}

bool wgsl_fold_parts(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_expr *from,
                     enum wgsl_kind to, bool checked)
{
    enum wgsl_kind kind = wgsl_base(from->type);
    uint32_t count = scalars_of(from->type);
    struct wgsl_value *parts = new_parts(w, e, count);
    struct wgsl_expr scalar = { .at = e->at };
    if (!parts)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!wgsl_fold_convert(w, &scalar, &from->parts[i], kind, to, checked))
            return false;
        parts[i] = scalar.value;
    }
    e->parts = parts;
    return true;
}

bool wgsl_fold_swizzle(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_value *of = e->args->parts;
    if (!of)
        return true;
    if (e->swizzle_size == 1) {
        e->value = of[e->swizzle[0]];
        return true;
    }
    struct wgsl_value *parts = new_parts(w, e, e->swizzle_size);
    for (uint32_t i = 0; parts && i < e->swizzle_size; i++)
        parts[i] = of[e->swizzle[i]];
    e->parts = parts;
    return parts != NULL;
}

void wgsl_fold_index(struct wgsl_expr *e)
{
    const struct wgsl_value *of = e->args->parts, *index = &e->args->next->value;
    if (!of || !index->known)
        return;
    if (wgsl_is_scalar(e->type))
        e->value = of[index->i];
    else
        e->parts = of + (size_t)index->i * scalars_of(e->type);
}

// ---- built-in functions of integers ----

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool fold_builtin(struct wgsl *w, struct wgsl_expr *e)
{
    const char *name = e->builtin->name;
    struct wgsl_value v[3] = { { 0 } };
    const struct wgsl_expr *arg = e->args;
    for (uint32_t i = 0; arg && i < 3; i++, arg = arg->next)
        v[i] = arg->value;
    int64_t a = v[0].i, b = v[1].i, c = v[2].i;
    e->value = (struct wgsl_value){ .known = true };
    if (!strcmp(name, "min"))
        e->value.i = least(a, b);
    else if (!strcmp(name, "max"))
        e->value.i = most(a, b);
    else if (!strcmp(name, "clamp"))
        e->value.i = least(most(a, b), c);
    else if (!strcmp(name, "sign"))
        e->value.i = a > 0 ? 1 : a < 0 ? -1 : 0;
    else if (!strcmp(name, "select"))
        e->value = c ? v[1] : v[0];
    else if (a == INT64_MIN)
        return wgsl_fail(w, e->at, "constant does not fit its type");
    else // abs; of the least i32 it is that one
        e->value.i = a >= 0 || (e->type->kind == WGSL_I32 && a == INT32_MIN) ? a : -a;
    return true;
}

bool wgsl_fold_builtin(struct wgsl *w, struct wgsl_expr *e)
{
    return !all_known(e->args) || each_part(w, e, fold_builtin);
}

bool wgsl_fold_dot(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_expr *a = e->args, *b = a->next;
    struct wgsl_expr sum = {
        .at = e->at, .op = WGSL_ADD, .type = e->type, .value = { .known = true }
    };
    if (!all_known(e->args) || !wgsl_is_integer(e->type->kind))
        return true;
    for (uint32_t i = 0; i < a->type->rows; i++) {
        struct wgsl_expr x = { .type = e->type, .value = a->parts[i] };
        struct wgsl_expr y = { .type = e->type, .value = b->parts[i] };
        struct wgsl_expr total = { .type = e->type, .value = sum.value };
        struct wgsl_expr product = {
            .at = e->at, .op = WGSL_MULTIPLY, .type = e->type, .args = &x
        };
        x.next = &y;
        if (!wgsl_fold_binary(w, &product))
            return false;
        product.next = NULL;
        total.next = &product;
        sum.args = &total;
        if (!wgsl_fold_binary(w, &sum))
            return false;
    }
    e->value = sum.value;
    return true;
}
