#include "compiler/shader/glsl/glsl_opaque.h"

#include "resources/base/bytes.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STRUCTURES 256
#define MAX_LEAVES 1024 // of one object; no more bindings are to be had

struct structure {
    const struct glsl_declaration *d;
    struct glsl_declarations members;
    bool opaque; // a member is, or one of a member's
    unsigned locations;
};

struct flatten {
    struct glsl_unit *u;
    struct structure all[MAX_STRUCTURES];
    size_t count, leaves;
};

static const struct glsl_token *token(const struct flatten *f, size_t i)
{
    return &f->u->code.tokens[i];
}

static bool same(const struct glsl_token *a, const struct glsl_token *b)
{
    return a->size == b->size && !memcmp(a->text, b->text, a->size);
}

static bool is_opaque_type(const struct glsl_token *t)
{
    const char *p = t->text;
    size_t n = t->size;
    if (n > 6 && (*p == 'i' || *p == 'u') && p[1] != 'm') {
        p++;
        n--;
    }
    return (n > 8 && !memcmp(p, "sampler", 7)) || (n > 6 && !memcmp(p, "image", 5));
}

static struct structure *find_structure(struct flatten *f, size_t type)
{
    for (size_t i = 0; type != GLSL_NO_TOKEN && i < f->count; i++)
        if (same(token(f, f->all[i].d->type), token(f, type)))
            return &f->all[i];
    return NULL;
}

// The elements of an array (of arrays), 1 of what is none.
static unsigned elements_of(const struct flatten *f, const struct glsl_declaration *d)
{
    const struct glsl_tokens *code = &f->u->code;
    uint64_t total = 1;
    for (size_t i = d->dims; d->dims != GLSL_NO_TOKEN && i < d->dims_end;
         i = glsl_next(code, i))
        if (token(f, i)->kind == GLSL_NUMBER && total <= MAX_LEAVES)
            total *= strtoul(token(f, i)->text, NULL, 0) % 4097;
    return (unsigned)total;
}

static unsigned locations_of(struct flatten *f, const struct glsl_declaration *d)
{
    const struct structure *inner = find_structure(f, d->type);
    return elements_of(f, d) * (inner ? inner->locations : 1);
}

// Structures stand in front of those that hold them.
static bool read_structures(struct flatten *f)
{
    struct glsl_unit *u = f->u;
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        bool body = d->what == GLSL_DECLARES_TYPE || d->what == GLSL_DECLARES_VARIABLE;
        if (!body || d->open == GLSL_NO_TOKEN || d->type == GLSL_NO_TOKEN ||
            find_structure(f, d->type) || f->count == MAX_STRUCTURES)
            continue;
        struct structure *s = &f->all[f->count];
        *s = (struct structure){ .d = d };
        if (!glsl_declare(&u->code, d->open + 1, d->close, u->arena, &s->members,
                          u->err))
            return false;
        for (size_t k = 0; k < s->members.count; k++) {
            size_t type = s->members.items[k].type;
            const struct structure *inner = find_structure(f, type);
            s->opaque |= (inner && inner->opaque) ||
                         (type != GLSL_NO_TOKEN && is_opaque_type(token(f, type)));
            s->locations += locations_of(f, &s->members.items[k]);
        }
        f->count++;
    }
    return true;
}

// ---- declarations ----

// Adds a member to a path, with a level for each pair of brackets and its number.
static bool add_level(struct flatten *f, const struct glsl_declaration *d,
                      struct glsl_opaque *path)
{
    const struct glsl_tokens *code = &f->u->code;
    const char *name = glsl_unit_text(f->u, d->name);
    unsigned stride = locations_of(f, d);
    size_t at = d->dims;
    bool more = name != NULL;
    while (more && path->count < GLSL_OPAQUE_LEVELS) {
        unsigned *size = &path->levels[path->count].size;
        path->levels[path->count].stride = stride;
        path->levels[path->count++].name = name;
        *size = 0;
        name = NULL;
        if (at == GLSL_NO_TOKEN)
            return true;
        const size_t number = glsl_next(code, at), close = glsl_next(code, number);
        *size = (unsigned)strtoul(token(f, number)->text, NULL, 0);
        if (token(f, number)->kind != GLSL_NUMBER || !*size || *size > 4096 ||
            !glsl_token_is(token(f, close), "]"))
            break;
        path->levels[path->count - 1].stride = stride /= *size;
        if (close == d->dims_end)
            return true;
        at = glsl_next(code, close);
        more = glsl_token_is(token(f, at), "[");
    }
    return glsl_unit_unsupported(f->u, "arrays of structures with samplers");
}

