// What names at module scope mean: types, constants, variables, functions. Each becomes
// known when first used, so that what an entry point does not use costs nothing.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <string.h>

struct wgsl_decl *wgsl_lookup(struct wgsl *w, const struct wgsl_symbol *name)
{
    return !w->module_scope && name->local ? name->local : name->global;
}

bool wgsl_redeclared(struct wgsl *w, const struct wgsl_decl *d,
                     const struct wgsl_decl *until)
{
    const struct wgsl_decl *same = d->name->local; // the innermost
    if (same && same->order > (until ? until->order : 0))
        return !wgsl_fail(w, d->at, "'%.60s' is declared twice", d->name->name);
    return false;
}

void wgsl_open_name(struct wgsl *w, struct wgsl_decl *d)
{
    d->state = WGSL_DONE;
    d->order = w->locals ? w->locals->order + 1 : 1;
    d->shadowed = d->name->local;
    d->name->local = d;
    d->outer = w->locals;
    w->locals = d;
}

void wgsl_close_names(struct wgsl *w, struct wgsl_decl *until)
{
    for (; w->locals != until; w->locals = w->locals->outer)
        w->locals->name->local = w->locals->shadowed;
}

bool wgsl_constant(struct wgsl *w, struct wgsl_expr *e, int64_t low, int64_t high,
                   uint32_t *out)
{
    if (!wgsl_check(w, e))
        return false;
    if (!wgsl_is_scalar(e->type) || !wgsl_is_integer(e->type->kind))
        return wgsl_fail(w, e->at, "an integer constant expected");
    if (!e->value.known)
        return wgsl_unsupported(w, e->at, "constant of functions or structures");
    if (e->value.i < low || e->value.i > high)
        return wgsl_fail(w, e->at, "%lld is outside %lld to %lld",
                         (long long)e->value.i, (long long)low, (long long)high);
    *out = (uint32_t)e->value.i;
    return true;
}

// ---- types ----

static const struct wgsl_type *scalar_named(const char *name)
{
    static const struct {
        const char *name;
        enum wgsl_kind kind;
    } names[] = { { "f32", WGSL_F32 },
                  { "i32", WGSL_I32 },
                  { "u32", WGSL_U32 },
                  { "bool", WGSL_BOOL } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i].name))
            return wgsl_scalar(names[i].kind);
    return NULL;
}

static enum wgsl_kind suffix_kind(char c)
{
    return c == 'f' ? WGSL_F32 : c == 'i' ? WGSL_I32 : c == 'u' ? WGSL_U32 : WGSL_VOID;
}

static bool is_size(char c)
{
    return c >= '2' && c <= '4';
}

// vec3f, mat4x4f; `suffix` is where the scalar's letter stands.
static bool shape_named(const char *n, uint32_t *columns, uint32_t *rows,
                        const char **suffix)
{
    bool vector = !strncmp(n, "vec", 3) && is_size(n[3]);
    bool matrix =
        !strncmp(n, "mat", 3) && is_size(n[3]) && n[4] == 'x' && is_size(n[5]);
    if (!vector && !matrix)
        return false;
    *columns = matrix ? (uint32_t)(n[3] - '0') : 0;
    *rows = (uint32_t)(n[matrix ? 5 : 3] - '0');
    *suffix = n + (matrix ? 6 : 4);
    return strlen(*suffix) <= 1;
}

static const struct wgsl_type *only_template(struct wgsl *w, struct wgsl_expr *e)
{
    if (wgsl_count(e->templates) == 1)
        return wgsl_resolve_type(w, e->templates);
    wgsl_fail(w, e->at, "'%.40s' takes one type", e->name->name);
    return NULL;
}

