#include "compiler/shader/glsl/glsl_join.h"

#include <string.h>

struct name {
    const struct glsl_token *token; // NULL: free
    bool loose;                     // a uniform outside blocks
    const struct glsl_unit *unit;   // that declares it, where objects are joined
    const struct glsl_declaration *declaration;
};

// Names of one stage that were declared, by their hash.
struct names {
    struct name *slots; // [mask + 1], a power of two
    size_t mask;
    const struct glsl_unit *units; // the program's
};

static size_t hash(const struct glsl_token *t)
{
    size_t h = 2166136261u; // FNV-1a
    for (size_t i = 0; i < t->size; i++)
        h = (h ^ (unsigned char)t->text[i]) * 16777619u;
    return h;
}

// The name as it was there already; NULL: it is now.
static struct name *meet(struct names *names, const struct name *own)
{
    const struct glsl_token *t = own->token;
    for (size_t at = hash(t) & names->mask;; at = (at + 1) & names->mask) {
        struct name *other = &names->slots[at];
        if (!other->token) {
            *other = *own;
            return NULL;
        }
        if (other->token->size == t->size &&
            !memcmp(other->token->text, t->text, t->size))
            return other;
    }
}

// Of a token: "glsl: unit:line:", as glsl_blame takes it.
static bool refuse(const struct names *names, struct glsl_unit *u, size_t i,
                   const char *what)
{
    const struct glsl_token *t = &u->code.tokens[i];
    size_t line = 1;
    for (size_t k = 0; k < i; k++)
        for (size_t c = 0; c < u->code.tokens[k].size; c++)
            line += u->code.tokens[k].text[c] == '\n';
    return gv_fail(u->err, GV_ERR_FORMAT, GV_NO_OFFSET, "glsl: %zu:%zu: '%.*s' %s",
                   (size_t)(u - names->units), line, t->size > 60 ? 60 : (int)t->size,
                   t->text, what);
}

static bool make_names(struct names *names, size_t count,
                       const struct glsl_upgraded *program, struct gv_arena *arena,
                       struct gv_error *err)
{
    size_t room = 16;
    while (room < 2 * count)
        room *= 2;
    *names = (struct names){ gv_arena_array(arena, room, sizeof *names->slots),
                             room - 1, program->units };
    return names->slots || gv_out_of_memory(err);
}

// ---- what objects share ----

// The token that names what a declaration brings, GLSL_NO_TOKEN: nothing that is
// shared.
static size_t name_of(const struct glsl_declaration *d)
{
    switch (d->what) {
    case GLSL_DECLARES_VARIABLE:
        return d->name;
    case GLSL_DECLARES_TYPE:
    case GLSL_DECLARES_BLOCK:
        return d->type;
    case GLSL_DECLARES_FUNCTION:
    case GLSL_DECLARES_NOTHING:
        break;
    }
    return GLSL_NO_TOKEN;
}

static bool same_type(const struct name *a, const struct glsl_unit *u,
                      const struct glsl_declaration *d)
{
    const unsigned kinds = GLSL_UNIFORM | GLSL_IN | GLSL_OUT | GLSL_BUFFER | GLSL_CONST;
    if (a->declaration->what != d->what ||
        (a->declaration->qualifiers & kinds) != (d->qualifiers & kinds))
        return false;
    if (d->what != GLSL_DECLARES_VARIABLE || d->type == GLSL_NO_TOKEN ||
        a->declaration->type == GLSL_NO_TOKEN)
        return true;
    const struct glsl_token *x = &a->unit->code.tokens[a->declaration->type];
    const struct glsl_token *y = &u->code.tokens[d->type];
    return x->size == y->size && !memcmp(x->text, y->text, x->size);
}

// Whether its outermost dimension has no size.
static bool unsized(const struct glsl_unit *u, const struct glsl_declaration *d)
{
    return d->dims != GLSL_NO_TOKEN &&
           glsl_token_is(&u->code.tokens[glsl_next(&u->code, d->dims)], "]");
}

// One declaration of an object: whether it is `known` from one before.
static bool join_name(struct names *names, struct glsl_unit *u,
                      const struct glsl_declaration *d, bool *known)
{
    const size_t name = name_of(d);
    *known = false;
    if (name == GLSL_NO_TOKEN)
        return true;
    const struct name own = { &u->code.tokens[name], false, u, d };
    struct name *other = meet(names, &own);
    if (!other)
        return true;
    if (!same_type(other, u, d))
        return refuse(names, u, name, "is declared otherwise elsewhere");
    const bool uniform = d->qualifiers & GLSL_UNIFORM;
    if (!uniform && d->what == GLSL_DECLARES_VARIABLE && d->value != GLSL_NO_TOKEN &&
        other->declaration->value == GLSL_NO_TOKEN)
        return glsl_unit_unsupported(u, "initialiser in a later object");
    // An array may be declared again with its size.
    *known = uniform || !unsized(other->unit, other->declaration) || unsized(u, d);
    if (!*known)
        *other = own;
    return true;
}

