#include "compiler/shader/glsl/upgrade_captures.h"

#include "resources/base/bytes.h"

#include <stdlib.h>
#include <string.h>

// ---- names ----

// A name on its way from its variable to what is captured of it.
struct path {
    struct glsl_upgraded *program;
    struct glsl_stage *stage;
    struct glsl_unit *unit;           // of the declaration
    const struct glsl_declaration *d; // of the variable or member, NULL: a built-in
    struct gv_bytes expression;
    const char *rest; // of the name
    const char *type; // of a built-in
    char dims[24];    // likewise
    unsigned indices; // that came
    unsigned stream;
};

static size_t word_length(const char *name)
{
    return strcspn(name, ".[");
}

static bool token_is(const struct glsl_unit *u, size_t i, const char *name,
                     size_t length)
{
    if (i == GLSL_NO_TOKEN)
        return false;
    const struct glsl_token *t = &u->code.tokens[i];
    return t->size == length && !memcmp(t->text, name, length);
}

static void put_token(struct path *p, size_t i)
{
    const struct glsl_token *t = &p->unit->code.tokens[i];
    if (t->replacement)
        gv_bytes_printf(&p->expression, "%s", t->replacement);
    else
        gv_bytes_put(&p->expression, t->text, t->size);
}

// The stream of a geometry shader that a declaration belongs to.
static unsigned stream_of(const struct glsl_unit *u, const struct glsl_declaration *d)
{
    int current = 0;
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *at = &u->declared.items[i];
        const int own = glsl_layout_number(&u->code, at, "stream");
        if (at->first == d->first)
            return (unsigned)(own >= 0 ? own : current);
        if (at->what == GLSL_DECLARES_NOTHING && own >= 0)
            current = own;
    }
    return 0;
}

// What stands in the body of one of the unit's declarations, read once.
static const struct glsl_declarations *body_of(struct glsl_unit *u,
                                               const struct glsl_declaration *of)
{
    struct gv_error unused = GV_ERROR_INIT;
    const uintptr_t first = (uintptr_t)u->declared.items, here = (uintptr_t)of;
    if (of->open == GLSL_NO_TOKEN || here < first ||
        (here - first) / sizeof *of >= u->declared.count)
        return NULL;
    if (!u->bodies)
        // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
        u->bodies = gv_arena_array(u->arena, u->declared.count, sizeof *u->bodies);
    if (!u->bodies)
        return NULL;
    struct glsl_declarations **at = &u->bodies[(here - first) / sizeof *of];
    struct glsl_declarations *body = *at;
    if (body)
        return body;
    body = gv_arena_alloc(u->arena, sizeof *body);
    if (!body ||
        !glsl_declare(&u->code, of->open + 1, of->close, u->arena, body, &unused))
        return NULL;
    *at = body;
    return body;
}

static const struct glsl_declaration *find_member(struct path *p,
                                                  const struct glsl_declaration *of,
                                                  const char *name, size_t length)
{
    const struct glsl_declarations *members = body_of(p->unit, of);
    for (size_t i = 0; members && i < members->count; i++)
        if (token_is(p->unit, members->items[i].name, name, length))
            return &members->items[i];
    return NULL;
}

// The structure that a variable or member is of.
static const struct glsl_declaration *structure_of(const struct path *p)
{
    const struct glsl_unit *u = p->unit;
    if (p->d->open != GLSL_NO_TOKEN)
        return p->d;
    const struct glsl_token *type = &u->code.tokens[p->d->type];
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        if (d->what != GLSL_DECLARES_BLOCK && d->open != GLSL_NO_TOKEN &&
            token_is(u, d->type, type->text, type->size))
            return d;
    }
    return NULL;
}

static bool take_member(struct path *p, const struct glsl_declaration *of)
{
    const size_t length = word_length(p->rest);
    p->d = find_member(p, of, p->rest, length);
    if (!p->d)
        return false;
    put_token(p, p->d->name);
    p->rest += length;
    p->indices = 0;
    return true;
}

static bool of_unit(struct path *p, struct glsl_unit *u)
{
    const unsigned written = GLSL_OUT | GLSL_VARYING;
    const size_t length = word_length(p->rest);
    p->unit = u;
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        if (!(d->qualifiers & written))
            continue;
        if (d->what == GLSL_DECLARES_VARIABLE &&
            token_is(u, d->name, p->rest, length)) {
            p->d = d;
            p->stream = stream_of(u, d);
            put_token(p, d->name);
            p->rest += length;
            return true;
        }
        if (d->what != GLSL_DECLARES_BLOCK)
            continue;
        if (d->name == GLSL_NO_TOKEN && take_member(p, d)) {
            p->stream = stream_of(u, d);
            return true;
        }
        if (d->name != GLSL_NO_TOKEN && token_is(u, d->type, p->rest, length) &&
            p->rest[length] == '.') {
            p->stream = stream_of(u, d);
            put_token(p, d->name);
            gv_bytes_u8(&p->expression, '.');
            p->rest += length + 1;
            return take_member(p, d);
        }
    }
    return false;
}