// Adds the uniform of one sampler; `path` is complete.
static bool add_leaf(struct flatten *f, const struct glsl_opaque *path, size_t type,
                     struct gv_bytes *out)
{
    struct glsl_unit *u = f->u;
    struct gv_bytes name = { 0 };
    struct glsl_opaque *o = gv_arena_alloc(u->arena, sizeof *o);
    const struct glsl_token *t = token(f, type);
    uint64_t total = 1;
    bool array = false;
    gv_bytes_printf(&name, "gv_o");
    for (unsigned i = 0; i < path->count; i++) {
        if (path->levels[i].name)
            gv_bytes_printf(&name, "_o_%s", path->levels[i].name);
        total *= path->levels[i].size ? path->levels[i].size : 1;
        array |= path->levels[i].size > 0;
        if (total > 4096)
            break;
    }
    const char *text =
        name.failed ? NULL : gv_arena_copy(u->arena, name.data, name.size);
    gv_bytes_finish(&name);
    if (!o || !text)
        return gv_out_of_memory(u->err);
    if (total > 4096 || ++f->leaves > MAX_LEAVES)
        return glsl_unit_unsupported(u, "arrays of structures with samplers");
    *o = *path;
    o->name = text;
    o->next = u->stage->opaque;
    u->stage->opaque = o;
    gv_bytes_printf(out, " uniform %.*s %s", (int)t->size, t->text, text);
    if (array)
        gv_bytes_printf(out, "[%u]", (unsigned)total);
    gv_bytes_printf(out, ";");
    return true;
}

static bool add_leaves(struct flatten *f, const struct structure *s,
                       const struct glsl_opaque *path, struct gv_bytes *out)
{
    if (path->count == GLSL_OPAQUE_LEVELS)
        return glsl_unit_unsupported(f->u, "nested structures with samplers");
    unsigned location = path->location;
    for (size_t i = 0; i < s->members.count; i++) {
        const struct glsl_declaration *m = &s->members.items[i];
        const struct structure *inner = find_structure(f, m->type);
        struct glsl_opaque longer = *path;
        longer.location = location;
        location += locations_of(f, m);
        bool leaf = m->type != GLSL_NO_TOKEN && is_opaque_type(token(f, m->type));
        if (m->name == GLSL_NO_TOKEN || (!leaf && (!inner || !inner->opaque)))
            continue;
        if (!add_level(f, m, &longer))
            return false;
        if (leaf ? !add_leaf(f, &longer, m->type, out)
                 : !add_leaves(f, inner, &longer, out))
            return false;
    }
    return true;
}

// The uniforms of all samplers of one variable, behind the statement that declares it.
static bool declare_leaves(struct flatten *f, const struct glsl_declaration *d,
                           const struct structure *s)
{
    struct glsl_unit *u = f->u;
    struct glsl_token *end = &u->code.tokens[d->last];
    struct gv_bytes text = { 0 };
    struct glsl_opaque path = { 0 };
    gv_bytes_printf(&text, "%s", end->replacement ? end->replacement : ";");
    bool ok = add_level(f, d, &path) && add_leaves(f, s, &path, &text);
    if (ok) {
        end->replacement =
            text.failed ? NULL : gv_arena_copy(u->arena, text.data, text.size);
        ok = end->replacement || gv_out_of_memory(u->err);
    }
    gv_bytes_finish(&text);
    return ok;
}

// Keeps where a structure's members are: `d` of NULL is their end.
static bool note_member(struct flatten *f, const struct structure *s,
                        const struct glsl_declaration *d, unsigned location)
{
    struct glsl_opaque_member *m = gv_arena_alloc(f->u->arena, sizeof *m);
    if (!m)
        return gv_out_of_memory(f->u->err);
    *m = (struct glsl_opaque_member){
        .structure = glsl_unit_text(f->u, s->d->type),
        .member = d ? glsl_unit_text(f->u, d->name) : "",
        .location = location,
        .next = f->u->stage->opaque_members,
    };
    f->u->stage->opaque_members = m;
    return m->structure && m->member;
}

