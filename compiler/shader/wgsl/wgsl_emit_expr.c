// Expressions as GLSL. Everything is checked and concrete by now.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <stdio.h>
#include <string.h>

void wgsl_put(struct gv_bytes *out, const char *text)
{
    gv_bytes_put(out, text, strlen(text));
}

bool wgsl_check_size(struct wgsl *w, const struct gv_bytes *out, uint32_t at)
{
    if (out->failed)
        return wgsl_no_memory(w);
    return out->size <= GV_WGSL_MAX_BYTES ||
           wgsl_limit(w, at, "translation over %u bytes", GV_WGSL_MAX_BYTES);
}

// ---- types ----

static void put_texture_type(struct gv_bytes *out, const struct wgsl_type *t)
{
    static const char *const dimensions[] = { "2D", "3D", "Cube" };
    const char *prefix = t->element->kind == WGSL_I32   ? "i"
                         : t->element->kind == WGSL_U32 ? "u"
                                                        : "";
    gv_bytes_printf(out, "%stexture%s%s", prefix, dimensions[t->dimension],
                    t->arrayed ? "Array" : "");
}

static const char *letter(enum wgsl_kind kind)
{
    return kind == WGSL_BOOL  ? "b"
           : kind == WGSL_I32 ? "i"
           : kind == WGSL_U32 ? "u"
                              : "";
}

// The type without array dimensions.
static void put_element_type(struct gv_bytes *out, const struct wgsl_type *t)
{
    static const char *const names[] = {
        [WGSL_VOID] = "void",        [WGSL_BOOL] = "bool",
        [WGSL_ABSTRACT_INT] = "int", [WGSL_ABSTRACT_FLOAT] = "float",
        [WGSL_I32] = "int",          [WGSL_U32] = "uint",
        [WGSL_F32] = "float",
    };
    while (t->kind == WGSL_ARRAY || t->kind == WGSL_ATOMIC || t->kind == WGSL_POINTER)
        t = t->element;
    if (t->kind == WGSL_VECTOR)
        gv_bytes_printf(out, "%svec%u", letter(t->element->kind), t->rows);
    else if (t->kind == WGSL_MATRIX)
        gv_bytes_printf(out, "mat%ux%u", t->columns, t->rows);
    else if (t->kind == WGSL_STRUCT)
        wgsl_put(out, t->decl->glsl);
    else if (t->kind == WGSL_TEXTURE)
        put_texture_type(out, t);
    else if (t->kind == WGSL_SAMPLER)
        wgsl_put(out, t->comparison ? "samplerShadow" : "sampler");
    else
        wgsl_put(out, names[t->kind]);
}

static void put_dimensions(struct gv_bytes *out, const struct wgsl_type *t)
{
    for (; t->kind == WGSL_ARRAY || t->kind == WGSL_POINTER; t = t->element) {
        if (t->kind == WGSL_POINTER)
            continue;
        if (t->count)
            gv_bytes_printf(out, "[%u]", t->count);
        else
            wgsl_put(out, "[]");
    }
}

void wgsl_put_type(struct gv_bytes *out, const struct wgsl_type *t)
{
    put_element_type(out, t);
    put_dimensions(out, t);
}

void wgsl_put_declarator(struct gv_bytes *out, const struct wgsl_type *t,
                         const char *name)
{
    put_element_type(out, t);
    gv_bytes_printf(out, " %s", name);
    put_dimensions(out, t);
}

// ---- scalars and zeroes ----

static void put_float(struct gv_bytes *out, double f)
{
    char text[40];
    snprintf(text, sizeof text, "%.9g", f);
    wgsl_put(out, text);
    if (!strpbrk(text, ".e"))
        wgsl_put(out, ".0");
}

void wgsl_put_scalar(struct gv_bytes *out, const struct wgsl_value *v,
                     enum wgsl_kind kind)
{
    if (kind == WGSL_BOOL)
        wgsl_put(out, v->i ? "true" : "false");
    else if (wgsl_is_float(kind))
        put_float(out, v->f);
    else if (kind == WGSL_U32)
        gv_bytes_printf(out, "%lluu", (unsigned long long)v->i);
    else if (v->i == INT32_MIN) // GLSL reads a minus and a number that does not fit
        wgsl_put(out, "(-2147483647 - 1)");
    else
        gv_bytes_printf(out, "%lld", (long long)v->i);
}

