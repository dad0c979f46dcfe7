// Functions and statements as GLSL. Expressions are checked as they come.
#include "compiler/shader/wgsl/wgsl_internal.h"

// What a statement stands in.
struct context {
    bool loop, breakable;
    bool continuing;        // not of a block within
    bool no_return;         // anywhere in a continuing block
    struct gv_bytes *hoist; // declarations of this block go there, NULL: they stay
};

// `scope` is where the names of the block begin: none of it may be declared twice.
static bool put_statements(struct wgsl *w, struct gv_bytes *out,
                           const struct wgsl_stmt *s, const struct context *c,
                           struct wgsl_decl *scope);

static void indent(const struct wgsl *w, struct gv_bytes *out)
{
    for (uint32_t i = 0; i < w->indent; i++)
        wgsl_put(out, "    ");
}

static void line(const struct wgsl *w, struct gv_bytes *out, const char *text)
{
    indent(w, out);
    wgsl_put(out, text);
    wgsl_put(out, "\n");
}

// Statements of a block that is no block of GLSL yet, indented by one.
static bool put_inner(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s,
                      const struct context *c)
{
    struct wgsl_decl *outer = w->locals;
    w->indent++;
    bool ok = put_statements(w, out, s, c, outer);
    w->indent--;
    wgsl_close_names(w, outer);
    return ok;
}

static bool put_block(struct wgsl *w, struct gv_bytes *out,
                      const struct wgsl_stmt *block, const struct context *c)
{
    struct context inner = *c;
    inner.hoist = NULL;
    inner.continuing = false;
    line(w, out, "{");
    if (!put_inner(w, out, block->body, &inner))
        return false;
    line(w, out, "}");
    return true;
}

// ---- declarations ----

// The declaration goes before the loop, the value stays where it was.
static bool put_hoisted(struct wgsl *w, struct gv_bytes *out, const struct wgsl_decl *d,
                        struct gv_bytes *hoist)
{
    w->indent--;
    indent(w, hoist);
    w->indent++;
    wgsl_put_declarator(hoist, d->type, d->glsl);
    wgsl_put(hoist, ";\n");
    indent(w, out);
    gv_bytes_printf(out, "%s = ", d->glsl);
    if (d->init ? !wgsl_put_expression(w, out, d->init)
                : !wgsl_put_zero(w, out, d->type, d->at))
        return false;
    wgsl_put(out, ";\n");
    return true;
}

static bool put_declaration(struct wgsl *w, struct gv_bytes *out, struct wgsl_decl *d,
                            const struct context *c, struct wgsl_decl *scope)
{
    if (d->kind == WGSL_DECL_VAR && d->space != WGSL_FUNCTION_SPACE)
        return wgsl_fail(w, d->at, "such a variable belongs to the module");
    if (wgsl_redeclared(w, d, scope) || !wgsl_declare(w, d))
        return false;
    d->glsl = wgsl_pick_name(w, d->name, d->name->local || d->name->global);
    if (!d->glsl)
        return false;
    bool constant = d->kind == WGSL_DECL_CONST;
    bool silent = constant && (wgsl_is_abstract(d->type) || d->value.known);
    if (!silent && c->hoist && !put_hoisted(w, out, d, c->hoist))
        return false;
    if (!silent && !c->hoist) {
        indent(w, out);
        if (!wgsl_put_variable(w, out, d))
            return false;
    }
    wgsl_open_name(w, d);
    return true;
}

// ---- branches ----

static bool put_condition(struct wgsl *w, struct gv_bytes *out, struct wgsl_expr *e)
{
    return wgsl_check_as(w, e, wgsl_scalar(WGSL_BOOL)) &&
           wgsl_put_expression(w, out, e);
}

static bool put_if(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s,
                   const struct context *c)
{
    uint32_t arms = 0;
    for (; s && s->kind == WGSL_IF; s = s->other) {
        if (++arms > GV_WGSL_MAX_DEPTH)
            return wgsl_limit(w, s->at, "more than %d branches", GV_WGSL_MAX_DEPTH);
        indent(w, out);
        wgsl_put(out, arms > 1 ? "else if (" : "if (");
        if (!put_condition(w, out, s->a))
            return false;
        wgsl_put(out, ")\n");
        if (!put_block(w, out, s->body, c))
            return false;
    }
    if (!s)
        return true;
    line(w, out, "else");
    return put_block(w, out, s, c);
}

static void put_selectors(const struct wgsl *w, struct gv_bytes *out,
                          const struct wgsl_stmt *s, const struct wgsl_type *t)
{
    for (const struct wgsl_expr *e = s->a; e; e = e->next) {
        indent(w, out);
        wgsl_put(out, "case ");
        wgsl_put_scalar(out, &e->value, t->kind);
        wgsl_put(out, ":\n");
    }
    if (s->is_default)
        line(w, out, "default:");
}

static bool put_cases(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s,
                      const struct context *c)
{
    if (!wgsl_check_cases(w, s))
        return false;
    for (const struct wgsl_stmt *k = s->body; k; k = k->next) {
        put_selectors(w, out, k, s->a->type);
        if (!put_block(w, out, k->body, c))
            return false;
        line(w, out, "break;");
    }
    return true;
}

