#include "compiler/shader/glsl/glsl_join.h"

#include <string.h>

struct name {
    const struct glsl_token *token; // NULL: free
    bool loose;                     // a uniform outside blocks
};

// Names of one stage that were declared, by their hash.
struct names {
    struct name *slots; // [mask + 1], a power of two
    size_t mask;
};

static size_t hash(const struct glsl_token *t)
{
    size_t h = 2166136261u; // FNV-1a
    for (size_t i = 0; i < t->size; i++)
        h = (h ^ (unsigned char)t->text[i]) * 16777619u;
    return h;
}

// The name as it was there already; NULL: it is now.
static const struct name *meet(struct names *names, const struct glsl_token *t,
                               bool loose)
{
    for (size_t at = hash(t) & names->mask;; at = (at + 1) & names->mask) {
        struct name *other = &names->slots[at];
        if (!other->token) {
            *other = (struct name){ t, loose };
            return NULL;
        }
        if (other->token->size == t->size &&
            !memcmp(other->token->text, t->text, t->size))
            return other;
    }
}

static bool make_names(struct names *names, size_t count, struct gv_arena *arena,
                       struct gv_error *err)
{
    size_t room = 16;
    while (room < 2 * count)
        room *= 2;
    *names =
        (struct names){ gv_arena_array(arena, room, sizeof *names->slots), room - 1 };
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

// Declarations of one statement share their first token: all of them were declared
// before, or none.
static bool join_unit(struct names *names, struct glsl_unit *u)
{
    const struct glsl_declarations *all = &u->declared;
    for (size_t i = 0; i < all->count;) {
        const struct glsl_declaration *d = &all->items[i];
        size_t count = 0, known = 0;
        for (; i < all->count && all->items[i].first == d->first; i++) {
            size_t name = name_of(&all->items[i]);
            count++;
            known += name != GLSL_NO_TOKEN && meet(names, &u->code.tokens[name], false);
        }
        if (known && known < count)
            return glsl_unit_unsupported(u, "objects that share part of a declaration");
        if (known)
            glsl_unit_erase(u, d->first, d->last);
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
    if (!make_names(&names, count, arena, err))
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
    const struct name *other = meet(names, t, loose);
    const bool reserved = loose && t->size > 3 && !memcmp(t->text, "gl_", 3);
    if (!reserved && (!other || !(loose || other->loose)))
        return true;
    return gv_fail(u->err, GV_ERR_FORMAT, GV_NO_OFFSET, "glsl: '%.*s' %s",
                   t->size > 60 ? 60 : (int)t->size, t->text,
                   reserved ? "is reserved" : "is declared twice");
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

static bool check_unit(struct names *names, struct glsl_unit *u)
{
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        // Its first token may be a layout that was erased alone.
        const char *kept = u->code.tokens[d->last].replacement;
        const bool block = d->what == GLSL_DECLARES_BLOCK;
        if ((kept && !*kept) || d->what == GLSL_DECLARES_FUNCTION)
            continue;
        if (block && d->name == GLSL_NO_TOKEN && !check_members(names, u, d))
            return false;
        const bool own = i == 0 || u->declared.items[i - 1].first != d->first;
        if (!block && own && d->open != GLSL_NO_TOKEN && d->type != GLSL_NO_TOKEN &&
            !check_name(names, u, d->type, false))
            return false;
        if (d->name != GLSL_NO_TOKEN &&
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
    if (!make_names(&names, count, arena, err))
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