// Vectors and matrices; NULL without an error where the scalar is to be inferred.
static const struct wgsl_type *shape(struct wgsl *w, struct wgsl_expr *e,
                                     uint32_t columns, uint32_t rows, char suffix)
{
    enum wgsl_kind kind = suffix_kind(suffix);
    if (suffix == 'h') {
        wgsl_unsupported(w, e->at, "f16");
        return NULL;
    }
    if (!suffix) {
        const struct wgsl_type *element = only_template(w, e);
        if (!element)
            return NULL;
        kind = wgsl_is_scalar(element) ? element->kind : WGSL_VOID;
    }
    if (kind == WGSL_VOID || (columns && kind != WGSL_F32)) {
        wgsl_fail(w, e->at, "'%.40s' of what cannot be in one", e->name->name);
        return NULL;
    }
    return columns ? wgsl_matrix(kind, columns, rows) : wgsl_vector(kind, rows);
}

static bool check_array(struct wgsl *w, uint32_t at, const struct wgsl_type *element,
                        uint64_t count)
{
    uint32_t dimensions = 1;
    for (const struct wgsl_type *t = element; t->kind == WGSL_ARRAY; t = t->element) {
        dimensions++;
        count *= t->count;
        if (count > GV_WGSL_MAX_ELEMENTS)
            break;
    }
    if (dimensions > GV_WGSL_MAX_DIMENSIONS || count > GV_WGSL_MAX_ELEMENTS)
        return wgsl_limit(w, at, "array over %u elements or %d dimensions",
                          GV_WGSL_MAX_ELEMENTS, GV_WGSL_MAX_DIMENSIONS);
    if (wgsl_is_opaque(element))
        return wgsl_unsupported(w, at, "binding_array");
    if (element->kind == WGSL_VOID || element->kind == WGSL_POINTER ||
        wgsl_runtime_sized(element))
        return wgsl_fail(w, at, "array of what cannot be in one");
    return true;
}

static const struct wgsl_type *array_type(struct wgsl *w, struct wgsl_expr *e)
{
    uint32_t arguments = wgsl_count(e->templates), count = 0;
    if (arguments < 1 || arguments > 2) {
        wgsl_fail(w, e->at, "array of %u arguments", arguments);
        return NULL;
    }
    const struct wgsl_type *element = wgsl_resolve_type(w, e->templates);
    if (!element || (arguments == 2 && !wgsl_constant(w, e->templates->next, 1,
                                                      GV_WGSL_MAX_ELEMENTS, &count)))
        return NULL;
    if (!check_array(w, e->at, element, count ? count : 1))
        return NULL;
    struct wgsl_type *t = wgsl_type_new(w, WGSL_ARRAY, element);
    if (t)
        t->count = count;
    return t;
}

static const struct wgsl_type *atomic_type(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_type *element = only_template(w, e);
    if (!element)
        return NULL;
    if (element->kind != WGSL_I32 && element->kind != WGSL_U32) {
        wgsl_fail(w, e->at, "atomic of what is no integer");
        return NULL;
    }
    return wgsl_type_new(w, WGSL_ATOMIC, element);
}

static const struct wgsl_type *pointer_type(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_expr *space = e->templates;
    if (wgsl_count(space) < 2 || space->kind != WGSL_IDENTIFIER) {
        wgsl_fail(w, e->at, "ptr takes an address space and a type");
        return NULL;
    }
    if (!wgsl_is(space->name, "function") && !wgsl_is(space->name, "private")) {
        wgsl_unsupported(w, e->at, "ptr<%.40s>", space->name->name);
        return NULL;
    }
    const struct wgsl_type *element = wgsl_resolve_type(w, space->next);
    return element ? wgsl_type_new(w, WGSL_POINTER, element) : NULL;
}

