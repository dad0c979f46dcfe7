// Calls of built-in functions as GLSL.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <string.h>

// `name(a, b, ...)`
static bool put_plain(struct wgsl *w, struct gv_bytes *out, const char *name,
                      const struct wgsl_expr *args)
{
    w->helpers |= !strncmp(name, "gv_", 3);
    gv_bytes_printf(out, "%s(", name);
    for (; args; args = args->next) {
        if (!wgsl_put_argument(w, out, args, args->next))
            return false;
        wgsl_put(out, args->next ? ", " : "");
    }
    wgsl_put(out, ")");
    return true;
}

// Wrapped into the result's type, where GLSL's function has another.
static bool put_converted(struct wgsl *w, struct gv_bytes *out,
                          const struct wgsl_expr *e)
{
    wgsl_put_type(out, e->type);
    wgsl_put(out, "(");
    if (!put_plain(w, out, e->builtin->glsl, e->args))
        return false;
    wgsl_put(out, ")");
    return true;
}

// select(f, t, c): GLSL's mix by bool, with c as wide as the values.
static bool put_select(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    const struct wgsl_expr *condition = wgsl_arg(e, 2);
    bool widen = e->type->rows && !condition->type->rows;
    wgsl_put(out, "mix(");
    for (const struct wgsl_expr *arg = e->args; arg != condition; arg = arg->next) {
        if (!wgsl_put_expression(w, out, arg))
            return false;
        wgsl_put(out, ", ");
    }
    if (widen)
        gv_bytes_printf(out, "bvec%u(", e->type->rows);
    if (!wgsl_put_expression(w, out, condition))
        return false;
    wgsl_put(out, widen ? "))" : ")");
    return true;
}

static bool put_bitcast(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    enum wgsl_kind from = wgsl_base(e->args->type), to = wgsl_base(e->type);
    if (from == WGSL_F32 && to != WGSL_F32)
        return put_plain(w, out, to == WGSL_I32 ? "floatBitsToInt" : "floatBitsToUint",
                         e->args);
    if (from != WGSL_F32 && to == WGSL_F32)
        return put_plain(
            w, out, from == WGSL_I32 ? "intBitsToFloat" : "uintBitsToFloat", e->args);
    wgsl_put_type(out, e->type);
    return put_plain(w, out, "", e->args);
}

// all() and any() of a single bool are the bool.
static bool put_all(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    return put_plain(w, out, e->args->type->rows ? e->builtin->glsl : "", e->args);
}

static bool put_length(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    wgsl_put(out, "uint(");
    if (!wgsl_put_expression(w, out, e->args))
        return false;
    wgsl_put(out, ".length())");
    return true;
}

static bool put_atomic(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    bool is_signed = e->args->type->element->element->kind == WGSL_I32;
    const struct wgsl_expr *value = e->args->next;
    gv_bytes_printf(out, "%s(", e->builtin->glsl);
    if (!wgsl_put_expression(w, out, e->args))
        return false;
    wgsl_put(out, wgsl_is(e->name, "atomicSub") ? ", -" : ", ");
    if (!value) // atomicLoad: or with nothing
        wgsl_put(out, is_signed ? "0" : "0u");
    else if (wgsl_put(out, "("), !wgsl_put_expression(w, out, value))
        return false;
    wgsl_put(out, value ? "))" : ")");
    return true;
}

bool wgsl_put_builtin(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    const char *name = e->builtin->name;
    enum wgsl_kind kind = wgsl_base(e->type);
    if (e->builtin->rule == WGSL_RULE_ATOMIC)
        return put_atomic(w, out, e);
    if (!strcmp(name, "select"))
        return put_select(w, out, e);
    if (!strcmp(name, "bitcast"))
        return put_bitcast(w, out, e);
    if (!strcmp(name, "all") || !strcmp(name, "any"))
        return put_all(w, out, e);
    if (!strcmp(name, "arrayLength"))
        return put_length(w, out, e);
    if (!strcmp(name, "dot") && kind != WGSL_F32)
        return put_plain(w, out, "gv_dot", e->args);
    if (!strcmp(name, "abs") && kind == WGSL_U32)
        return put_plain(w, out, "", e->args);
    if (e->builtin->rule == WGSL_RULE_INTEGER && kind == WGSL_U32)
        return put_converted(w, out, e);
    return put_plain(w, out, e->builtin->glsl, e->args);
}

// ---- the functions behind them ----

static const struct helper {
    const char *name, *types, *body;
} helpers[] = {
#define WGSL_HELPER(name, types, body) { name, types, body },
#include "compiler/shader/wgsl/wgsl_helpers.def"
#undef WGSL_HELPER
};

static void put_helper_type(struct gv_bytes *out, char type, unsigned rows)
{
    static const char *const scalars[] = { "float", "int", "uint", "bool" };
    static const char *const vectors[] = { "vec", "ivec", "uvec", "bvec" };
    size_t i = type == 'f' ? 0 : type == 'i' ? 1 : type == 'b' ? 3 : 2;
    if (rows == 1 || type == 'U')
        wgsl_put(out, scalars[i]);
    else
        gv_bytes_printf(out, "%s%u", vectors[i], rows);
}

// The scalar function, or the vector one that calls it for each component.
static void put_overload(struct gv_bytes *out, const struct helper *h, unsigned rows)
{
    put_helper_type(out, h->types[0], rows);
    gv_bytes_printf(out, " %s(", h->name);
    for (size_t i = 1; h->types[i]; i++) {
        wgsl_put(out, i > 1 ? ", " : "");
        put_helper_type(out, h->types[i], rows);
        gv_bytes_printf(out, " %c", (int)('a' + i - 1));
    }
    if (rows == 1) {
        gv_bytes_printf(out, ") { %s }\n", h->body);
        return;
    }
    wgsl_put(out, ") { return ");
    put_helper_type(out, h->types[0], rows);
    for (unsigned row = 0; row < rows; row++) {
        gv_bytes_printf(out, "%s%s(", row ? ", " : "(", h->name);
        for (size_t i = 1; h->types[i]; i++) {
            gv_bytes_printf(out, "%s%c", i > 1 ? ", " : "", (int)('a' + i - 1));
            if (h->types[i] != 'U')
                gv_bytes_printf(out, ".%c", "xyzw"[row]);
        }
        wgsl_put(out, ")");
    }
    wgsl_put(out, "); }\n");
}

static bool calls(const struct gv_bytes *text, const char *name)
{
    size_t n = strlen(name);
    const uint8_t *p = text->data;
    for (size_t i = 0; i + n < text->size; i++)
        if (p[i] == (uint8_t)name[0] && !memcmp(p + i, name, n) && p[i + n] == '(')
            return true;
    return false;
}

void wgsl_put_helpers(struct wgsl *w, struct gv_bytes *out)
{
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        const struct helper *h = &helpers[i];
        if (!calls(&w->variables, h->name) && !calls(&w->functions, h->name))
            continue;
        if (!h->types)
            wgsl_put(out, h->body);
        for (unsigned rows = 1; h->types && rows <= 4; rows++)
            put_overload(out, h, rows);
    }
}