static bool note_members(struct flatten *f, const struct structure *s)
{
    unsigned location = 0;
    for (size_t i = 0; s->opaque && i < s->members.count; i++) {
        const struct glsl_declaration *d = &s->members.items[i];
        if (d->name != GLSL_NO_TOKEN && !note_member(f, s, d, location))
            return false;
        location += locations_of(f, d);
    }
    return !s->opaque || note_member(f, s, NULL, location);
}

// Takes the samplers out of a structure; one member stays, so that it is none without.
static void strip_structure(struct flatten *f, const struct structure *s)
{
    size_t first = GLSL_NO_TOKEN, kept = 0;
    for (size_t i = 0; i < s->members.count; i++) {
        const struct glsl_declaration *m = &s->members.items[i];
        bool opaque = m->type != GLSL_NO_TOKEN && is_opaque_type(token(f, m->type));
        kept += !opaque;
        if (!opaque)
            continue;
        first = first == GLSL_NO_TOKEN ? m->first : first;
        glsl_unit_erase(f->u, m->first, m->last);
    }
    if (!kept && first != GLSL_NO_TOKEN)
        f->u->code.tokens[first].replacement = "float " GLSL_NO_MEMBER ";";
}

// ---- uses ----

// An index of `count`, the `n`th: together they become one, row by row.
static bool join_index(struct flatten *f, size_t open, unsigned n, unsigned count,
                       unsigned size)
{
    struct glsl_unit *u = f->u;
    struct gv_bytes text = { 0 };
    size_t close = glsl_closing(&u->code, open, u->code.count);
    for (unsigned i = 0; n == 0 && i < count; i++)
        gv_bytes_printf(&text, i ? "(" : "[(");
    if (n > 0)
        gv_bytes_printf(&text, " * %u + (", size);
    const char *begin =
        text.failed ? NULL : gv_arena_copy(u->arena, text.data, text.size);
    gv_bytes_finish(&text);
    if (!begin || close >= u->code.count)
        return begin ? glsl_unit_unsupported(u, "an index without an end")
                     : gv_out_of_memory(u->err);
    u->code.tokens[open].replacement = begin;
    bool last = n + 1 == count;
    u->code.tokens[close].replacement =
        n == 0 ? (last ? ")]" : ")") : (last ? "))]" : "))");
    return true;
}

// Whether the tokens behind `i` name this member: `[a].x[b].t`. `*end` is the token
// behind, `indices` where the brackets open, GLSL_NO_TOKEN for levels without.
static bool follows(const struct flatten *f, size_t i, const struct glsl_opaque *o,
                    size_t indices[GLSL_OPAQUE_LEVELS])
{
    const struct glsl_tokens *code = &f->u->code;
    for (unsigned k = 0; k < o->count; k++) {
        const char *name = o->levels[k].name;
        if (k > 0 && name) {
            if (i >= code->count || !glsl_token_is(token(f, i), "."))
                return false;
            i = glsl_next(code, i);
        }
        if (name && (i >= code->count || !glsl_token_is(token(f, i), name)))
            return false;
        i = name ? glsl_next(code, i) : i;
        indices[k] = GLSL_NO_TOKEN;
        if (o->levels[k].size && i < code->count && glsl_token_is(token(f, i), "[")) {
            indices[k] = i;
            i = glsl_next(code, glsl_closing(code, i, code->count - 1));
        }
    }
    return true;
}

// Erases names and dots; what stands in brackets stays.
static void erase_path(struct flatten *f, size_t i, const struct glsl_opaque *o,
                       const size_t indices[GLSL_OPAQUE_LEVELS])
{
    const struct glsl_tokens *code = &f->u->code;
    for (unsigned k = 0; k < o->count; k++) {
        if (k > 0 && o->levels[k].name) {
            glsl_unit_erase(f->u, i, i); // the dot
            i = glsl_next(code, i);
        }
        if (o->levels[k].name) {
            glsl_unit_erase(f->u, i, i);
            i = glsl_next(code, i);
        }
        if (indices[k] != GLSL_NO_TOKEN)
            i = glsl_next(code, glsl_closing(code, indices[k], code->count - 1));
    }
}

