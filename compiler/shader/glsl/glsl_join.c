#include "compiler/shader/glsl/glsl_join.h"

#include <string.h>

// Names of one stage that were declared, by their hash.
struct names {
    const struct glsl_token **slots; // [mask + 1], a power of two; NULL: free
    size_t mask;
};

static size_t hash(const struct glsl_token *t)
{
    size_t h = 2166136261u; // FNV-1a
    for (size_t i = 0; i < t->size; i++)
        h = (h ^ (unsigned char)t->text[i]) * 16777619u;
    return h;
}

// Whether the name was there already; it is now.
static bool meet(struct names *names, const struct glsl_token *t)
{
    for (size_t at = hash(t) & names->mask;; at = (at + 1) & names->mask) {
        const struct glsl_token *other = names->slots[at];
        if (!other) {
            names->slots[at] = t;
            return false;
        }
        if (other->size == t->size && !memcmp(other->text, t->text, t->size))
            return true;
    }
}

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
            known += name != GLSL_NO_TOKEN && meet(names, &u->code.tokens[name]);
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
    size_t count = 0, objects = 0, room = 16;
    for (size_t i = 0; i < p->unit_count; i++)
        if (p->units[i].stage == s) {
            count += p->units[i].declared.count;
            objects++;
        }
    if (objects < 2)
        return true;
    while (room < 2 * count)
        room *= 2;
    struct names names = { gv_arena_array(arena, room, sizeof(void *)), room - 1 };
    if (!names.slots)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < p->unit_count; i++)
        if (p->units[i].stage == s && !join_unit(&names, &p->units[i]))
            return false;
    return true;
}

bool glsl_join(struct glsl_upgraded *program, struct gv_arena *arena,
               struct gv_error *err)
{
    for (size_t i = 0; i < program->count; i++)
        if (!join_stage(program, &program->stages[i], arena, err))
            return false;
    return true;
}