static const struct wgsl_type *texture_type(struct wgsl *w, struct wgsl_expr *e)
{
    static const struct {
        const char *name;
        enum wgsl_dimension dimension;
        bool arrayed, depth;
    } names[] = {
        { "texture_2d", WGSL_2D, false, false },
        { "texture_2d_array", WGSL_2D, true, false },
        { "texture_3d", WGSL_3D, false, false },
        { "texture_cube", WGSL_CUBE, false, false },
        { "texture_cube_array", WGSL_CUBE, true, false },
        { "texture_depth_2d", WGSL_2D, false, true },
        { "texture_depth_2d_array", WGSL_2D, true, true },
        { "texture_depth_cube", WGSL_CUBE, false, true },
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!wgsl_is(e->name, names[i].name))
            continue;
        const struct wgsl_type *element =
            names[i].depth ? wgsl_scalar(WGSL_F32) : only_template(w, e);
        if (!element)
            return NULL;
        if (element->kind < WGSL_I32 || element->kind > WGSL_F32) {
            wgsl_fail(w, e->at, "texture of what cannot be in one");
            return NULL;
        }
        struct wgsl_type *t = wgsl_type_new(w, WGSL_TEXTURE, element);
        if (t) {
            t->dimension = names[i].dimension;
            t->arrayed = names[i].arrayed;
            t->depth = names[i].depth;
        }
        return t;
    }
    wgsl_unsupported(w, e->at, "%.60s", e->name->name);
    return NULL;
}

static const struct wgsl_type *sampler_type(struct wgsl *w, struct wgsl_expr *e)
{
    struct wgsl_type *t = wgsl_type_new(w, WGSL_SAMPLER, NULL);
    if (t)
        t->comparison = wgsl_is(e->name, "sampler_comparison");
    return t;
}

static const struct wgsl_type *declared_type(struct wgsl *w, const struct wgsl_expr *e,
                                             struct wgsl_decl *d)
{
    if ((d->kind == WGSL_DECL_ALIAS || d->kind == WGSL_DECL_STRUCT) && !e->templated)
        return wgsl_resolve_decl(w, d) ? d->type : NULL;
    wgsl_fail(w, e->at, "'%.60s' is no type", e->name->name);
    return NULL;
}

// Whether the name is a built-in type; *out is NULL where making it failed.
static bool builtin_type(struct wgsl *w, struct wgsl_expr *e,
                         const struct wgsl_type **out)
{
    const char *name = e->name->name, *suffix;
    uint32_t columns, rows;
    if ((*out = scalar_named(name)))
        return true;
    if (!strcmp(name, "f16"))
        wgsl_unsupported(w, e->at, "f16");
    else if (shape_named(name, &columns, &rows, &suffix))
        *out = shape(w, e, columns, rows, *suffix);
    else if (!strcmp(name, "array"))
        *out = array_type(w, e);
    else if (!strcmp(name, "atomic"))
        *out = atomic_type(w, e);
    else if (!strcmp(name, "ptr"))
        *out = pointer_type(w, e);
    else if (!strncmp(name, "texture_", 8))
        *out = texture_type(w, e);
    else if (!strcmp(name, "sampler") || !strcmp(name, "sampler_comparison"))
        *out = sampler_type(w, e);
    else
        return false;
    return true;
}

static const struct wgsl_type *named_type(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_type *t = NULL;
    if (e->kind != WGSL_IDENTIFIER) {
        wgsl_fail(w, e->at, "a type expected");
        return NULL;
    }
    struct wgsl_decl *d = wgsl_lookup(w, e->name);
    if (d)
        return declared_type(w, e, d);
    if (!builtin_type(w, e, &t))
        wgsl_fail(w, e->at, "unknown type '%.60s'", e->name->name);
    return t;
}

const struct wgsl_type *wgsl_resolve_type(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_type *t = wgsl_deepen(w, e->at) ? named_type(w, e) : NULL;
    w->depth--;
    return t;
}