// A constant of several scalars, from the first on. Returns the one behind.
static const struct wgsl_value *
put_parts(struct gv_bytes *out, const struct wgsl_type *t, const struct wgsl_value *v)
{
    if (wgsl_is_scalar(t)) {
        wgsl_put_scalar(out, v, t->kind);
        return v + 1;
    }
    bool matrix = t->kind == WGSL_MATRIX;
    uint32_t count = matrix                   ? t->columns * t->rows
                     : t->kind == WGSL_VECTOR ? t->rows
                                              : t->count;
    wgsl_put_type(out, t);
    wgsl_put(out, "(");
    for (uint32_t i = 0; i < count; i++) {
        wgsl_put(out, i ? ", " : "");
        v = put_parts(out, t->element, v);
    }
    wgsl_put(out, ")");
    return v;
}

static void put_zeroes(struct gv_bytes *out, const struct wgsl_type *t);

static void put_zero_members(struct gv_bytes *out, const struct wgsl_type *t)
{
    uint32_t count = t->kind == WGSL_ARRAY ? t->count : 0;
    wgsl_put_type(out, t);
    wgsl_put(out, "(");
    for (uint32_t i = 0; i < count; i++) {
        wgsl_put(out, i ? ", " : "");
        put_zeroes(out, t->element);
    }
    if (t->kind == WGSL_STRUCT)
        for (const struct wgsl_decl *m = t->decl->members; m; m = m->next) {
            put_zeroes(out, m->type);
            wgsl_put(out, m->next ? ", " : "");
        }
    wgsl_put(out, ")");
}

static void put_zeroes(struct gv_bytes *out, const struct wgsl_type *t)
{
    const struct wgsl_value zero = { 0 };
    if (t->kind == WGSL_ARRAY || t->kind == WGSL_STRUCT) {
        put_zero_members(out, t);
    } else if (wgsl_is_scalar(t)) {
        wgsl_put_scalar(out, &zero, t->kind);
    } else {
        wgsl_put_type(out, t);
        wgsl_put(out, "(");
        wgsl_put_scalar(out, &zero, t->element->kind);
        wgsl_put(out, ")");
    }
}

bool wgsl_put_zero(struct wgsl *w, struct gv_bytes *out, const struct wgsl_type *t,
                   uint32_t at)
{
    if (wgsl_scalars(t) > GV_WGSL_MAX_ZEROES)
        return wgsl_limit(w, at, "zero value of more than %d scalars",
                          GV_WGSL_MAX_ZEROES);
    put_zeroes(out, t);
    return wgsl_check_size(w, out, at);
}

// ---- operators ----