static bool rewrite_use(struct flatten *f, size_t i, const struct glsl_opaque *o,
                        const size_t indices[GLSL_OPAQUE_LEVELS])
{
    unsigned count = 0, n = 0;
    for (unsigned k = 0; k < o->count; k++) {
        count += o->levels[k].size > 0;
        if (o->levels[k].size && indices[k] == GLSL_NO_TOKEN)
            return glsl_unit_unsupported(f->u,
                                         "a whole array of a structure's samplers");
    }
    erase_path(f, i, o, indices);
    f->u->code.tokens[i].replacement = o->name;
    for (unsigned k = 0; k < o->count; k++)
        if (o->levels[k].size &&
            !join_index(f, indices[k], n++, count, o->levels[k].size))
            return false;
    return true;
}

// A structure with samplers that stands elsewhere than in its own definition and in
// uniforms: an argument, a local variable.
static bool stands_elsewhere(struct flatten *f, size_t i)
{
    const struct structure *s = find_structure(f, i);
    if (!s || !s->opaque || i == s->d->type)
        return false;
    for (size_t k = 0; k < f->u->declared.count; k++) {
        const struct glsl_declaration *d = &f->u->declared.items[k];
        if (i >= d->first && i <= d->last)
            return d->what == GLSL_DECLARES_FUNCTION;
    }
    return true;
}

static bool rewrite_uses(struct flatten *f)
{
    const struct glsl_tokens *code = &f->u->code;
    for (size_t i = 0; i < code->count; i++) {
        size_t indices[GLSL_OPAQUE_LEVELS], before = glsl_previous(code, i);
        if (token(f, i)->kind != GLSL_IDENTIFIER || token(f, i)->replacement ||
            (before != SIZE_MAX && glsl_token_is(token(f, before), ".")))
            continue;
        if (stands_elsewhere(f, i))
            return glsl_unit_unsupported(f->u, "a structure with samplers that is no "
                                               "uniform");
        for (const struct glsl_opaque *o = f->u->stage->opaque; o; o = o->next)
            if (follows(f, i, o, indices)) {
                if (!rewrite_use(f, i, o, indices))
                    return false;
                break;
            }
    }
    return true;
}

bool glsl_flatten_opaque(struct glsl_unit *u)
{
    struct flatten *f = gv_arena_alloc(u->arena, sizeof *f);
    bool any = false;
    if (!f)
        return gv_out_of_memory(u->err);
    f->u = u;
    if (!read_structures(f))
        return false;
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        const struct structure *s = find_structure(f, d->type);
        if (!s || !s->opaque || !(d->qualifiers & GLSL_UNIFORM) ||
            d->what != GLSL_DECLARES_VARIABLE || d->name == GLSL_NO_TOKEN)
            continue;
        any = true;
        if (!declare_leaves(f, d, s))
            return false;
    }
    if (any && !rewrite_uses(f))
        return false;
    for (size_t i = 0; any && i < f->count; i++) {
        if (!note_members(f, &f->all[i]))
            return false;
        strip_structure(f, &f->all[i]);
    }
    return true;
}

const struct glsl_opaque_member *glsl_find_opaque_member(const struct glsl_stage *s,
                                                         const char *structure,
                                                         const char *member)
{
    for (const struct glsl_opaque_member *m = s->opaque_members; m; m = m->next)
        if (!strcmp(m->structure, structure) && !strcmp(m->member, member))
            return m;
    return NULL;
}

const struct glsl_opaque *glsl_find_opaque(const struct glsl_stage *s, const char *name)
{
    for (const struct glsl_opaque *o = s->opaque; o; o = o->next)
        if (!strcmp(o->name, name))
            return o;
    return NULL;
}

// ---- buffers by number ----

#define MOST_CHOSEN 16u // elements of an array

// "samplerBuffer" behind the letter of its kind, NULL: another type.
static const char *buffer_kind(const struct glsl_token *t)
{
    const bool plain = glsl_token_is(t, "samplerBuffer");
    const bool integer =
        glsl_token_is(t, "isamplerBuffer") || glsl_token_is(t, "usamplerBuffer");
    return plain ? "" : integer ? (*t->text == 'i' ? "i" : "u") : NULL;
}

