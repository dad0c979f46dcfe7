// Calls: functions of the module, constructors and conversions.
#include "compiler/shader/wgsl/wgsl_internal.h"

static bool check_arguments(struct wgsl *w, struct wgsl_expr *e)
{
    for (struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        if (!wgsl_check(w, arg))
            return false;
    return true;
}

// What a pointer argument points to becomes an `inout` parameter.
static bool check_pointer(struct wgsl *w, const struct wgsl_expr *arg,
                          const struct wgsl_decl *p)
{
    if (arg->type->kind != WGSL_POINTER ||
        !wgsl_same(arg->type->element, p->type->element))
        return wgsl_fail(w, arg->at, "not the pointer that '%.60s' is", p->name->name);
    bool address = arg->kind == WGSL_UNARY;
    if (address && !arg->writable)
        return wgsl_fail(w, arg->at, "what it points to cannot be written");
    return true;
}

static bool check_function(struct wgsl *w, struct wgsl_expr *e, struct wgsl_decl *d)
{
    if (!wgsl_resolve_decl(w, d) || !check_arguments(w, e) ||
        !wgsl_add_call(w, d, e->at))
        return false;
    struct wgsl_expr *arg = e->args;
    for (struct wgsl_decl *p = d->members; p; p = p->next, arg = arg->next) {
        if (!arg)
            return wgsl_fail(w, e->at, "too few arguments for '%.60s'", d->name->name);
        if (p->type->kind == WGSL_POINTER ? !check_pointer(w, arg, p)
                                          : !wgsl_coerce(w, arg, p->type))
            return false;
    }
    if (arg)
        return wgsl_fail(w, arg->at, "too many arguments for '%.60s'", d->name->name);
    e->decl = d;
    e->type = d->type;
    e->computed = true;
    return true;
}

bool wgsl_check_call(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_type *t;
    struct wgsl_decl *d = wgsl_lookup(w, e->name);
    if (wgsl_count(e->args) > GV_WGSL_MAX_ARGUMENTS)
        return wgsl_limit(w, e->at, "more than %d arguments", GV_WGSL_MAX_ARGUMENTS);
    if (d && d->kind == WGSL_DECL_FUNCTION)
        return check_function(w, e, d);
    if (!wgsl_constructed_type(w, e, &t))
        return false;
    if (t)
        return wgsl_check_constructor(w, e, t);
    if (d)
        return wgsl_fail(w, e->at, "'%.60s' is no function", e->name->name);
    return wgsl_check_builtin(w, e);
}

// ---- constructors ----

// f32(x), vec3<i32>(v): each component converted.
static bool convert(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_type *t)
{
    struct wgsl_expr *arg = e->args;
    enum wgsl_kind to = wgsl_base(t), from = wgsl_base(arg->type);
    e->type = t;
    if (from == WGSL_ABSTRACT_INT && to != WGSL_BOOL)
        return wgsl_coerce(w, arg, wgsl_reshape(w, arg->type, to)) &&
               (e->parts = arg->parts, e->value = arg->value, true);
    if (arg->parts)
        return wgsl_fold_parts(w, e, arg, to, false);
    return !arg->value.known || wgsl_fold_convert(w, e, &arg->value, from, to, false);
}

static bool check_parts(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_type *t,
                        uint32_t wanted)
{
    uint32_t parts = 0;
    for (struct wgsl_expr *arg = e->args; arg; arg = arg->next) {
        bool fits = wgsl_is_scalar(arg->type) || arg->type->kind == WGSL_VECTOR;
        const struct wgsl_type *part =
            fits ? wgsl_reshape(w, arg->type, t->element->kind) : t;
        if (!wgsl_coerce(w, arg, part))
            return false;
        parts += arg->type->rows ? arg->type->rows : 1;
    }
    return parts == wanted ||
           wgsl_fail(w, e->at, "%u components for '%.40s'", parts, e->name->name);
}

static bool construct_vector(struct wgsl *w, struct wgsl_expr *e,
                             const struct wgsl_type *t)
{
    const struct wgsl_type *first = e->args->type;
    if (!e->args->next && first->kind == WGSL_VECTOR && first->rows == t->rows)
        return convert(w, e, t);
    if (!e->args->next && wgsl_is_scalar(first)) // the same in all components
        return wgsl_coerce(w, e->args, t->element);
    return check_parts(w, e, t, t->rows);
}

// Columns, or all the scalars, or another matrix.
static bool construct_matrix(struct wgsl *w, struct wgsl_expr *e,
                             const struct wgsl_type *t)
{
    const struct wgsl_type *column = wgsl_vector(t->element->kind, t->rows);
    if (!e->args->next && e->args->type->kind == WGSL_MATRIX)
        return wgsl_coerce(w, e->args, t);
    if (e->args->type->kind != WGSL_VECTOR) {
        for (struct wgsl_expr *arg = e->args; arg; arg = arg->next)
            if (!wgsl_coerce(w, arg, t->element))
                return false;
        return check_parts(w, e, t, t->rows * t->columns);
    }
    for (struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        if (!wgsl_coerce(w, arg, column))
            return false;
    return check_parts(w, e, t, t->rows * t->columns);
}

static bool construct_array(struct wgsl *w, struct wgsl_expr *e,
                            const struct wgsl_type *t)
{
    for (struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        if (!wgsl_coerce(w, arg, t->element))
            return false;
    uint32_t count = wgsl_count(e->args);
    return count == t->count ||
           wgsl_fail(w, e->at, "%u elements for an array of %u", count, t->count);
}

static bool construct_struct(struct wgsl *w, struct wgsl_expr *e,
                             const struct wgsl_type *t)
{
    struct wgsl_expr *arg = e->args;
    for (const struct wgsl_decl *m = t->decl->members; m; m = m->next) {
        if (!arg)
            return wgsl_fail(w, e->at, "too few members for '%.60s'", e->name->name);
        if (!wgsl_coerce(w, arg, m->type))
            return false;
        arg = arg->next;
    }
    return !arg || wgsl_fail(w, arg->at, "too many members for '%.60s'", e->name->name);
}

static bool construct_scalar(struct wgsl *w, struct wgsl_expr *e,
                             const struct wgsl_type *t)
{
    if (e->args->next || !wgsl_is_scalar(e->args->type))
        return wgsl_fail(w, e->at, "'%.40s' takes one scalar", e->name->name);
    return convert(w, e, t);
}

bool wgsl_check_constructor(struct wgsl *w, struct wgsl_expr *e,
                            const struct wgsl_type *t)
{
    if (!check_arguments(w, e))
        return false;
    e->type = t;
    if (t->kind == WGSL_ATOMIC || wgsl_has_atomics(t) || wgsl_runtime_sized(t) ||
        t->kind >= WGSL_POINTER)
        return wgsl_fail(w, e->at, "'%.40s' cannot be made", e->name->name);
    if (!e->args)
        return wgsl_fold_zero(w, e);
    switch ((int)t->kind) {
    case WGSL_VECTOR:
        return construct_vector(w, e, t) && (e->parts || wgsl_fold_constructor(w, e));
    case WGSL_MATRIX:
        return construct_matrix(w, e, t) && wgsl_fold_constructor(w, e);
    case WGSL_ARRAY:
        return construct_array(w, e, t) && wgsl_fold_constructor(w, e);
    case WGSL_STRUCT:
        return construct_struct(w, e, t);
    default:
        return construct_scalar(w, e, t);
    }
}