static bool takes_pointer(const struct wgsl_expr *e)
{
    if (e->type->kind == WGSL_POINTER)
        return true;
    for (const struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        if (takes_pointer(arg))
            return true;
    return false;
}

// Whether one of the expressions from `later` on may change what `e` reads.
static bool may_change(const struct wgsl_expr *e, const struct wgsl_expr *later)
{
    while (e->kind == WGSL_MEMBER || e->kind == WGSL_INDEX ||
           (e->kind == WGSL_UNARY && e->op == WGSL_INDIRECTION))
        e = e->args;
    bool pointer = e->type->kind == WGSL_POINTER;
    if (e->kind != WGSL_IDENTIFIER || !(pointer || (e->place && e->writable)))
        return false;
    bool local = !pointer && e->decl->space == WGSL_FUNCTION_SPACE;
    for (; later; later = later->next)
        if (later->computed && (!local || takes_pointer(later)))
            return true;
    return false;
}

// GLSL's functions read variables that are arguments when all arguments are computed.
bool wgsl_put_argument(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e,
                       const struct wgsl_expr *later)
{
    if (e->type->kind == WGSL_POINTER || !may_change(e, later))
        return wgsl_put_expression(w, out, e);
    if (e->type->kind > WGSL_MATRIX)
        return wgsl_unsupported(w, e->at, "argument that a later one may change");
    bool matrix = e->type->kind == WGSL_MATRIX; // a product is a value, no variable
    wgsl_put(out, matrix ? "(" : "gv_value(");
    if (!wgsl_put_expression(w, out, e))
        return false;
    wgsl_put(out, matrix ? " * 1.0)" : ")");
    return true;
}

static bool put_list(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *list)
{
    for (; list; list = list->next) {
        if (!wgsl_put_argument(w, out, list, list->next))
            return false;
        wgsl_put(out, list->next ? ", " : "");
    }
    return true;
}

// An operand, made as wide as the result where a function wants equal types.
static bool put_widened(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e,
                        const struct wgsl_type *t, const struct wgsl_expr *later)
{
    bool widen = t->kind == WGSL_VECTOR && !e->type->rows;
    if (widen) {
        wgsl_put_type(out, t);
        wgsl_put(out, "(");
    }
    if (!wgsl_put_argument(w, out, e, later))
        return false;
    wgsl_put(out, widen ? ")" : "");
    return true;
}

static bool put_function(struct wgsl *w, struct gv_bytes *out, const char *name,
                         const struct wgsl_expr *a, const struct wgsl_expr *b,
                         const struct wgsl_type *t)
{
    w->helpers |= !strncmp(name, "gv_", 3);
    gv_bytes_printf(out, "%s(", name);
    if (!put_widened(w, out, a, t, b))
        return false;
    wgsl_put(out, ", ");
    if (!put_widened(w, out, b, t, NULL))
        return false;
    wgsl_put(out, ")");
    return true;
}

static const char *vector_comparison(enum wgsl_op op)
{
    switch ((int)op) {
    case WGSL_EQUAL:
        return "equal";
    case WGSL_NOT_EQUAL:
        return "notEqual";
    case WGSL_LESS:
        return "lessThan";
    case WGSL_LESS_EQUAL:
        return "lessThanEqual";
    case WGSL_GREATER:
        return "greaterThan";
    case WGSL_GREATER_EQUAL:
        return "greaterThanEqual";
    }
    return NULL;
}

// A GLSL function for what GLSL's operator does not do, NULL: the operator does.
static const char *function_for(enum wgsl_op op, const struct wgsl_expr *a,
                                const struct wgsl_expr *b, enum wgsl_kind kind)
{
    // A divisor that is neither 0 nor -1 needs no care.
    bool harmless = b->value.known && b->value.i > 0;
    if (op == WGSL_DIVIDE && wgsl_is_integer(kind))
        return harmless ? NULL : "gv_div";
    if (op == WGSL_REMAINDER)
        return harmless && kind == WGSL_U32 ? NULL : "gv_rem";
    if (kind == WGSL_BOOL && (op == WGSL_AND || op == WGSL_OR))
        return op == WGSL_AND ? "gv_and" : "gv_or";
    return a->type->kind == WGSL_VECTOR ? vector_comparison(op) : NULL;
}

bool wgsl_put_binary(struct wgsl *w, struct gv_bytes *out, enum wgsl_op op,
                     const struct wgsl_expr *a, const struct wgsl_expr *b,
                     const struct wgsl_type *type)
{
    enum wgsl_kind kind = wgsl_base(a->type);
    const char *function = function_for(op, a, b, kind);
    bool shift = op == WGSL_LEFT_SHIFT || op == WGSL_RIGHT_SHIFT;
    bool mask = shift && !(b->value.known && b->value.i < 32);
    if (function)
        return put_function(w, out, function, a, b, type);
    wgsl_put(out, "(");
    if (!wgsl_put_expression(w, out, a))
        return false;
    gv_bytes_printf(out, " %s %s", wgsl_op_text(op), mask ? "(" : "");
    if (!wgsl_put_expression(w, out, b))
        return false;
    wgsl_put(out, mask ? " & 31u))" : ")");
    return true;
}

static bool put_unary(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    if (e->op == WGSL_ADDRESS_OF || e->op == WGSL_INDIRECTION)
        return wgsl_put_expression(w, out, e->args);
    bool function = e->op == WGSL_NOT && e->type->kind == WGSL_VECTOR;
    wgsl_put(out, function ? "not(" : "(");
    wgsl_put(out, function ? "" : wgsl_op_text(e->op));
    if (!wgsl_put_expression(w, out, e->args))
        return false;
    wgsl_put(out, ")");
    return true;
}

// ---- elements ----

// An index within bounds, as WGSL asks: robust buffer access covers buffers only.
static bool put_index(struct wgsl *w, struct gv_bytes *out,
                      const struct wgsl_expr *base, const struct wgsl_expr *index)
{
    const struct wgsl_type *t =
        base->type->kind == WGSL_POINTER ? base->type->element : base->type;
    uint32_t count = t->kind == WGSL_VECTOR   ? t->rows
                     : t->kind == WGSL_MATRIX ? t->columns
                                              : t->count;
    bool is_signed = index->type->kind == WGSL_I32;
    if (index->value.known)
        return wgsl_put_expression(w, out, index);
    wgsl_put(out, !count ? "min(uint(" : is_signed ? "clamp(" : "min(");
    if (!wgsl_put_expression(w, out, index))
        return false;
    if (!count) {
        wgsl_put(out, "), uint(");
        if (!wgsl_put_expression(w, out, base))
            return false;
        wgsl_put(out, ".length()) - 1u)");
    } else if (is_signed) {
        gv_bytes_printf(out, ", 0, %u)", count - 1);
    } else {
        gv_bytes_printf(out, ", %uu)", count - 1);
    }
    return true;
}

static bool put_element(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    if (!wgsl_put_expression(w, out, e->args))
        return false;
    wgsl_put(out, "[");
    if (!put_index(w, out, e->args, e->args->next))
        return false;
    wgsl_put(out, "]");
    return true;
}

static bool put_member(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    if (!wgsl_put_expression(w, out, e->args))
        return false;
    wgsl_put(out, ".");
    if (e->decl)
        wgsl_put(out, e->decl->glsl);
    for (uint32_t i = 0; i < e->swizzle_size; i++)
        gv_bytes_u8(out, (uint8_t) "xyzw"[e->swizzle[i]]);
    return true;
}

// ---- calls ----

static bool put_constructor(struct wgsl *w, struct gv_bytes *out,
                            const struct wgsl_expr *e)
{
    if (!e->args)
        return wgsl_put_zero(w, out, e->type, e->at);
    enum wgsl_kind from = wgsl_base(e->args->type), to = wgsl_base(e->type);
    bool convert = e->type->kind <= WGSL_VECTOR && !e->args->next && from == WGSL_F32 &&
                   (to == WGSL_I32 || to == WGSL_U32);
    if (convert) {
        w->helpers = true;
        wgsl_put(out, to == WGSL_I32 ? "gv_to_int" : "gv_to_uint");
    } else {
        wgsl_put_type(out, e->type);
    }
    wgsl_put(out, "(");
    if (!put_list(w, out, e->args))
        return false;
    wgsl_put(out, ")");
    return true;
}

static bool put_call(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    if (e->builtin)
        return e->builtin->rule == WGSL_RULE_TEXTURE ? wgsl_put_texture(w, out, e)
                                                     : wgsl_put_builtin(w, out, e);
    if (!e->decl)
        return put_constructor(w, out, e);
    w->helpers = true;
    gv_bytes_printf(out, "%s(", e->decl->glsl);
    if (!put_list(w, out, e->args))
        return false;
    wgsl_put(out, ")");
    return true;
}

bool wgsl_put_expression(struct wgsl *w, struct gv_bytes *out,
                         const struct wgsl_expr *e)
{
    if (!wgsl_check_size(w, out, e->at))
        return false;
    if (e->value.known && wgsl_is_scalar(e->type)) {
        wgsl_put_scalar(out, &e->value, e->type->kind);
        return true;
    }
    if (e->parts && e->kind != WGSL_IDENTIFIER) {
        put_parts(out, e->type, e->parts);
        return wgsl_check_size(w, out, e->at);
    }
    switch (e->kind) {
    case WGSL_LITERAL:
        break;
    case WGSL_IDENTIFIER:
        wgsl_put(out, e->decl->glsl);
        break;
    case WGSL_UNARY:
        return put_unary(w, out, e);
    case WGSL_BINARY:
        return wgsl_put_binary(w, out, e->op, e->args, e->args->next, e->type);
    case WGSL_INDEX:
        return put_element(w, out, e);
    case WGSL_MEMBER:
        return put_member(w, out, e);
    case WGSL_CALL:
        return put_call(w, out, e);
    }
    return true;
}