// The scalar of all arguments together, for `vec2(1, x)` and `array(a, b)`.
static bool common_scalar(struct wgsl *w, struct wgsl_expr *e, enum wgsl_kind *kind)
{
    *kind = WGSL_VOID;
    for (struct wgsl_expr *arg = e->args; arg; arg = arg->next) {
        if (!wgsl_check(w, arg))
            return false;
        enum wgsl_kind base = wgsl_base(arg->type);
        if (base == WGSL_VOID || (*kind != WGSL_VOID && !wgsl_unify(*kind, base, kind)))
            return wgsl_fail(w, arg->at, "arguments of different types");
        if (*kind == WGSL_VOID)
            *kind = base;
    }
    return true;
}

static bool inferred_shape(struct wgsl *w, struct wgsl_expr *e, uint32_t columns,
                           uint32_t rows, const struct wgsl_type **out)
{
    enum wgsl_kind kind;
    if (!common_scalar(w, e, &kind))
        return false;
    if (kind == WGSL_VOID) // vec2(): zeroes of no type
        kind = columns ? WGSL_ABSTRACT_FLOAT : WGSL_ABSTRACT_INT;
    if (columns && kind == WGSL_ABSTRACT_INT)
        kind = WGSL_ABSTRACT_FLOAT;
    if (columns && !wgsl_is_float(kind))
        return wgsl_fail(w, e->at, "matrix of what cannot be in one");
    *out = columns ? wgsl_matrix(kind, columns, rows) : wgsl_vector(kind, rows);
    return true;
}

static bool inferred_array(struct wgsl *w, struct wgsl_expr *e,
                           const struct wgsl_type **out)
{
    enum wgsl_kind kind = WGSL_VOID;
    if (!e->args)
        return wgsl_fail(w, e->at, "array without a type");
    if (!wgsl_check(w, e->args))
        return false;
    if (wgsl_base(e->args->type) != WGSL_VOID && !common_scalar(w, e, &kind))
        return false;
    const struct wgsl_type *element =
        kind == WGSL_VOID ? e->args->type : wgsl_reshape(w, e->args->type, kind);
    uint32_t count = wgsl_count(e->args);
    if (!element || !check_array(w, e->at, element, count))
        return false;
    struct wgsl_type *t = wgsl_type_new(w, WGSL_ARRAY, element);
    if (t)
        t->count = count;
    *out = t;
    return t != NULL;
}

bool wgsl_constructed_type(struct wgsl *w, struct wgsl_expr *e,
                           const struct wgsl_type **out)
{
    const char *suffix;
    uint32_t columns, rows;
    struct wgsl_decl *d = wgsl_lookup(w, e->name);
    *out = NULL;
    if (d)
        return (d->kind != WGSL_DECL_ALIAS && d->kind != WGSL_DECL_STRUCT) ||
               (*out = declared_type(w, e, d)) != NULL;
    if (!e->templated && wgsl_is(e->name, "array"))
        return inferred_array(w, e, out);
    if (!e->templated && shape_named(e->name->name, &columns, &rows, &suffix) &&
        !*suffix)
        return inferred_shape(w, e, columns, rows, out);
    return !builtin_type(w, e, out) || *out;
}

// ---- declarations ----

static bool check_member(struct wgsl *w, const struct wgsl_decl *owner,
                         const struct wgsl_decl *m)
{
    for (const struct wgsl_decl *o = owner->members; o != m; o = o->next)
        if (o->name == m->name)
            return wgsl_fail(w, m->at, "'%.60s' is declared twice", m->name->name);
    if (wgsl_is_opaque(m->type) || m->type->kind == WGSL_POINTER)
        return wgsl_fail(w, m->at, "'%.60s' is of a type no structure holds",
                         m->name->name);
    if (wgsl_runtime_sized(m->type) && (m->next || m->type->kind != WGSL_ARRAY))
        return wgsl_fail(w, m->at, "'%.60s' has no size", m->name->name);
    return true;
}

