// Calls of built-in functions: arguments and results.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <string.h>

static const struct wgsl_builtin builtins[] = {
#define WGSL_BUILTIN(name, rule, least, most, glsl) \
    { name, WGSL_RULE_##rule, least, most, glsl },
#include "compiler/shader/wgsl/wgsl_builtins.def"
#undef WGSL_BUILTIN
};

const struct wgsl_builtin *wgsl_builtin_find(const struct wgsl_symbol *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (wgsl_is(name, builtins[i].name))
            return &builtins[i];
    return NULL;
}

bool wgsl_no_overload(struct wgsl *w, const struct wgsl_expr *e)
{
    return wgsl_fail(w, e->at, "'%s' does not take these arguments", e->builtin->name);
}

// Whether a type is a scalar or a vector, of which scalar.
static enum wgsl_kind plain(const struct wgsl_type *t)
{
    return t->kind <= WGSL_VECTOR ? wgsl_base(t) : WGSL_VOID;
}

// Gives `count` arguments from the first the same type. Abstract integers stay that
// where all are, unless floats are wanted; functions of floats are not computed here,
// so that abstract ones become f32.
static bool same_types(struct wgsl *w, struct wgsl_expr *e, uint32_t count, bool floats)
{
    enum wgsl_kind kind = plain(e->args->type);
    const struct wgsl_type *first = e->args->type;
    struct wgsl_expr *arg = e->args;
    for (uint32_t i = 0; arg && i < count; i++, arg = arg->next) {
        enum wgsl_kind next = plain(arg->type);
        if (next == WGSL_VOID || arg->type->rows != first->rows ||
            !wgsl_unify(kind, next, &kind))
            return wgsl_no_overload(w, e);
    }
    if (kind == WGSL_ABSTRACT_FLOAT || (floats && kind == WGSL_ABSTRACT_INT))
        kind = WGSL_F32;
    arg = e->args;
    for (uint32_t i = 0; arg && i < count; i++, arg = arg->next)
        if (!wgsl_coerce(w, arg, wgsl_reshape(w, arg->type, kind)))
            return false;
    return true;
}

static bool check_generic(struct wgsl *w, struct wgsl_expr *e)
{
    enum wgsl_rule rule = e->builtin->rule;
    bool floats = rule == WGSL_RULE_FLOAT || rule == WGSL_RULE_MEASURE ||
                  rule == WGSL_RULE_VECTOR;
    if (!same_types(w, e, wgsl_count(e->args), floats))
        return false;
    const struct wgsl_type *t = e->args->type;
    enum wgsl_kind kind = wgsl_base(t);
    if (kind == WGSL_BOOL || (floats && !wgsl_is_float(kind)) ||
        (rule == WGSL_RULE_INTEGER && !wgsl_is_integer(kind)) ||
        (rule == WGSL_RULE_VECTOR && t->kind != WGSL_VECTOR) ||
        (rule == WGSL_RULE_SIGNED && kind == WGSL_U32 && wgsl_is(e->name, "sign")) ||
        (wgsl_is(e->name, "cross") && t->rows != 3))
        return wgsl_no_overload(w, e);
    if (rule == WGSL_RULE_INTEGER) {
        if (!wgsl_concrete(w, e->args))
            return false;
        t = e->args->type;
    }
    e->type = rule == WGSL_RULE_MEASURE ? wgsl_scalar(kind) : t;
    bool computed = rule == WGSL_RULE_NUMBER || rule == WGSL_RULE_SIGNED;
    return !computed || !wgsl_is_integer(kind) || wgsl_fold_builtin(w, e);
}

// ---- functions with rules of their own ----

static bool check_select(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_expr *condition = wgsl_arg(e, 2);
    if (!same_types(w, e, 2, false))
        return false;
    e->type = e->args->type;
    bool fits = plain(condition->type) == WGSL_BOOL &&
                (!condition->type->rows || condition->type->rows == e->type->rows);
    if (!fits)
        return wgsl_no_overload(w, e);
    if (!wgsl_known(condition)) {
        if (!wgsl_concrete(w, e->args) || !wgsl_concrete(w, e->args->next))
            return false;
        e->type = e->args->type;
    }
    return wgsl_fold_builtin(w, e);
}

// mix(a, b, t) and refract(i, n, eta): the last argument may be, or is, a scalar.
static bool check_last_scalar(struct wgsl *w, struct wgsl_expr *e, bool scalar)
{
    struct wgsl_expr *last = wgsl_arg(e, 2);
    enum wgsl_kind kind;
    if (!last->type->rows && (e->args->type->rows || scalar)) {
        if (!same_types(w, e, 2, true) ||
            !wgsl_unify(wgsl_base(e->args->type), plain(last->type), &kind) ||
            !wgsl_is_float(kind))
            return wgsl_no_overload(w, e);
        for (struct wgsl_expr *arg = e->args; arg; arg = arg->next)
            if (!wgsl_coerce(w, arg, wgsl_reshape(w, arg->type, kind)))
                return false;
    } else if (scalar || !same_types(w, e, 3, true)) {
        return wgsl_no_overload(w, e);
    }
    e->type = e->args->type;
    return wgsl_is_float(wgsl_base(e->type)) || wgsl_no_overload(w, e);
}

static bool check_dot(struct wgsl *w, struct wgsl_expr *e)
{
    if (!same_types(w, e, 2, false))
        return false;
    const struct wgsl_type *t = e->args->type;
    if (t->kind != WGSL_VECTOR || t->element->kind == WGSL_BOOL)
        return wgsl_no_overload(w, e);
    e->type = t->element;
    return wgsl_fold_dot(w, e);
}

static bool check_bits(struct wgsl *w, struct wgsl_expr *e, uint32_t values)
{
    const struct wgsl_type *u32 = wgsl_scalar(WGSL_U32);
    if (!same_types(w, e, values, false) || !wgsl_is_integer(wgsl_base(e->args->type)))
        return wgsl_no_overload(w, e);
    for (uint32_t i = 0; i < values; i++)
        if (!wgsl_concrete(w, wgsl_arg(e, i)))
            return false;
    e->type = e->args->type;
    return wgsl_coerce(w, wgsl_arg(e, values), u32) &&
           wgsl_coerce(w, wgsl_arg(e, values + 1), u32);
}

static bool check_ldexp(struct wgsl *w, struct wgsl_expr *e)
{
    struct wgsl_expr *a = e->args, *b = wgsl_arg(e, 1);
    if (plain(a->type) == WGSL_ABSTRACT_INT &&
        !wgsl_coerce(w, a, wgsl_reshape(w, a->type, WGSL_F32)))
        return false;
    if (!wgsl_concrete(w, a) || !wgsl_concrete(w, b))
        return false;
    e->type = a->type;
    return (plain(a->type) == WGSL_F32 && plain(b->type) == WGSL_I32 &&
            a->type->rows == b->type->rows) ||
           wgsl_no_overload(w, e);
}

static bool check_matrix(struct wgsl *w, struct wgsl_expr *e, bool transpose)
{
    if (!wgsl_concrete(w, e->args))
        return false;
    const struct wgsl_type *t = e->args->type;
    if (t->kind != WGSL_MATRIX || (!transpose && t->rows != t->columns))
        return wgsl_no_overload(w, e);
    e->type =
        transpose ? wgsl_matrix(t->element->kind, t->rows, t->columns) : t->element;
    return true;
}

// pack4x8unorm and the like; the number in the name is the vector's size.
static bool check_pack(struct wgsl *w, struct wgsl_expr *e, bool pack)
{
    const char *digit = strchr(e->builtin->name, '2');
    const struct wgsl_type *vector = wgsl_vector(WGSL_F32, digit ? 2 : 4);
    const struct wgsl_type *u32 = wgsl_scalar(WGSL_U32);
    e->type = pack ? u32 : vector;
    return wgsl_coerce(w, e->args, pack ? vector : u32);
}

static bool check_all(struct wgsl *w, struct wgsl_expr *e)
{
    e->type = wgsl_scalar(WGSL_BOOL);
    return plain(e->args->type) == WGSL_BOOL || wgsl_no_overload(w, e);
}

static bool check_length(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_type *t = e->args->type;
    bool fits = e->args->kind == WGSL_UNARY && t->kind == WGSL_POINTER &&
                t->element->kind == WGSL_ARRAY && !t->element->count;
    e->type = wgsl_scalar(WGSL_U32);
    return fits || wgsl_no_overload(w, e);
}

static bool check_bitcast(struct wgsl *w, struct wgsl_expr *e)
{
    if (wgsl_count(e->templates) != 1)
        return wgsl_fail(w, e->at, "bitcast takes one type");
    const struct wgsl_type *t = wgsl_resolve_type(w, e->templates);
    if (!t || !wgsl_concrete(w, e->args))
        return false;
    enum wgsl_kind from = plain(e->args->type), to = plain(t);
    e->type = t;
    return (from >= WGSL_I32 && to >= WGSL_I32 && t->rows == e->args->type->rows) ||
           wgsl_no_overload(w, e);
}

static bool check_special(struct wgsl *w, struct wgsl_expr *e)
{
    const char *name = e->builtin->name;
    if (!strcmp(name, "select"))
        return check_select(w, e);
    if (!strcmp(name, "mix") || !strcmp(name, "refract"))
        return check_last_scalar(w, e, name[0] == 'r');
    if (!strcmp(name, "dot"))
        return check_dot(w, e);
    if (!strcmp(name, "extractBits") || !strcmp(name, "insertBits"))
        return check_bits(w, e, name[0] == 'i' ? 2 : 1);
    if (!strcmp(name, "ldexp"))
        return check_ldexp(w, e);
    if (!strcmp(name, "transpose") || !strcmp(name, "determinant"))
        return check_matrix(w, e, name[0] == 't');
    if (!strncmp(name, "pack", 4) || !strncmp(name, "unpack", 6))
        return check_pack(w, e, name[0] == 'p');
    if (!strcmp(name, "all") || !strcmp(name, "any"))
        return check_all(w, e);
    return !strcmp(name, "bitcast") ? check_bitcast(w, e) : check_length(w, e);
}

static bool check_atomic(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_type *t = e->args->type;
    if (e->args->kind != WGSL_UNARY || t->kind != WGSL_POINTER ||
        t->element->kind != WGSL_ATOMIC)
        return wgsl_no_overload(w, e);
    if (!e->args->writable)
        return wgsl_fail(w, e->args->at, "what it points to cannot be written");
    w->writes_storage = true;
    e->computed = true;
    e->type =
        wgsl_is(e->name, "atomicStore") ? wgsl_scalar(WGSL_VOID) : t->element->element;
    return !e->args->next || wgsl_coerce(w, e->args->next, t->element->element);
}

static bool check_barrier(struct wgsl *w, struct wgsl_expr *e)
{
    e->type = wgsl_scalar(WGSL_VOID);
    e->computed = true;
    return w->params->stage == GV_STAGE_COMPUTE ||
           wgsl_fail(w, e->at, "'%s' outside compute shaders", e->builtin->name);
}

static bool is_derivative(const struct wgsl_builtin *b)
{
    return !strncmp(b->name, "dpd", 3) || !strncmp(b->name, "fwidth", 6);
}

static bool check_rule(struct wgsl *w, struct wgsl_expr *e)
{
    switch (e->builtin->rule) {
    case WGSL_RULE_SPECIAL:
        return check_special(w, e);
    case WGSL_RULE_TEXTURE:
        return wgsl_check_texture(w, e);
    case WGSL_RULE_ATOMIC:
        return check_atomic(w, e);
    case WGSL_RULE_FLOAT:
    case WGSL_RULE_NUMBER:
    case WGSL_RULE_INTEGER:
    case WGSL_RULE_SIGNED:
    case WGSL_RULE_MEASURE:
    case WGSL_RULE_VECTOR:
    case WGSL_RULE_BARRIER:
    case WGSL_RULE_REFUSED:
        break;
    }
    return check_generic(w, e);
}

bool wgsl_check_builtin(struct wgsl *w, struct wgsl_expr *e)
{
    uint32_t count = wgsl_count(e->args);
    e->builtin = wgsl_builtin_find(e->name);
    if (!e->builtin)
        return wgsl_fail(w, e->at, "'%.60s' is not declared", e->name->name);
    if (e->builtin->rule == WGSL_RULE_REFUSED)
        return wgsl_unsupported(w, e->at, "%s", e->builtin->name);
    if (count < e->builtin->least || count > e->builtin->most)
        return wgsl_fail(w, e->at, "%u arguments for '%s'", count, e->builtin->name);
    if (is_derivative(e->builtin) && w->params->stage != GV_STAGE_FRAGMENT)
        return wgsl_fail(w, e->at, "'%s' outside fragment shaders", e->builtin->name);
    for (struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        if (!wgsl_check(w, arg))
            return false;
    if (!e->args) // only barriers take none
        return check_barrier(w, e);
    return check_rule(w, e);
}
