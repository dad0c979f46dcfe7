// Declarations of a module, attributes, directives.
#include "compiler/shader/wgsl/wgsl_internal.h"

// ---- attributes ----

// `(a)` or `(a, b)` of names.
static bool parse_names(struct wgsl *w, struct wgsl_symbol **first,
                        struct wgsl_symbol **second)
{
    bool comma;
    if (!wgsl_expect(w, WGSL_OPEN) || !(*first = wgsl_expect_name(w)) ||
        !wgsl_accept(w, WGSL_COMMA, &comma))
        return false;
    if (comma && !wgsl_next_is(w, WGSL_CLOSE)) {
        if (!second)
            return wgsl_fail(w, w->token.at, "')' expected");
        *second = wgsl_expect_name(w);
        if (!*second || !wgsl_accept(w, WGSL_COMMA, &comma))
            return false;
    }
    return wgsl_expect(w, WGSL_CLOSE);
}

static bool parse_expressions(struct wgsl *w, struct wgsl_expr **out, uint32_t most)
{
    uint32_t at = w->token.at;
    *out = NULL;
    if (!wgsl_parse_arguments(w, out))
        return false;
    uint32_t count = wgsl_count(*out);
    return (count >= 1 && count <= most) || wgsl_fail(w, at, "%u arguments", count);
}

// `@diagnostic(off, derivative_uniformity)` changes no result.
static bool skip_arguments(struct wgsl *w)
{
    struct wgsl_expr *ignored = NULL;
    return !wgsl_next_is(w, WGSL_OPEN) || wgsl_parse_arguments(w, &ignored);
}

static bool parse_stage(struct wgsl *w, struct wgsl_attributes *out, uint32_t stage,
                        uint32_t at)
{
    if (out->stage)
        return wgsl_fail(w, at, "a function of two stages");
    out->stage = stage;
    return true;
}

static bool parse_attribute(struct wgsl *w, const struct wgsl_symbol *name, uint32_t at,
                            struct wgsl_attributes *out)
{
    if (wgsl_is(name, "location"))
        return parse_expressions(w, &out->location, 1);
    if (wgsl_is(name, "group"))
        return parse_expressions(w, &out->group, 1);
    if (wgsl_is(name, "binding"))
        return parse_expressions(w, &out->binding, 1);
    if (wgsl_is(name, "align"))
        return parse_expressions(w, &out->align, 1);
    if (wgsl_is(name, "size"))
        return parse_expressions(w, &out->size, 1);
    if (wgsl_is(name, "workgroup_size"))
        return parse_expressions(w, &out->workgroup, 3);
    if (wgsl_is(name, "builtin"))
        return parse_names(w, &out->builtin, NULL);
    if (wgsl_is(name, "interpolate"))
        return parse_names(w, &out->interpolation, &out->sampling);
    if (wgsl_is(name, "vertex"))
        return parse_stage(w, out, GV_STAGE_VERTEX, at);
    if (wgsl_is(name, "fragment"))
        return parse_stage(w, out, GV_STAGE_FRAGMENT, at);
    if (wgsl_is(name, "compute"))
        return parse_stage(w, out, GV_STAGE_COMPUTE, at);
    if (wgsl_is(name, "invariant"))
        return out->invariant = true;
    if (wgsl_is(name, "diagnostic") || wgsl_is(name, "must_use"))
        return skip_arguments(w);
    if (wgsl_is(name, "id"))
        return wgsl_unsupported(w, at, "override");
    if (wgsl_is(name, "blend_src"))
        return wgsl_unsupported(w, at, "@blend_src");
    return wgsl_fail(w, at, "unknown attribute '%.60s'", name->name);
}

bool wgsl_parse_attributes(struct wgsl *w, struct wgsl_attributes *out)
{
    while (wgsl_next_is(w, WGSL_AT)) {
        uint32_t at = w->token.at;
        if (!wgsl_advance(w))
            return false;
        // Not wgsl_expect_name: `diagnostic` and `const` are keywords.
        const struct wgsl_symbol *name = w->token.name;
        if (w->token.op != WGSL_NAME)
            return wgsl_fail(w, w->token.at, "a name expected");
        if (!wgsl_advance(w) || !parse_attribute(w, name, at, out))
            return false;
    }
    return true;
}

// ---- declarations ----

static struct wgsl_decl *declaration(struct wgsl *w, enum wgsl_decl_kind kind)
{
    struct wgsl_decl *d = wgsl_node(w, sizeof *d);
    if (d) {
        d->kind = kind;
        d->at = w->token.at;
    }
    return d;
}

