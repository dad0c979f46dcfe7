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
        }
        f->count++;
    }
    return true;
}

// ---- declarations ----

// The elements of an array with one pair of brackets and a number in it.
static bool read_size(struct flatten *f, const struct glsl_declaration *d,
                      unsigned *size)
{
    const struct glsl_tokens *code = &f->u->code;
    *size = 0;
    if (d->dims == GLSL_NO_TOKEN)
        return true;
    size_t number = glsl_next(code, d->dims);
    *size = (unsigned)strtoul(token(f, number)->text, NULL, 0);
    bool plain =
        token(f, number)->kind == GLSL_NUMBER && glsl_next(code, number) == d->dims_end;
    return (plain && *size > 0 && *size <= 4096) ||
           glsl_unit_unsupported(f->u, "arrays of structures with samplers");
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
    for (size_t i = 0; i < s->members.count; i++) {
        const struct glsl_declaration *m = &s->members.items[i];
        const struct structure *inner = find_structure(f, m->type);
        struct glsl_opaque longer = *path;
        bool leaf = m->type != GLSL_NO_TOKEN && is_opaque_type(token(f, m->type));
        if (m->name == GLSL_NO_TOKEN || (!leaf && (!inner || !inner->opaque)))
            continue;
        longer.levels[longer.count].name = glsl_unit_text(f->u, m->name);
        if (!longer.levels[longer.count].name ||
            !read_size(f, m, &longer.levels[longer.count].size))
            return false;
        longer.count++;
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
    struct glsl_opaque path = { .count = 1 };
    path.levels[0].name = glsl_unit_text(u, d->name);
    gv_bytes_printf(&text, "%s", end->replacement ? end->replacement : ";");
    bool ok = path.levels[0].name && read_size(f, d, &path.levels[0].size) &&
              add_leaves(f, s, &path, &text);
    if (ok) {
        end->replacement =
            text.failed ? NULL : gv_arena_copy(u->arena, text.data, text.size);
        ok = end->replacement || gv_out_of_memory(u->err);
    }
    gv_bytes_finish(&text);
    return ok;
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
        if (k > 0) {
            if (i >= code->count || !glsl_token_is(token(f, i), "."))
                return false;
            i = glsl_next(code, i);
        }
        if (i >= code->count || !glsl_token_is(token(f, i), o->levels[k].name))
            return false;
        i = glsl_next(code, i);
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
        if (k > 0) {
            glsl_unit_erase(f->u, i, i); // the dot
            i = glsl_next(code, i);
        }
        glsl_unit_erase(f->u, i, i);
        i = glsl_next(code, i);
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
    for (size_t i = 0; any && i < f->count; i++)
        strip_structure(f, &f->all[i]);
    return true;
}

const struct glsl_opaque *glsl_find_opaque(const struct glsl_stage *s, const char *name)
{
    for (const struct glsl_opaque *o = s->opaque; o; o = o->next)
        if (!strcmp(o->name, name))
            return o;
    return NULL;
}