static bool put_switch(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s,
                       const struct context *c)
{
    struct context inner = *c;
    inner.breakable = true;
    if (!wgsl_check_as(w, s->a, NULL))
        return false;
    if (!wgsl_is_scalar(s->a->type) || !wgsl_is_integer(s->a->type->kind))
        return wgsl_fail(w, s->a->at, "switch of what is no integer");
    indent(w, out);
    wgsl_put(out, "switch (");
    if (!wgsl_put_expression(w, out, s->a))
        return false;
    wgsl_put(out, ")\n");
    line(w, out, "{");
    if (!put_cases(w, out, s, &inner))
        return false;
    line(w, out, "}");
    return true;
}

// ---- loops ----

static struct context loop_in(const struct context *c)
{
    return (
        struct context){ .loop = true, .breakable = true, .no_return = c->no_return };
}

static bool put_for_header(struct wgsl *w, struct gv_bytes *out,
                           const struct wgsl_stmt *s)
{
    wgsl_put(out, "for (; ");
    if (s->a && !put_condition(w, out, s->a))
        return false;
    wgsl_put(out, "; ");
    if (s->step && !wgsl_put_simple(w, out, s->step))
        return false;
    wgsl_put(out, ")\n");
    return true;
}

// The first part of a `for` stands before it, in a block of both.
static bool put_for(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s,
                    const struct context *c)
{
    static const struct context none = { 0 };
    const struct context body = loop_in(c);
    struct wgsl_decl *outer = w->locals;
    if (s->init) {
        line(w, out, "{");
        w->indent++;
        if (!put_statements(w, out, s->init, &none, outer))
            return false;
    }
    indent(w, out);
    if (!put_for_header(w, out, s) || !put_block(w, out, s->body, &body))
        return false;
    if (s->init) {
        w->indent--;
        line(w, out, "}");
    }
    wgsl_close_names(w, outer);
    return true;
}

// `continuing` runs before every round but the first, so that GLSL's `continue` leads
// there. It sees the names of the body, whose declarations therefore stand before the
// loop.
static bool put_parts(struct wgsl *w, const struct wgsl_stmt *s,
                      const struct context *c, struct gv_bytes parts[3])
{
    struct context body = loop_in(c), rest = { .continuing = true, .no_return = true };
    struct wgsl_decl *outer = w->locals;
    body.hoist = &parts[0];
    w->indent += 2;
    bool ok = put_statements(w, &parts[1], s->body->body, &body, outer);
    w->indent++;
    ok = ok && put_statements(w, &parts[2], s->other->body, &rest, w->locals);
    w->indent -= 3;
    wgsl_close_names(w, outer);
    return ok && wgsl_check_size(w, &parts[1], s->at) &&
           wgsl_check_size(w, &parts[2], s->at);
}

static void put_part(struct gv_bytes *out, const struct gv_bytes *part)
{
    if (part->size)
        gv_bytes_put(out, part->data, part->size);
}

static bool put_continuing_loop(struct wgsl *w, struct gv_bytes *out,
                                const struct wgsl_stmt *s, const struct context *c)
{
    struct gv_bytes parts[3] = { { 0 } }; // declarations, body, continuing
    uint32_t n = w->names++;
    bool ok = put_parts(w, s, c, parts);
    if (ok) {
        line(w, out, "{");
        w->indent++;
        indent(w, out);
        gv_bytes_printf(out, "bool gv_again_%u = false;\n", n);
        put_part(out, &parts[0]);
        line(w, out, "for (;;)");
        line(w, out, "{");
        w->indent++;
        indent(w, out);
        gv_bytes_printf(out, "if (gv_again_%u)\n", n);
        line(w, out, "{");
        put_part(out, &parts[2]);
        line(w, out, "}");
        indent(w, out);
        gv_bytes_printf(out, "gv_again_%u = true;\n", n);
        put_part(out, &parts[1]);
        w->indent--;
        line(w, out, "}");
        w->indent--;
        line(w, out, "}");
    }
    for (int i = 0; i < 3; i++)
        gv_bytes_finish(&parts[i]);
    return ok;
}

static bool put_loop(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s,
                     const struct context *c)
{
    const struct context body = loop_in(c);
    if (!s->body)
        return wgsl_fail(w, s->at, "continuing at no loop's end");
    if (s->other)
        return put_continuing_loop(w, out, s, c);
    line(w, out, "for (;;)");
    return put_block(w, out, s->body, &body);
}

// ---- jumps ----

static bool put_return(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s,
                       const struct context *c)
{
    const struct wgsl_type *t = w->function->type;
    if (c->no_return)
        return wgsl_fail(w, s->at, "return in continuing");
    if ((t->kind != WGSL_VOID) != (s->a != NULL))
        return wgsl_fail(w, s->at,
                         s->a ? "a value where none is returned"
                              : "return without a value");
    wgsl_put(out, "return");
    if (s->a) {
        wgsl_put(out, " ");
        if (!wgsl_check_as(w, s->a, t) || !wgsl_put_expression(w, out, s->a))
            return false;
    }
    wgsl_put(out, ";\n");
    return true;
}

