// Variables, assignments and calls as GLSL: statements that contain no others.
#include "compiler/shader/wgsl/wgsl_internal.h"

// ---- variables ----

bool wgsl_is_constant(const struct wgsl_expr *e)
{
    if (e->kind == WGSL_IDENTIFIER)
        return e->decl && e->decl->kind == WGSL_DECL_CONST;
    if (e->kind == WGSL_CALL && e->decl)
        return false;
    if (e->builtin && e->builtin->rule >= WGSL_RULE_TEXTURE)
        return false;
    for (const struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        if (!wgsl_is_constant(arg))
            return false;
    return true;
}

// Types that a variable may have.
static bool check_variable(struct wgsl *w, const struct wgsl_decl *d)
{
    const struct wgsl_type *t = d->type;
    if (t->kind == WGSL_POINTER)
        return wgsl_unsupported(w, d->at, "pointer variable");
    if (wgsl_is_opaque(t))
        return wgsl_unsupported(w, d->at, "texture or sampler variable");
    if (t->kind == WGSL_VOID || wgsl_runtime_sized(t) || wgsl_has_atomics(t))
        return wgsl_fail(w, d->at, "'%.60s' cannot hold that", d->name->name);
    if (wgsl_scalars(t) > GV_WGSL_MAX_SCALARS)
        return wgsl_limit(w, d->at, "variable of more than %d scalars",
                          GV_WGSL_MAX_SCALARS);
    return true;
}

bool wgsl_declare(struct wgsl *w, struct wgsl_decl *d)
{
    const struct wgsl_type *t = NULL;
    if (d->type_expr && !(t = wgsl_resolve_type(w, d->type_expr)))
        return false;
    if (d->init && !(d->kind == WGSL_DECL_CONST && !t ? wgsl_check(w, d->init)
                                                      : wgsl_check_as(w, d->init, t)))
        return false;
    if (d->init && d->kind == WGSL_DECL_CONST && !wgsl_is_constant(d->init))
        return wgsl_fail(w, d->init->at, "'%.60s' is not constant", d->name->name);
    if (!t && !d->init)
        return wgsl_fail(w, d->at, "'%.60s' has no value", d->name->name);
    d->type = t ? t : d->init->type;
    if (d->init && d->kind == WGSL_DECL_CONST)
        d->value = d->init->value;
    return check_variable(w, d);
}

static bool put_value(struct wgsl *w, struct gv_bytes *out, const struct wgsl_decl *d)
{
    bool composite = d->type->kind == WGSL_ARRAY || d->type->kind == WGSL_STRUCT;
    if (d->init)
        return wgsl_put_expression(w, out, d->init);
    if (!composite)
        return wgsl_put_zero(w, out, d->type, d->at);
    wgsl_put(out, "{}");
    return true;
}

// `T name = value;`, `const` where GLSL can take the value as one.
bool wgsl_put_variable(struct wgsl *w, struct gv_bytes *out, const struct wgsl_decl *d)
{
    struct gv_bytes value = { 0 };
    bool before = w->helpers;
    w->helpers = false;
    bool ok = put_value(w, &value, d) && wgsl_check_size(w, &value, d->at);
    if (ok) {
        wgsl_put(out, d->kind == WGSL_DECL_CONST && !w->helpers ? "const " : "");
        wgsl_put_declarator(out, d->type, d->glsl);
        wgsl_put(out, " = ");
        gv_bytes_put(out, value.data, value.size);
        wgsl_put(out, ";\n");
    }
    w->helpers |= before;
    gv_bytes_finish(&value);
    return ok;
}

// ---- assignments and calls ----

static bool check_place(struct wgsl *w, const struct wgsl_expr *e)
{
    if (!e->place || !e->writable)
        return wgsl_fail(w, e->at, "this cannot be assigned to");
    if (wgsl_runtime_sized(e->type) || wgsl_has_atomics(e->type) ||
        e->type->kind == WGSL_POINTER)
        return wgsl_fail(w, e->at, "this cannot be assigned as a whole");
    return true;
}

static bool put_compound(struct wgsl *w, struct gv_bytes *out,
                         const struct wgsl_stmt *s)
{
    struct wgsl_expr left = *s->a,
                     e = { .kind = WGSL_BINARY, .op = s->op, .at = s->at };
    left.next = s->b;
    e.args = &left;
    if (!wgsl_check(w, &e))
        return false;
    if (!wgsl_same(e.type, s->a->type))
        return wgsl_fail(w, s->at, "'%s=' changes the type", wgsl_op_text(s->op));
    // GLSL computes the right side of `+=` before it reads the left one.
    bool plain =
        (s->op == WGSL_ADD || s->op == WGSL_SUBTRACT || s->op == WGSL_MULTIPLY) &&
        !s->b->computed;
    if (!plain && s->a->computed)
        return wgsl_unsupported(w, s->at, "'%s=' of a place that a function computes",
                                wgsl_op_text(s->op));
    if (!wgsl_put_expression(w, out, s->a))
        return false;
    gv_bytes_printf(out, " %s= ", plain ? wgsl_op_text(s->op) : "");
    return plain ? wgsl_put_expression(w, out, s->b)
                 : wgsl_put_binary(w, out, s->op, &left, s->b, e.type);
}

static bool put_set(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s)
{
    if (!wgsl_check(w, s->a) || !check_place(w, s->a))
        return false;
    if (s->op != WGSL_END)
        return put_compound(w, out, s);
    if (!wgsl_check_as(w, s->b, s->a->type) || !wgsl_put_expression(w, out, s->a))
        return false;
    wgsl_put(out, " = ");
    return wgsl_put_expression(w, out, s->b);
}

static bool put_ignored(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s)
{
    if (!wgsl_check_as(w, s->b, NULL))
        return false;
    const struct wgsl_type *t = s->b->type;
    if (t->kind == WGSL_VOID)
        return wgsl_fail(w, s->b->at, "there is no value");
    bool value = t->kind != WGSL_POINTER && !wgsl_is_opaque(t) &&
                 !wgsl_runtime_sized(t) && s->b->computed;
    return !value || wgsl_put_expression(w, out, s->b);
}

static bool put_call(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s)
{
    if (!wgsl_check(w, s->a))
        return false;
    if (!s->a->builtin && !s->a->decl)
        return wgsl_fail(w, s->a->at, "a value that nobody uses");
    return wgsl_put_expression(w, out, s->a);
}

// What may stand in the header of a `for`, without the semicolon.
bool wgsl_put_simple(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s)
{
    return s->kind == WGSL_SET      ? put_set(w, out, s)
           : s->kind == WGSL_IGNORE ? put_ignored(w, out, s)
                                    : put_call(w, out, s);
}