static bool parse_space(struct wgsl *w, struct wgsl_decl *d)
{
    static const struct {
        const char *name;
        enum wgsl_space space;
    } spaces[] = {
        { "function", WGSL_FUNCTION_SPACE },   { "private", WGSL_PRIVATE_SPACE },
        { "workgroup", WGSL_WORKGROUP_SPACE }, { "uniform", WGSL_UNIFORM_SPACE },
        { "storage", WGSL_STORAGE_SPACE },
    };
    uint32_t at = w->token.at;
    struct wgsl_symbol *name = wgsl_expect_name(w);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (wgsl_is(name, spaces[i].name)) {
            d->space = spaces[i].space;
            d->writable = d->space < WGSL_UNIFORM_SPACE;
            return true;
        }
    return name && wgsl_fail(w, at, "unknown address space '%.60s'", name->name);
}

static bool parse_access(struct wgsl *w, struct wgsl_decl *d)
{
    uint32_t at = w->token.at;
    struct wgsl_symbol *access = wgsl_expect_name(w);
    if (!access)
        return false;
    if (wgsl_is(access, "read_write") && d->space == WGSL_STORAGE_SPACE)
        d->writable = true;
    else if (!wgsl_is(access, "read") || d->space != WGSL_STORAGE_SPACE)
        return wgsl_fail(w, at, "unknown access mode '%.60s'", access->name);
    return true;
}

// `<storage, read_write>`
static bool parse_qualifier(struct wgsl *w, struct wgsl_decl *d)
{
    bool comma;
    if (!wgsl_next_is(w, WGSL_LESS))
        return true;
    if (!wgsl_advance(w) || !parse_space(w, d) || !wgsl_accept(w, WGSL_COMMA, &comma))
        return false;
    if (comma && !wgsl_next_is(w, WGSL_GREATER) && !parse_access(w, d))
        return false;
    return wgsl_expect(w, WGSL_GREATER);
}

struct wgsl_decl *wgsl_parse_variable(struct wgsl *w, enum wgsl_decl_kind kind)
{
    struct wgsl_decl *d = declaration(w, kind);
    bool found;
    if (!d || !wgsl_advance(w))
        return NULL;
    d->writable = kind == WGSL_DECL_VAR;
    if (kind == WGSL_DECL_VAR && !parse_qualifier(w, d))
        return NULL;
    d->at = w->token.at;
    d->name = wgsl_expect_name(w);
    if (!d->name || !wgsl_accept(w, WGSL_COLON, &found) ||
        (found && !(d->type_expr = wgsl_parse_type(w))) ||
        !wgsl_accept(w, WGSL_ASSIGN, &found) ||
        (found && !(d->init = wgsl_parse_expression(w))))
        return NULL;
    if ((kind != WGSL_DECL_VAR && !d->init) || (!d->type_expr && !d->init)) {
        wgsl_fail(w, d->at, "'%.60s' has no value", d->name->name);
        return NULL;
    }
    return d;
}

// `@attributes name: type` of a structure or a function.
static struct wgsl_decl *parse_member(struct wgsl *w, enum wgsl_decl_kind kind)
{
    struct wgsl_decl *d = declaration(w, kind);
    if (!d || !wgsl_parse_attributes(w, &d->attributes))
        return NULL;
    d->at = w->token.at;
    d->name = wgsl_expect_name(w);
    if (!d->name || !wgsl_expect(w, WGSL_COLON) || !(d->type_expr = wgsl_parse_type(w)))
        return NULL;
    return d;
}

static bool parse_members(struct wgsl *w, struct wgsl_decl *owner,
                          enum wgsl_decl_kind kind, enum wgsl_op close)
{
    struct wgsl_decl **end = &owner->members;
    bool comma = true;
    while (comma && !wgsl_next_is(w, close)) {
        *end = parse_member(w, kind);
        if (!*end || !wgsl_accept(w, WGSL_COMMA, &comma))
            return false;
        end = &(*end)->next;
    }
    return wgsl_expect(w, close);
}

static bool parse_struct(struct wgsl *w, struct wgsl_decl *d)
{
    bool found;
    if (!(d->name = wgsl_expect_name(w)) || !wgsl_expect(w, WGSL_OPEN_BLOCK) ||
        !parse_members(w, d, WGSL_DECL_MEMBER, WGSL_CLOSE_BLOCK) ||
        !wgsl_accept(w, WGSL_SEMICOLON, &found))
        return false;
    return d->members || wgsl_fail(w, d->at, "structure without members");
}

