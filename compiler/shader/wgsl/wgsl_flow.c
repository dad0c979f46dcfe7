// How control flows: where a function may end, who calls whom, which cases there are.
// glslang would refuse some of it too, but could not say where.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <stdlib.h>

// ---- behaviours (WGSL specification, "Behavior Analysis") ----

enum { NEXT = 1, BREAK = 2, CONTINUE = 4, RETURN = 8 };

static unsigned list_behaviour(const struct wgsl_stmt *s);

static unsigned loop_behaviour(unsigned inside, bool ends)
{
    bool next = ends || (inside & BREAK);
    return (inside & RETURN) | (next ? NEXT : 0);
}

static unsigned switch_behaviour(const struct wgsl_stmt *s)
{
    unsigned b = 0;
    for (const struct wgsl_stmt *k = s->body; k; k = k->next)
        b |= list_behaviour(k->body->body);
    return b & BREAK ? (b & ~(unsigned)BREAK) | NEXT : b;
}

static unsigned if_behaviour(const struct wgsl_stmt *s)
{
    unsigned b = 0;
    for (; s && s->kind == WGSL_IF; s = s->other)
        b |= list_behaviour(s->body->body);
    return b | (s ? list_behaviour(s->body) : NEXT);
}

static unsigned behaviour(const struct wgsl_stmt *s)
{
    switch (s->kind) {
    case WGSL_BLOCK:
        return list_behaviour(s->body);
    case WGSL_IF:
        return if_behaviour(s);
    case WGSL_SWITCH:
        return switch_behaviour(s);
    case WGSL_LOOP:
        return loop_behaviour(list_behaviour(s->body->body) |
                                  (s->other ? list_behaviour(s->other->body) : 0),
                              false);
    case WGSL_FOR:
        return loop_behaviour(list_behaviour(s->body->body), s->a != NULL);
    case WGSL_BREAK:
        return BREAK;
    case WGSL_BREAK_IF:
        return BREAK | NEXT;
    case WGSL_CONTINUE:
        return CONTINUE;
    case WGSL_RETURN:
        return RETURN;
    case WGSL_DECLARE:
    case WGSL_SET:
    case WGSL_IGNORE:
    case WGSL_EVALUATE:
    case WGSL_CASE:
    case WGSL_DISCARD:
    case WGSL_ASSERT:
        break;
    }
    return NEXT;
}

// What stands behind a jump never runs.
static unsigned list_behaviour(const struct wgsl_stmt *s)
{
    unsigned b = NEXT;
    for (; s && (b & NEXT); s = s->next)
        b = (b & ~(unsigned)NEXT) | behaviour(s);
    return b;
}

bool wgsl_check_end(struct wgsl *w, const struct wgsl_decl *d)
{
    unsigned b = list_behaviour(d->body->body);
    if (d->type->kind == WGSL_VOID || b == RETURN)
        return true;
    return wgsl_fail(w, d->at, "'%.60s' %s", d->name->name,
                     b & NEXT ? "ends without a value" : "never ends");
}

// ---- calls ----

bool wgsl_add_call(struct wgsl *w, struct wgsl_decl *to, uint32_t at)
{
    if (!w->function) // of a constant, which is refused for it
        return true;
    for (const struct wgsl_call *c = w->function->calls; c; c = c->next)
        if (c->to == to)
            return true;
    if (++w->call_count > GV_WGSL_MAX_CALLERS)
        return wgsl_limit(w, at, "more than %d pairs of functions",
                          GV_WGSL_MAX_CALLERS);
    struct wgsl_call *call = wgsl_node(w, sizeof *call);
    if (!call)
        return false;
    *call = (struct wgsl_call){ to, at, w->function->calls };
    w->function->calls = call;
    return true;
}

// `depth` functions have called this one; d->levels is known once it is done.
static bool check_calls(struct wgsl *w, struct wgsl_decl *d, uint32_t depth)
{
    d->calling = true;
    for (const struct wgsl_call *c = d->calls; c; c = c->next) {
        if (c->to->calling)
            return wgsl_fail(w, c->at, "'%.60s' calls itself", c->to->name->name);
        uint32_t below = c->to->levels ? c->to->levels : 1;
        if (depth + 1 + below > GV_WGSL_MAX_CALLS)
            return wgsl_limit(w, c->at, "calls more than %d deep", GV_WGSL_MAX_CALLS);
        if (!c->to->levels && !check_calls(w, c->to, depth + 1))
            return false;
        if (d->levels <= c->to->levels)
            d->levels = c->to->levels + 1;
    }
    d->levels = d->levels ? d->levels : 1;
    d->calling = false;
    return true;
}

bool wgsl_check_calls(struct wgsl *w, struct wgsl_decl *entry)
{
    return check_calls(w, entry, 0);
}

// ---- cases ----

struct selector {
    int64_t value;
    uint32_t at;
};

static int compare(const void *a, const void *b)
{
    const struct selector *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static bool check_selector(struct wgsl *w, struct wgsl_expr *e,
                           const struct wgsl_type *t)
{
    if (!wgsl_check_as(w, e, t))
        return false;
    if (e->value.known)
        return true;
    if (wgsl_is_constant(e))
        return wgsl_unsupported(w, e->at, "constant of functions or structures");
    return wgsl_fail(w, e->at, "a case is a constant");
}

bool wgsl_check_cases(struct wgsl *w, const struct wgsl_stmt *s)
{
    uint32_t count = 0, defaults = 0;
    for (const struct wgsl_stmt *k = s->body; k; k = k->next)
        for (const struct wgsl_expr *e = k->a; e; e = e->next)
            if (++count > GV_WGSL_MAX_SELECTORS)
                return wgsl_limit(w, e->at, "more than %d selectors",
                                  GV_WGSL_MAX_SELECTORS);
    struct selector *all = gv_arena_alloc(w->arena, (count + 1) * sizeof *all);
    if (!all)
        return wgsl_no_memory(w);
    count = 0;
    for (const struct wgsl_stmt *k = s->body; k; k = k->next) {
        defaults += k->is_default;
        for (struct wgsl_expr *e = k->a; e; e = e->next) {
            if (!check_selector(w, e, s->a->type))
                return false;
            all[count++] = (struct selector){ e->value.i, e->at };
        }
    }
    qsort(all, count, sizeof *all, compare);
    for (uint32_t i = 1; i < count; i++)
        if (all[i].value == all[i - 1].value)
            return wgsl_fail(w, all[i].at, "a second case of %lld",
                             (long long)all[i].value);
    return defaults == 1 || wgsl_fail(w, s->at, "switch with %u defaults", defaults);
}