// Names of a statement that are known, with the comma behind each; before those that
// nothing is kept behind.
static void erase_known(struct glsl_unit *u, const struct glsl_declaration *all,
                        const bool *known, size_t count)
{
    size_t kept = 0; // the last one that is
    for (size_t i = 0; i < count; i++)
        kept = known[i] ? kept : i;
    for (size_t i = 0; i < count; i++) {
        const size_t behind =
            i + 1 < count ? all[i + 1].name : glsl_previous(&u->code, all[i].last) + 1;
        if (i < kept && known[i])
            glsl_unit_erase(u, all[i].name, behind - 1);
    }
    if (kept + 1 < count)
        glsl_unit_erase(u, glsl_previous(&u->code, all[kept + 1].name),
                        glsl_previous(&u->code, all[kept].last));
}

// The declarations of one statement, which share their first token.
static bool join_statement(struct names *names, struct glsl_unit *u,
                           const struct glsl_declaration *all, size_t count)
{
    bool *known = gv_arena_array(u->arena, count, sizeof *known);
    size_t found = 0;
    if (!known)
        return gv_out_of_memory(u->err);
    for (size_t i = 0; i < count; i++) {
        if (!join_name(names, u, &all[i], &known[i]))
            return false;
        found += known[i];
    }
    if (found == count)
        glsl_unit_erase(u, all->first, all->last);
    else if (found)
        erase_known(u, all, known, count);
    return true;
}

static bool join_unit(struct names *names, struct glsl_unit *u)
{
    const struct glsl_declarations *all = &u->declared;
    for (size_t i = 0, end = 0; i < all->count; i = end) {
        while (end < all->count && all->items[end].first == all->items[i].first)
            end++;
        if (!join_statement(names, u, &all->items[i], end - i))
            return false;
    }
    return true;
}

static bool join_stage(struct glsl_upgraded *p, const struct glsl_stage *s,
                       struct gv_arena *arena, struct gv_error *err)
{
    size_t count = 0, objects = 0;
    struct names names;
    for (size_t i = 0; i < p->unit_count; i++)
        if (p->units[i].stage == s) {
            count += p->units[i].declared.count;
            objects++;
        }
    if (objects < 2)
        return true;
    if (!make_names(&names, count, p, arena, err))
        return false;
    for (size_t i = 0; i < p->unit_count; i++)
        if (p->units[i].stage == s && !join_unit(&names, &p->units[i]))
            return false;
    return true;
}

// ---- uniforms that something else is called, too ----

// glslang compares a uniform outside blocks with whatever has its name at global scope,
// and does not live through a difference.
static bool check_name(struct names *names, struct glsl_unit *u, size_t i, bool loose)
{
    const struct glsl_token *t = &u->code.tokens[i];
    const struct name own = { .token = t, .loose = loose };
    const struct name *other = meet(names, &own);
    const bool reserved = loose && t->size > 3 && !memcmp(t->text, "gl_", 3);
    if (!reserved && (!other || !(loose || other->loose)))
        return true;
    return refuse(names, u, i, reserved ? "is reserved" : "is declared twice");
}

// Members of a block without an instance are names at global scope.
static bool check_members(struct names *names, struct glsl_unit *u,
                          const struct glsl_declaration *d)
{
    struct glsl_declarations members;
    if (!glsl_declare(&u->code, d->open + 1, d->close, u->arena, &members, u->err))
        return false;
    for (size_t i = 0; i < members.count; i++)
        if (members.items[i].name != GLSL_NO_TOKEN &&
            !check_name(names, u, members.items[i].name, false))
            return false;
    return true;
}

static bool erased(const struct glsl_unit *u, size_t i)
{
    const char *kept = u->code.tokens[i].replacement;
    return kept && !*kept;
}

static bool check_unit(struct names *names, struct glsl_unit *u)
{
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        const bool block = d->what == GLSL_DECLARES_BLOCK;
        // Its first token may be a layout that was erased alone.
        if (erased(u, d->last) || d->what == GLSL_DECLARES_FUNCTION)
            continue;
        if (block && d->name == GLSL_NO_TOKEN && !check_members(names, u, d))
            return false;
        const bool own = i == 0 || u->declared.items[i - 1].first != d->first;
        if (!block && own && d->open != GLSL_NO_TOKEN && d->type != GLSL_NO_TOKEN &&
            !check_name(names, u, d->type, false))
            return false;
        if (d->name != GLSL_NO_TOKEN && !erased(u, d->name) &&
            !check_name(names, u, d->name, !block && (d->qualifiers & GLSL_UNIFORM)))
            return false;
    }
    return true;
}

static bool check_stage(struct glsl_upgraded *p, const struct glsl_stage *s,
                        struct gv_arena *arena, struct gv_error *err)
{
    struct names names;
    size_t count = 0;
    for (size_t i = 0; i < p->unit_count; i++)
        if (p->units[i].stage == s) // one name takes more than one token
            count += p->units[i].code.count;
    if (!make_names(&names, count, p, arena, err))
        return false;
    for (size_t i = 0; i < p->unit_count; i++)
        if (p->units[i].stage == s && !check_unit(&names, &p->units[i]))
            return false;
    return true;
}

bool glsl_join(struct glsl_upgraded *program, struct gv_arena *arena,
               struct gv_error *err)
{
    for (size_t i = 0; i < program->count; i++)
        if (!join_stage(program, &program->stages[i], arena, err) ||
            !check_stage(program, &program->stages[i], arena, err))
            return false;
    return true;
}