static bool parse_function(struct wgsl *w, struct wgsl_decl *d)
{
    bool found;
    if (!(d->name = wgsl_expect_name(w)) || !wgsl_expect(w, WGSL_OPEN) ||
        !parse_members(w, d, WGSL_DECL_PARAMETER, WGSL_CLOSE) ||
        !wgsl_accept(w, WGSL_ARROW, &found))
        return false;
    if (found &&
        (!wgsl_parse_attributes(w, &d->result) || !(d->type_expr = wgsl_parse_type(w))))
        return false;
    return (d->body = wgsl_parse_block(w)) != NULL;
}

static bool parse_alias(struct wgsl *w, struct wgsl_decl *d)
{
    return (d->name = wgsl_expect_name(w)) && wgsl_expect(w, WGSL_ASSIGN) &&
           (d->type_expr = wgsl_parse_type(w)) && wgsl_expect(w, WGSL_SEMICOLON);
}

static bool add_global(struct wgsl *w, struct wgsl_decl *d, struct wgsl_decl ***end)
{
    if (d->name->global)
        return wgsl_fail(w, d->at, "'%.60s' is declared twice", d->name->name);
    d->name->global = d;
    **end = d;
    *end = &d->next;
    return true;
}

static bool parse_global_variable(struct wgsl *w, const struct wgsl_attributes *a,
                                  struct wgsl_decl ***end)
{
    bool is_var = wgsl_next_name(w, "var");
    if (wgsl_next_name(w, "let"))
        return wgsl_fail(w, w->token.at, "'let' outside a function");
    struct wgsl_decl *d =
        wgsl_parse_variable(w, is_var ? WGSL_DECL_VAR : WGSL_DECL_CONST);
    if (!d || !wgsl_expect(w, WGSL_SEMICOLON))
        return false;
    d->attributes = *a;
    if (is_var && d->space == WGSL_FUNCTION_SPACE) {
        d->space = WGSL_HANDLE_SPACE;
        d->writable = false;
    }
    return add_global(w, d, end);
}

static bool parse_named_global(struct wgsl *w, const struct wgsl_attributes *a,
                               struct wgsl_decl ***end)
{
    static const struct {
        const char *word;
        enum wgsl_decl_kind kind;
        bool (*parse)(struct wgsl *w, struct wgsl_decl *d);
    } words[] = {
        { "struct", WGSL_DECL_STRUCT, parse_struct },
        { "fn", WGSL_DECL_FUNCTION, parse_function },
        { "alias", WGSL_DECL_ALIAS, parse_alias },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!wgsl_next_name(w, words[i].word))
            continue;
        struct wgsl_decl *d = declaration(w, words[i].kind);
        if (!d || !wgsl_advance(w))
            return false;
        d->at = w->token.at;
        d->attributes = *a;
        return words[i].parse(w, d) && add_global(w, d, end);
    }
    return wgsl_fail(w, w->token.at, "a declaration expected");
}

static bool parse_assert(struct wgsl *w)
{
    // What it asserts holds in every module that was ever accepted.
    return wgsl_advance(w) && wgsl_parse_expression(w) &&
           wgsl_expect(w, WGSL_SEMICOLON);
}

static bool parse_global(struct wgsl *w, struct wgsl_decl ***end)
{
    struct wgsl_attributes a = { 0 };
    bool found;
    if (!wgsl_accept(w, WGSL_SEMICOLON, &found) || found)
        return found;
    if (!wgsl_parse_attributes(w, &a))
        return false;
    if (wgsl_next_name(w, "override"))
        return wgsl_unsupported(w, w->token.at, "override");
    if (wgsl_next_name(w, "const_assert"))
        return parse_assert(w);
    if (wgsl_next_name(w, "var") || wgsl_next_name(w, "const") ||
        wgsl_next_name(w, "let"))
        return parse_global_variable(w, &a, end);
    return parse_named_global(w, &a, end);
}

// `enable f16;` asks for what we do not have; `diagnostic(...)` for nothing.
static bool parse_directives(struct wgsl *w)
{
    for (;;) {
        bool enable = wgsl_next_name(w, "enable"), need = wgsl_next_name(w, "requires");
        if (!enable && !need && !wgsl_next_name(w, "diagnostic"))
            return true;
        uint32_t at = w->token.at;
        if (!wgsl_advance(w))
            return false;
        if (enable || need) {
            const struct wgsl_symbol *name = wgsl_expect_name(w);
            return name && wgsl_unsupported(w, at, "%s %.60s",
                                            enable ? "enable" : "requires", name->name);
        }
        if (!skip_arguments(w) || !wgsl_expect(w, WGSL_SEMICOLON))
            return false;
    }
}

bool wgsl_parse_module(struct wgsl *w)
{
    struct wgsl_decl **end = &w->globals;
    if (!wgsl_advance(w) || !parse_directives(w))
        return false;
    while (!wgsl_next_is(w, WGSL_END))
        if (!parse_global(w, &end))
            return false;
    return true;
}
