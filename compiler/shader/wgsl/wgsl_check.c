// Types of expressions, and constants folded on the way. What is abstract is known: its
// value is computed as it is, and converted where a concrete type is wanted.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <string.h>

uint32_t wgsl_count(const struct wgsl_expr *list)
{
    uint32_t n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

struct wgsl_expr *wgsl_arg(const struct wgsl_expr *e, uint32_t i)
{
    struct wgsl_expr *arg = e->args;
    while (arg && i--)
        arg = arg->next;
    return arg;
}

static bool mismatch(struct wgsl *w, const struct wgsl_expr *e,
                     const struct wgsl_type *wanted)
{
    char found[64], want[64];
    return wgsl_fail(w, e->at, "%s where %s is expected",
                     wgsl_type_text(e->type, found, sizeof found),
                     wgsl_type_text(wanted, want, sizeof want));
}

bool wgsl_deepen(struct wgsl *w, uint32_t at)
{
    if (++w->depth > GV_WGSL_MAX_RECURSION)
        return wgsl_limit(w, at, "declarations and expressions nest too deep");
    return true;
}

// ---- abstract to concrete ----

bool wgsl_coerce(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_type *t)
{
    if (wgsl_same(e->type, t))
        return true;
    enum wgsl_kind from = wgsl_base(e->type), to = wgsl_base(t);
    if (from == WGSL_VOID || to == WGSL_VOID || !wgsl_can_become(from, to))
        return mismatch(w, e, t);
    const struct wgsl_type *reshaped = wgsl_reshape(w, e->type, to);
    if (!reshaped)
        return false;
    if (!wgsl_same(reshaped, t))
        return mismatch(w, e, t);
    struct wgsl_value v = e->value;
    if (!wgsl_known(e))
        return wgsl_unsupported(w, e->at, "number of no type that is not computed");
    if (e->parts ? !wgsl_fold_parts(w, e, e, to, true)
                 : !wgsl_fold_convert(w, e, &v, from, to, true))
        return false;
    e->kind = WGSL_LITERAL; // only its value is left
    e->args = NULL;
    e->type = reshaped;
    return true;
}

bool wgsl_concrete(struct wgsl *w, struct wgsl_expr *e)
{
    if (!wgsl_is_abstract(e->type))
        return true;
    enum wgsl_kind kind = wgsl_base(e->type) == WGSL_ABSTRACT_INT ? WGSL_I32 : WGSL_F32;
    const struct wgsl_type *t = wgsl_reshape(w, e->type, kind);
    return t && wgsl_coerce(w, e, t);
}

bool wgsl_check_as(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_type *t)
{
    return wgsl_check(w, e) && (t ? wgsl_coerce(w, e, t) : wgsl_concrete(w, e));
}

// ---- names, members, elements ----

static bool check_identifier(struct wgsl *w, struct wgsl_expr *e)
{
    struct wgsl_decl *d = wgsl_lookup(w, e->name);
    if (!d)
        return wgsl_fail(w, e->at, "'%.60s' is not declared", e->name->name);
    bool value = d->kind == WGSL_DECL_CONST || d->kind == WGSL_DECL_VAR ||
                 d->kind == WGSL_DECL_LET || d->kind == WGSL_DECL_PARAMETER;
    if (!value || e->templated)
        return wgsl_fail(w, e->at, "'%.60s' is no value", e->name->name);
    if (!wgsl_resolve_decl(w, d))
        return false;
    e->decl = d;
    e->type = d->type;
    e->value = d->value;
    e->parts = d->kind == WGSL_DECL_CONST ? d->init->parts : NULL;
    e->place = d->kind == WGSL_DECL_VAR && d->space != WGSL_HANDLE_SPACE;
    e->writable = d->writable;
    return true;
}

// A pointer's members are those of what it points to.
static const struct wgsl_type *base_type(const struct wgsl_expr *e)
{
    return e->type->kind == WGSL_POINTER ? e->type->element : e->type;
}

static void inherit(struct wgsl_expr *e)
{
    bool pointer = e->args->type->kind == WGSL_POINTER;
    e->place = pointer || e->args->place;
    e->writable = pointer || e->args->writable;
}

static bool check_swizzle(struct wgsl *w, struct wgsl_expr *e,
                          const struct wgsl_type *base)
{
    const char *letters = e->name->name;
    const char *set = strchr("rgba", letters[0]) ? "rgba" : "xyzw";
    if (e->name->size > 4)
        return wgsl_fail(w, e->at, "unknown components '%.20s'", letters);
    for (uint32_t i = 0; i < e->name->size; i++) {
        const char *found = strchr(set, letters[i]);
        if (!found || found - set >= base->rows)
            return wgsl_fail(w, e->at, "unknown components '%.20s'", letters);
        e->swizzle[i] = (uint8_t)(found - set);
    }
    e->swizzle_size = (uint8_t)e->name->size;
    e->type = base->element;
    if (e->swizzle_size > 1) {
        e->type = wgsl_vector(base->element->kind, e->swizzle_size);
        e->place = false;
    }
    return wgsl_fold_swizzle(w, e);
}

static bool check_member(struct wgsl *w, struct wgsl_expr *e)
{
    if (!wgsl_check(w, e->args))
        return false;
    const struct wgsl_type *base = base_type(e->args);
    inherit(e);
    if (base->kind == WGSL_VECTOR)
        return check_swizzle(w, e, base);
    if (base->kind != WGSL_STRUCT)
        return wgsl_fail(w, e->at, "members of what has none");
    for (struct wgsl_decl *m = base->decl->members; m; m = m->next)
        if (m->name == e->name) {
            e->decl = m;
            e->type = m->type;
            return true;
        }
    return wgsl_fail(w, e->at, "no member '%.60s'", e->name->name);
}

static bool check_index(struct wgsl *w, struct wgsl_expr *e)
{
    struct wgsl_expr *index = e->args->next;
    if (!wgsl_check(w, e->args) || !wgsl_check_as(w, index, NULL))
        return false;
    if (!wgsl_is_scalar(index->type) || !wgsl_is_integer(index->type->kind))
        return wgsl_fail(w, index->at, "an index is an integer");
    if (!index->value.known && !wgsl_concrete(w, e->args))
        return false;
    const struct wgsl_type *base = base_type(e->args);
    uint32_t count = base->kind == WGSL_VECTOR   ? base->rows
                     : base->kind == WGSL_MATRIX ? base->columns
                                                 : base->count;
    if (base->kind < WGSL_VECTOR || base->kind > WGSL_ARRAY)
        return wgsl_fail(w, e->at, "elements of what has none");
    if (index->value.known &&
        (index->value.i < 0 || (count && index->value.i >= count)))
        return wgsl_fail(w, index->at, "index %lld of %u elements",
                         (long long)index->value.i, count);
    inherit(e);
    e->type = base->kind == WGSL_MATRIX ? wgsl_vector(base->element->kind, base->rows)
                                        : base->element;
    wgsl_fold_index(e);
    return true;
}

// ---- operators ----

static bool check_address(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_expr *of = e->args;
    if (!of->place)
        return wgsl_fail(w, e->at, "'&' of what is not in memory");
    bool part = of->kind == WGSL_INDEX || of->kind == WGSL_MEMBER;
    if (part && base_type(of->args)->kind == WGSL_VECTOR)
        return wgsl_fail(w, e->at, "'&' of a vector's component");
    e->writable = of->writable;
    e->type = wgsl_type_new(w, WGSL_POINTER, of->type);
    return e->type != NULL;
}

static bool check_unary(struct wgsl *w, struct wgsl_expr *e)
{
    if (!wgsl_check(w, e->args))
        return false;
    const struct wgsl_type *t = e->args->type;
    enum wgsl_kind base = t->kind <= WGSL_VECTOR ? wgsl_base(t) : WGSL_VOID;
    bool fits = false;
    e->type = t;
    switch ((int)e->op) {
    case WGSL_ADDRESS_OF:
        return check_address(w, e);
    case WGSL_INDIRECTION:
        fits = t->kind == WGSL_POINTER;
        e->type = fits ? t->element : t;
        e->place = true;
        e->writable = e->args->kind != WGSL_UNARY || e->args->writable;
        break;
    case WGSL_NEGATE:
        fits = base > WGSL_BOOL && base != WGSL_U32;
        break;
    case WGSL_NOT:
        fits = base == WGSL_BOOL;
        break;
    case WGSL_COMPLEMENT:
        fits = wgsl_is_integer(base);
        break;
    }
    if (!fits)
        return wgsl_fail(w, e->at, "'%s' of what cannot have it", wgsl_op_text(e->op));
    return wgsl_fold_operator(w, e);
}

bool wgsl_is_comparison(enum wgsl_op op)
{
    return op == WGSL_EQUAL || op == WGSL_NOT_EQUAL || op == WGSL_LESS ||
           op == WGSL_LESS_EQUAL || op == WGSL_GREATER || op == WGSL_GREATER_EQUAL;
}

static bool is_shift(enum wgsl_op op)
{
    return op == WGSL_LEFT_SHIFT || op == WGSL_RIGHT_SHIFT;
}

// Shapes of operands have to be the same, but for arithmetic with scalars and products
// of matrices.
static const struct wgsl_type *product(const struct wgsl_type *a,
                                       const struct wgsl_type *b, enum wgsl_kind kind)
{
    bool ma = a->kind == WGSL_MATRIX, mb = b->kind == WGSL_MATRIX;
    if (ma && mb)
        return a->columns == b->rows ? wgsl_matrix(kind, b->columns, a->rows) : NULL;
    if (ma && b->kind == WGSL_VECTOR)
        return a->columns == b->rows ? wgsl_vector(kind, a->rows) : NULL;
    if (mb && a->kind == WGSL_VECTOR)
        return a->rows == b->rows ? wgsl_vector(kind, b->columns) : NULL;
    if ((ma && wgsl_is_scalar(b)) || (mb && wgsl_is_scalar(a)))
        return ma ? wgsl_matrix(kind, a->columns, a->rows)
                  : wgsl_matrix(kind, b->columns, b->rows);
    return NULL;
}

static const struct wgsl_type *arithmetic(enum wgsl_op op, const struct wgsl_type *a,
                                          const struct wgsl_type *b,
                                          enum wgsl_kind kind)
{
    bool va = a->kind == WGSL_VECTOR, vb = b->kind == WGSL_VECTOR;
    if (a->kind == WGSL_MATRIX || b->kind == WGSL_MATRIX) {
        if (!wgsl_is_float(kind))
            return NULL;
        if (op == WGSL_MULTIPLY)
            return product(a, b, kind);
        bool sum = (op == WGSL_ADD || op == WGSL_SUBTRACT) && a->kind == b->kind &&
                   a->rows == b->rows && a->columns == b->columns;
        return sum ? wgsl_matrix(kind, a->columns, a->rows) : NULL;
    }
    if (va && vb && a->rows != b->rows)
        return NULL;
    return va || vb ? wgsl_vector(kind, va ? a->rows : b->rows) : wgsl_scalar(kind);
}

// The type of `a op b`, both of the scalar `kind`; NULL where there is no such
// operator.
static const struct wgsl_type *result_type(enum wgsl_op op, const struct wgsl_type *a,
                                           const struct wgsl_type *b,
                                           enum wgsl_kind kind)
{
    bool same_shape =
        a->kind <= WGSL_VECTOR && b->kind <= WGSL_VECTOR && a->rows == b->rows;
    if (op == WGSL_LOGICAL_AND || op == WGSL_LOGICAL_OR)
        return kind == WGSL_BOOL && same_shape && !a->rows ? a : NULL;
    if (wgsl_is_comparison(op)) {
        bool ordered = op != WGSL_EQUAL && op != WGSL_NOT_EQUAL;
        if (!same_shape || (ordered && kind == WGSL_BOOL))
            return NULL;
        return a->rows ? wgsl_vector(WGSL_BOOL, a->rows) : wgsl_scalar(WGSL_BOOL);
    }
    if (op == WGSL_AND || op == WGSL_OR || op == WGSL_XOR) {
        bool fits = wgsl_is_integer(kind) || (kind == WGSL_BOOL && op != WGSL_XOR);
        if (!same_shape || !fits)
            return NULL;
        return a->rows ? wgsl_vector(kind, a->rows) : wgsl_scalar(kind);
    }
    return kind == WGSL_BOOL ? NULL : arithmetic(op, a, b, kind);
}

static bool no_operator(struct wgsl *w, const struct wgsl_expr *e)
{
    char a[64], b[64];
    return wgsl_fail(w, e->at, "'%s' of %s and %s", wgsl_op_text(e->op),
                     wgsl_type_text(e->args->type, a, sizeof a),
                     wgsl_type_text(e->args->next->type, b, sizeof b));
}

// `a << b`: b is u32; an abstract `a` becomes i32 unless all is known.
static bool check_shift(struct wgsl *w, struct wgsl_expr *e)
{
    struct wgsl_expr *a = e->args, *b = a->next;
    bool fits = a->type->kind <= WGSL_VECTOR && b->type->kind <= WGSL_VECTOR &&
                a->type->rows == b->type->rows && wgsl_is_integer(wgsl_base(a->type)) &&
                wgsl_can_become(wgsl_base(b->type), WGSL_U32);
    if (!fits)
        return no_operator(w, e);
    if (!wgsl_coerce(w, b, wgsl_reshape(w, b->type, WGSL_U32)))
        return false;
    if (!(wgsl_known(a) && wgsl_known(b)) && !wgsl_concrete(w, a))
        return false;
    e->type = a->type;
    return wgsl_fold_operator(w, e);
}

// The right side of && and || may have no value where it is not wanted.
static bool check_second(struct wgsl *w, enum wgsl_op op, const struct wgsl_expr *a,
                         struct wgsl_expr *b)
{
    bool logical = op == WGSL_LOGICAL_AND || op == WGSL_LOGICAL_OR;
    bool skipped = logical && a->value.known && !!a->value.i == (op == WGSL_LOGICAL_OR);
    w->skipped += skipped;
    bool ok = wgsl_check(w, b);
    w->skipped -= skipped;
    return ok;
}

static bool check_binary(struct wgsl *w, struct wgsl_expr *e)
{
    struct wgsl_expr *a = e->args, *b = a->next;
    enum wgsl_kind kind;
    if (!wgsl_check(w, a) || !check_second(w, e->op, a, b))
        return false;
    if (is_shift(e->op))
        return check_shift(w, e);
    enum wgsl_kind ka = a->type->kind <= WGSL_MATRIX ? wgsl_base(a->type) : WGSL_VOID;
    enum wgsl_kind kb = b->type->kind <= WGSL_MATRIX ? wgsl_base(b->type) : WGSL_VOID;
    if (ka == WGSL_VOID || kb == WGSL_VOID || !wgsl_unify(ka, kb, &kind))
        return no_operator(w, e);
    // Abstract matrices are left to the shader; only floats can be in them.
    bool matrix = a->type->kind == WGSL_MATRIX || b->type->kind == WGSL_MATRIX;
    if (matrix && kind != WGSL_BOOL)
        kind = WGSL_F32;
    e->type = result_type(e->op, a->type, b->type, kind);
    if (!e->type)
        return no_operator(w, e);
    bool abstract = kind == WGSL_ABSTRACT_INT || kind == WGSL_ABSTRACT_FLOAT;
    if (!abstract && (!wgsl_coerce(w, a, wgsl_reshape(w, a->type, kind)) ||
                      !wgsl_coerce(w, b, wgsl_reshape(w, b->type, kind))))
        return false;
    return wgsl_fold_operator(w, e);
}

static bool check_kind(struct wgsl *w, struct wgsl_expr *e)
{
    switch (e->kind) {
    case WGSL_LITERAL:
        return true;
    case WGSL_IDENTIFIER:
        return check_identifier(w, e);
    case WGSL_UNARY:
        return check_unary(w, e);
    case WGSL_BINARY:
        return check_binary(w, e);
    case WGSL_INDEX:
        return check_index(w, e);
    case WGSL_MEMBER:
        return check_member(w, e);
    case WGSL_CALL:
        return wgsl_check_call(w, e);
    }
    return false;
}

bool wgsl_check(struct wgsl *w, struct wgsl_expr *e)
{
    if (e->type)
        return true;
    bool ok = wgsl_deepen(w, e->at) && check_kind(w, e);
    w->depth--;
    if (!ok)
        return false;
    for (const struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        e->computed |= arg->computed;
    return true;
}