// ---- built-ins ----

static bool of_builtin(struct path *p)
{
    static const struct {
        const char *name, *type;
    } rows[] = { { "gl_Position", "vec4" },   { "gl_PointSize", "float" },
                 { "gl_Layer", "int" },       { "gl_ViewportIndex", "int" },
                 { "gl_PrimitiveID", "int" }, { "gl_ClipDistance", "float" } };
    const size_t length = word_length(p->rest);
    struct gv_bytes dims = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !p->type; i++)
        if (strlen(rows[i].name) == length && !memcmp(rows[i].name, p->rest, length))
            p->type = rows[i].type;
    if (p->type)
        gv_bytes_put(&p->expression, p->rest, length);
    const struct glsl_token t = { .text = p->rest, .size = length };
    const size_t v =
        p->type ? GLSL_VARIABLE_COUNT : glsl_find_variable(&t, p->stage->stage);
    if (v != GLSL_VARIABLE_COUNT && glsl_variables[v].kind == GLSL_KIND_VARYING) {
        p->type = glsl_variables[v].type;
        p->stage->variables[v] = true;
        gv_bytes_printf(&p->expression, "gv_%.*s", (int)length - 3, p->rest + 3);
    }
    unsigned elements = 0;
    if (v == GLSL_VARIABLE_TEX_COORD)
        elements = p->stage->tex_coords = GLSL_TEX_COORDS;
    if (!strncmp(p->rest, "gl_ClipDistance", length))
        elements = p->stage->clip_distances;
    if (elements)
        gv_bytes_printf(&dims, "[%u]", elements);
    if (dims.size < sizeof p->dims && dims.size)
        memcpy(p->dims, dims.data, dims.size);
    gv_bytes_finish(&dims);
    p->rest += length;
    return p->type != NULL;
}

// ---- the rest of a name ----

static bool take_index(struct path *p)
{
    const size_t digits = strspn(p->rest + 1, "0123456789");
    if (!digits || digits > 6 || p->rest[1 + digits] != ']')
        return false;
    gv_bytes_put(&p->expression, p->rest, digits + 2);
    p->rest += digits + 2;
    p->indices++;
    return true;
}

static bool follow(struct path *p)
{
    while (*p->rest) {
        if (*p->rest == '[') {
            if (!take_index(p))
                return false;
            continue;
        }
        const struct glsl_declaration *of = p->d ? structure_of(p) : NULL;
        if (*p->rest != '.' || !of)
            return false;
        p->rest++;
        gv_bytes_u8(&p->expression, '.');
        if (!take_member(p, of))
            return false;
    }
    return true;
}

// What is left of `[a][b]` behind the indices that came.
static bool put_dims(const struct path *p, struct gv_bytes *out)
{
    unsigned skip = p->indices, depth = 0;
    if (!p->d) {
        if (!skip)
            gv_bytes_printf(out, "%s", p->dims);
        return !skip || (*p->dims && skip == 1);
    }
    for (size_t i = p->d->dims; i != GLSL_NO_TOKEN && i <= p->d->dims_end; i++) {
        const struct glsl_token *t = &p->unit->code.tokens[i];
        depth += glsl_token_is(t, "[");
        if (!skip)
            gv_bytes_put(out, t->replacement ? t->replacement : t->text,
                         t->replacement ? strlen(t->replacement) : t->size);
        if (glsl_token_is(t, "]") && --depth == 0 && skip)
            skip--;
    }
    return !skip;
}

static const char *keep(struct gv_bytes *b, struct gv_arena *arena)
{
    gv_bytes_u8(b, 0);
    const char *text = b->failed ? NULL : gv_arena_copy(arena, b->data, b->size);
    gv_bytes_finish(b);
    return text;
}

static bool resolve(struct path *p)
{
    bool found = !strncmp(p->rest, "gl_", 3) && of_builtin(p);
    for (size_t i = 0; i < p->program->unit_count && !found; i++)
        if (p->program->units[i].stage == p->stage)
            found = of_unit(p, &p->program->units[i]);
    return found && follow(p);
}