// The function that is called with `name[...]` in front, GLSL_NO_TOKEN: none, or the
// number is written out. `*close`: of the brackets.
static size_t chooser(const struct glsl_unit *u, size_t name, size_t *close)
{
    const struct glsl_tokens *code = &u->code;
    const size_t open = glsl_next(code, name), before = glsl_previous(code, name);
    const size_t call = before == SIZE_MAX ? SIZE_MAX : glsl_previous(code, before);
    if (call == SIZE_MAX || !glsl_token_is(&code->tokens[before], "(") ||
        open >= code->count || !glsl_token_is(&code->tokens[open], "["))
        return GLSL_NO_TOKEN;
    *close = glsl_closing(code, open, code->count);
    const size_t number = glsl_next(code, open);
    if (*close >= code->count ||
        (code->tokens[number].kind == GLSL_NUMBER && glsl_next(code, number) == *close))
        return GLSL_NO_TOKEN;
    const struct glsl_token *f = &code->tokens[call];
    return glsl_token_is(f, "texelFetch") || glsl_token_is(f, "textureSize")
               ? call
               : GLSL_NO_TOKEN;
}

static bool replace(struct glsl_unit *u, size_t i, const struct gv_bytes *text)
{
    u->code.tokens[i].replacement =
        text->failed ? NULL : gv_arena_copy(u->arena, text->data, text->size);
    return u->code.tokens[i].replacement || gv_out_of_memory(u->err);
}

static void write_choosers(struct gv_bytes *out, const char *kind, const char *name,
                           unsigned number, unsigned size)
{
    gv_bytes_printf(out, " %svec4 gv_ChosenFetch%u(int i, int at) { switch (i) {", kind,
                    number);
    for (unsigned i = 1; i < size; i++)
        gv_bytes_printf(out, " case %u: return texelFetch(%s[%u], at);", i, name, i);
    gv_bytes_printf(out, " default: return texelFetch(%s[0], at); } }", name);
    gv_bytes_printf(out, " int gv_ChosenSize%u(int i) { switch (i) {", number);
    for (unsigned i = 1; i < size; i++)
        gv_bytes_printf(out, " case %u: return textureSize(%s[%u]);", i, name, i);
    gv_bytes_printf(out, " default: return textureSize(%s[0]); } }", name);
}

// Calls with an element of one array, as calls of functions that choose.
static bool choose_among(struct glsl_unit *u, const struct glsl_declaration *d,
                         const char *kind, unsigned size)
{
    const char *name = glsl_unit_text(u, d->name);
    struct glsl_token *end = &u->code.tokens[d->last];
    struct gv_bytes text = { 0 };
    bool any = false, ok = name != NULL;
    for (size_t i = d->last; ok && i < u->code.count; i++) {
        size_t close = 0;
        const size_t call = glsl_token_is(&u->code.tokens[i], name)
                                ? chooser(u, i, &close)
                                : GLSL_NO_TOKEN;
        if (call == GLSL_NO_TOKEN)
            continue;
        any = true;
        text.size = 0;
        gv_bytes_printf(&text, "gv_Chosen%s%u",
                        glsl_token_is(&u->code.tokens[call], "texelFetch") ? "Fetch"
                                                                           : "Size",
                        u->stage->chosen);
        ok = replace(u, call, &text);
        u->code.tokens[glsl_next(&u->code, i)].replacement = "int(";
        u->code.tokens[close].replacement = ")";
        glsl_unit_erase(u, i, i);
    }
    text.size = 0;
    gv_bytes_printf(&text, "%s", end->replacement ? end->replacement : ";");
    if (ok && any) {
        write_choosers(&text, kind, name, u->stage->chosen++, size);
        ok = replace(u, d->last, &text);
    }
    gv_bytes_finish(&text);
    return ok || (!name && gv_out_of_memory(u->err));
}

bool glsl_choose_buffers(struct glsl_unit *u)
{
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        if (d->what != GLSL_DECLARES_VARIABLE || !(d->qualifiers & GLSL_UNIFORM) ||
            d->type == GLSL_NO_TOKEN || d->name == GLSL_NO_TOKEN ||
            d->dims == GLSL_NO_TOKEN)
            continue;
        const char *kind = buffer_kind(&u->code.tokens[d->type]);
        const size_t number = glsl_next(&u->code, d->dims);
        const struct glsl_token *t = &u->code.tokens[number];
        const unsigned long size = strtoul(t->text, NULL, 0);
        if (kind && t->kind == GLSL_NUMBER &&
            glsl_next(&u->code, number) == d->dims_end && size > 1 &&
            size <= MOST_CHOSEN && !choose_among(u, d, kind, (unsigned)size))
            return false;
    }
    return true;
}