static bool resolve_struct(struct wgsl *w, struct wgsl_decl *d)
{
    struct wgsl_type *t = wgsl_type_new(w, WGSL_STRUCT, NULL);
    if (!t)
        return false;
    t->decl = d;
    for (struct wgsl_decl *m = d->members; m; m = m->next) {
        m->type = wgsl_resolve_type(w, m->type_expr);
        if (!m->type)
            return false;
        d->parts += 1 + wgsl_parts(m->type);
        d->scalars += wgsl_scalars(m->type);
        if (d->parts > GV_WGSL_MAX_PARTS || d->scalars > GV_WGSL_MAX_ELEMENTS)
            return wgsl_limit(w, d->at, "structure over %d members or %u scalars",
                              GV_WGSL_MAX_PARTS, GV_WGSL_MAX_ELEMENTS);
        if (!check_member(w, d, m))
            return false;
        m->glsl = wgsl_pick_name(w, m->name, false);
        if (!m->glsl)
            return false;
    }
    d->type = t;
    return wgsl_put_struct(w, d);
}

static bool resolve_function(struct wgsl *w, struct wgsl_decl *d)
{
    if (d->attributes.stage && d->attributes.stage != w->params->stage)
        return wgsl_fail(w, d->at, "an entry point is called");
    for (struct wgsl_decl *p = d->members; p; p = p->next) {
        p->type = wgsl_resolve_type(w, p->type_expr);
        if (!p->type)
            return false;
        if (wgsl_runtime_sized(p->type) || wgsl_has_atomics(p->type))
            return wgsl_fail(w, p->at, "'%.60s' cannot be passed", p->name->name);
    }
    d->type = wgsl_scalar(WGSL_VOID);
    if (d->type_expr && !(d->type = wgsl_resolve_type(w, d->type_expr)))
        return false;
    if (wgsl_runtime_sized(d->type) || wgsl_has_atomics(d->type) ||
        wgsl_is_opaque(d->type) || d->type->kind == WGSL_POINTER)
        return wgsl_fail(w, d->at, "'%.60s' cannot return that", d->name->name);
    if (++w->function_count > GV_WGSL_MAX_FUNCTIONS)
        return wgsl_limit(w, d->at, "more than %d functions", GV_WGSL_MAX_FUNCTIONS);
    if (w->pending_last)
        w->pending_last->pending = d;
    else
        w->pending = d;
    w->pending_last = d;
    return true;
}

static bool resolve_kind(struct wgsl *w, struct wgsl_decl *d)
{
    switch (d->kind) {
    case WGSL_DECL_ALIAS:
        return (d->type = wgsl_resolve_type(w, d->type_expr)) != NULL;
    case WGSL_DECL_STRUCT:
        return resolve_struct(w, d);
    case WGSL_DECL_FUNCTION:
        return resolve_function(w, d);
    case WGSL_DECL_CONST:
    case WGSL_DECL_VAR:
        return wgsl_put_global(w, d);
    case WGSL_DECL_MEMBER:
    case WGSL_DECL_PARAMETER:
    case WGSL_DECL_LET:
    case WGSL_DECL_OVERRIDE:
        break;
    }
    return wgsl_fail(w, d->at, "'%.60s' cannot be used here", d->name->name);
}

bool wgsl_resolve_decl(struct wgsl *w, struct wgsl_decl *d)
{
    if (d->state == WGSL_DONE)
        return true;
    if (d->state == WGSL_BUSY)
        return wgsl_fail(w, d->at, "'%.60s' depends on itself", d->name->name);
    d->state = WGSL_BUSY;
    if (!d->glsl && !(d->glsl = wgsl_pick_name(w, d->name, false)))
        return false;
    uint32_t skipped = w->skipped; // but others may want this declaration
    w->skipped = 0;
    w->module_scope++;
    bool ok = wgsl_enter(w) && resolve_kind(w, d);
    w->nesting--;
    w->module_scope--;
    w->skipped = skipped;
    d->state = WGSL_DONE;
    return ok;
}