// Whether nobody before captures the variable itself.
static bool is_first(const struct glsl_upgraded *p, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (p->captures[i].variable && !strcmp(p->captures[i].variable, name))
            return false;
    return true;
}

static bool find(struct glsl_upgraded *program, size_t at, struct gv_arena *arena,
                 struct gv_error *err)
{
    struct glsl_capture *c = &program->captures[at];
    struct path p = { .program = program,
                      .stage = program->capturing,
                      .rest = c->own_name };
    struct gv_bytes dims = { 0 }, name = { 0 }, type = { 0 };
    const bool found = resolve(&p) && put_dims(&p, &dims);
    if (found && p.d) {
        const struct glsl_token *t = &p.unit->code.tokens[p.d->type];
        gv_bytes_put(&type, t->text, t->size);
    } else if (found) {
        gv_bytes_printf(&type, "%s", p.type);
    }
    c->stream = p.stream;
    c->expression = keep(&p.expression, arena);
    c->type = keep(&type, arena);
    c->dims = keep(&dims, arena);
    const bool whole = p.d && c->expression && !strpbrk(c->expression, ".[") &&
                       p.d->what == GLSL_DECLARES_VARIABLE &&
                       (p.d->qualifiers & (GLSL_OUT | GLSL_VARYING));
    c->copied = !whole || !is_first(program, at, c->expression);
    gv_bytes_printf(&name, "gv_Captured%zu", at);
    c->variable = c->copied ? keep(&name, arena) : c->expression;
    gv_bytes_finish(&name);
    if (!found)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "glsl linking: '%.60s' is captured, but no output", c->own_name);
    return (c->variable && c->expression && c->type && c->dims) ||
           gv_out_of_memory(err);
}

// ---- what the API names ----

static void name_capture(const char *name, struct glsl_capture *out)
{
    static const char skip[] = "gl_SkipComponents";
    *out = (struct glsl_capture){ .offset = -1 };
    if (!strcmp(name, "gl_NextBuffer"))
        out->next = true;
    else if (!strncmp(name, skip, sizeof skip - 1) && name[sizeof skip - 1] >= '1' &&
             name[sizeof skip - 1] <= '4' && !name[sizeof skip])
        out->skipped = (unsigned)(name[sizeof skip - 1] - '0');
    else
        out->own_name = name;
}

static bool list(struct glsl_upgraded *p, const struct gv_glsl_captures *from,
                 struct gv_arena *arena, struct gv_error *err)
{
    const struct glsl_stage *s = p->capturing;
    const size_t count =
        s->layout_capture_count ? s->layout_capture_count : from->count;
    if (count > GLSL_MAX_CAPTURES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "glsl: more than %u captured variables", GLSL_MAX_CAPTURES);
    p->captures = gv_arena_array(arena, count, sizeof *p->captures);
    if (!p->captures)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count && !s->layout_capture_count; i++) {
        name_capture(from->names[i], &p->captures[i]);
        p->captures[i].buffer = from->separate ? (unsigned)i : 0;
    }
    if (s->layout_capture_count)
        memcpy(p->captures, s->layout_captures, count * sizeof *p->captures);
    p->capture_count = count;
    return true;
}

bool glsl_find_captures(struct glsl_upgraded *p, struct gv_arena *arena,
                        struct gv_error *err)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->stages[i].last_vertex && p->stages[i].stage != GV_STAGE_COMPUTE &&
            p->stages[i].options->captures)
            p->capturing = &p->stages[i];
    if (!p->capturing)
        return true;
    if (!list(p, p->capturing->options->captures, arena, err))
        return false;
    p->capturing->captures = p->captures;
    p->capturing->capture_count = p->capture_count;
    for (size_t i = 0; i < p->capture_count; i++)
        if (p->captures[i].own_name && !find(p, i, arena, err))
            return false;
    return true;
}

// ---- text ----

void glsl_declare_captures(const struct glsl_stage *s, struct gv_bytes *out)
{
    for (size_t i = 0; i < s->capture_count; i++) {
        const struct glsl_capture *c = &s->captures[i];
        if (!c->copied)
            continue;
        if (c->stream)
            gv_bytes_printf(out, "layout(stream = %u) ", c->stream);
        gv_bytes_printf(out, "out %s %s%s;\n", c->type, c->variable, c->dims);
    }
}

void glsl_write_captures(const struct glsl_stage *s, struct gv_bytes *out)
{
    for (size_t i = 0; i < s->capture_count; i++)
        if (s->captures[i].copied)
            gv_bytes_printf(out, "  %s = %s;\n", s->captures[i].variable,
                            s->captures[i].expression);
}