static bool put_break_if(struct wgsl *w, struct gv_bytes *out,
                         const struct wgsl_stmt *s, const struct context *c)
{
    if (!c->continuing || s->next)
        return wgsl_fail(w, s->at, "'break if' not at the end of continuing");
    wgsl_put(out, "if (");
    if (!put_condition(w, out, s->a))
        return false;
    wgsl_put(out, ") break;\n");
    return true;
}

static bool put_discard(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s)
{
    if (w->params->stage != GV_STAGE_FRAGMENT)
        return wgsl_fail(w, s->at, "discard outside fragment shaders");
    w->discards = true;
    wgsl_put(out, "gv_discard();\n");
    return true;
}

static bool put_jump(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s,
                     const struct context *c)
{
    if (s->kind == WGSL_RETURN)
        return put_return(w, out, s, c);
    if (s->kind == WGSL_BREAK_IF)
        return put_break_if(w, out, s, c);
    if (s->kind == WGSL_DISCARD)
        return put_discard(w, out, s);
    bool leave = s->kind == WGSL_BREAK;
    if (leave ? !c->breakable : !c->loop)
        return wgsl_fail(w, s->at, "'%s' outside a loop", leave ? "break" : "continue");
    wgsl_put(out, leave ? "break;\n" : "continue;\n");
    return true;
}

static bool check_assertion(struct wgsl *w, const struct wgsl_stmt *s)
{
    if (!wgsl_check_as(w, s->a, wgsl_scalar(WGSL_BOOL)))
        return false;
    return !s->a->value.known || s->a->value.i ||
           wgsl_fail(w, s->at, "const_assert does not hold");
}

static bool put_statement(struct wgsl *w, struct gv_bytes *out,
                          const struct wgsl_stmt *s, const struct context *c,
                          struct wgsl_decl *scope)
{
    switch (s->kind) {
    case WGSL_BLOCK:
        return put_block(w, out, s, c);
    case WGSL_DECLARE:
        return put_declaration(w, out, s->decl, c, scope);
    case WGSL_IF:
        return put_if(w, out, s, c);
    case WGSL_SWITCH:
        return put_switch(w, out, s, c);
    case WGSL_LOOP:
        return put_loop(w, out, s, c);
    case WGSL_FOR:
        return put_for(w, out, s, c);
    case WGSL_ASSERT:
        return check_assertion(w, s);
    case WGSL_SET:
    case WGSL_IGNORE:
    case WGSL_EVALUATE:
        indent(w, out);
        if (!wgsl_put_simple(w, out, s))
            return false;
        wgsl_put(out, ";\n");
        return true;
    case WGSL_BREAK:
    case WGSL_BREAK_IF:
    case WGSL_CONTINUE:
    case WGSL_RETURN:
    case WGSL_DISCARD:
        indent(w, out);
        return put_jump(w, out, s, c);
    case WGSL_CASE:
        break;
    }
    return wgsl_fail(w, s->at, "case outside a switch");
}

static bool put_statements(struct wgsl *w, struct gv_bytes *out,
                           const struct wgsl_stmt *s, const struct context *c,
                           struct wgsl_decl *scope)
{
    for (; s; s = s->next)
        if (!put_statement(w, out, s, c, scope) || !wgsl_check_size(w, out, s->at))
            return false;
    return true;
}

// ---- functions ----

static bool put_head(struct wgsl *w, struct gv_bytes *out, struct wgsl_decl *d)
{
    wgsl_put_type(out, d->type);
    gv_bytes_printf(out, " %s(", d->glsl);
    for (struct wgsl_decl *p = d->members; p; p = p->next) {
        bool pointer = p->type->kind == WGSL_POINTER;
        if (!p->glsl)
            p->glsl = wgsl_pick_name(w, p->name, p->name->global != NULL);
        if (!p->glsl)
            return false;
        wgsl_put(out, pointer ? "inout " : "");
        wgsl_put_declarator(out, p->type, p->glsl);
        wgsl_put(out, p->next ? ", " : "");
    }
    wgsl_put(out, ")");
    return true;
}

bool wgsl_put_function(struct wgsl *w, struct wgsl_decl *d)
{
    static const struct context none = { 0 };
    w->function = d;
    if (!put_head(w, &w->prototypes, d) || !put_head(w, &w->functions, d))
        return false;
    wgsl_put(&w->prototypes, ";\n");
    wgsl_put(&w->functions, "\n{\n");
    for (struct wgsl_decl *p = d->members; p; p = p->next) {
        if (wgsl_redeclared(w, p, NULL))
            return false;
        wgsl_open_name(w, p);
    }
    w->indent = 1;
    if (!put_statements(w, &w->functions, d->body->body, &none, NULL) ||
        !wgsl_check_end(w, d))
        return false;
    wgsl_close_names(w, NULL);
    wgsl_put(&w->functions, "}\n\n");
    return true;
}
