#include "compiler/shader/glsl/upgrade_parts.h"

#include "compiler/shader/glsl/glsl_opaque.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A uniform, a block, or a member of one without an instance, that a text declares.
struct declared {
    const char *name;
    uint32_t part;
    bool block;
    struct glsl_note *note; // NULL: of a member
    struct glsl_stage *stage;
    const char *renamed; // NULL: it keeps its name
};

struct all {
    struct declared *list; // by name, then by part
    size_t count, capacity;
    struct glsl_upgraded *program;
    const uint32_t *parts;
    struct gv_arena *arena;
    struct gv_error *err;
};

static int compare(const void *a, const void *b)
{
    const struct declared *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->part > y->part) - (x->part < y->part);
}

static bool add(struct all *all, const struct declared *d)
{
    if (all->count == all->capacity) {
        const size_t more = all->capacity ? 2 * all->capacity : 64;
        struct declared *list = gv_arena_array(all->arena, more, sizeof *list);
        if (!list)
            return gv_out_of_memory(all->err);
        if (all->count)
            memcpy(list, all->list, all->count * sizeof *list);
        all->list = list;
        all->capacity = more;
    }
    all->list[all->count++] = *d;
    return true;
}

// What stands in a block without an instance is named as if it stood outside.
static bool is_open(const struct glsl_declaration *d)
{
    return d->what == GLSL_DECLARES_BLOCK && d->name == GLSL_NO_TOKEN;
}

static bool add_members(struct all *all, const struct declared *block)
{
    const struct glsl_declaration *d = &block->note->declaration;
    struct glsl_unit *u = block->note->unit;
    struct glsl_declarations members = { 0 };
    if (!glsl_declare(&u->code, d->open + 1, d->close, all->arena, &members, all->err))
        return false;
    for (size_t i = 0; i < members.count; i++) {
        const struct glsl_declaration *m = &members.items[i];
        struct declared to = { .part = block->part, .stage = block->stage };
        if (m->what != GLSL_DECLARES_VARIABLE || m->name == GLSL_NO_TOKEN)
            continue;
        to.name = glsl_unit_text(u, m->name);
        if (!to.name || !add(all, &to))
            return false;
    }
    return true;
}

static bool collect(struct all *all)
{
    struct glsl_upgraded *p = all->program;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < p->stages[i].note_count; k++) {
            struct glsl_note *n = &p->stages[i].notes[k];
            const struct declared d = {
                .name = n->name,
                .part = all->parts[n->unit - p->units],
                .block = n->declaration.what == GLSL_DECLARES_BLOCK,
                .note = n,
                .stage = &p->stages[i],
            };
            if (!(n->qualifiers & (GLSL_UNIFORM | GLSL_BUFFER)))
                continue;
            if (!add(all, &d) || (is_open(&n->declaration) && !add_members(all, &d)))
                return false;
        }
    if (all->count)
        qsort(all->list, all->count, sizeof *all->list, compare);
    return true;
}

// The first part that has a name keeps it.
static bool choose(struct all *all)
{
    for (size_t i = 0, first = 0; i < all->count; i++) {
        struct declared *d = &all->list[i];
        if (strcmp(d->name, all->list[first].name) != 0)
            first = i;
        if (d->part == all->list[first].part)
            continue;
        const size_t room = strlen(d->name) + 16;
        char *text = gv_arena_alloc(all->arena, room);
        if (!text)
            return gv_out_of_memory(all->err);
        if (d->note && glsl_find_opaque(d->stage, d->name))
            return gv_fail(all->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: glsl structures of samplers of one name in "
                           "several programs");
        snprintf(text, room, GLSL_PART_NAME "%s", d->part, d->name);
        d->renamed = text;
    }
    return true;
}

static const struct declared *find(const struct all *all, const char *name,
                                   uint32_t part)
{
    const struct declared key = { .name = name, .part = part };
    return all->count ? bsearch(&key, all->list, all->count, sizeof *all->list, compare)
                      : NULL;
}

// The end of the members that begin at a token; 0: none do. `*next` goes along.
static size_t members_end(const struct glsl_unit *u, size_t token, size_t *next)
{
    while (*next < u->declared.count) {
        const struct glsl_declaration *d = &u->declared.items[*next];
        const bool members = d->what != GLSL_DECLARES_FUNCTION && !is_open(d) &&
                             d->open != GLSL_NO_TOKEN && d->close != GLSL_NO_TOKEN;
        if (members && d->open == token)
            return d->close;
        if (members && d->open > token)
            return 0;
        ++*next;
    }
    return 0;
}

static bool rename_token(const struct all *all, struct glsl_unit *u, uint32_t part,
                         size_t i)
{
    struct glsl_token *t = &u->code.tokens[i];
    const size_t before = glsl_previous(&u->code, i);
    if (t->kind != GLSL_IDENTIFIER ||
        (before != SIZE_MAX && glsl_token_is(&u->code.tokens[before], ".")))
        return true;
    const char *name = glsl_unit_text(u, i);
    if (!name)
        return false;
    const struct declared *d = find(all, name, part);
    if (d && d->renamed && !d->block)
        t->replacement = d->renamed;
    return true;
}

// The end of layout( ) that begins at a token; 0: none does.
static size_t layout_end(const struct glsl_unit *u, size_t token)
{
    const size_t open = glsl_next(&u->code, token);
    return glsl_token_is(&u->code.tokens[token], "layout") && open < u->code.count &&
                   glsl_token_is(&u->code.tokens[open], "(")
               ? glsl_closing(&u->code, open, u->code.count)
               : 0;
}

// Names of variables wherever they stand but behind dots, in layouts and among members.
static bool rename_variables(const struct all *all, struct glsl_unit *u, uint32_t part)
{
    size_t next = 0;
    for (size_t i = 0; i < u->code.count; i++) {
        const size_t members = members_end(u, i, &next), layout = layout_end(u, i);
        if (members > i)
            i = members;
        else if (layout > i)
            i = layout;
        else if (!rename_token(all, u, part, i))
            return false;
    }
    return true;
}

bool glsl_part_names(struct glsl_upgraded *program, const uint32_t *parts,
                     struct gv_arena *arena, struct gv_error *err)
{
    struct all all = { .program = program, .parts = parts, .arena = arena, .err = err };
    bool renames = false;
    if (!parts)
        return true;
    if (!collect(&all) || !choose(&all))
        return false;
    for (size_t i = 0; i < all.count; i++)
        renames = renames || all.list[i].renamed;
    for (size_t i = 0; renames && i < program->unit_count; i++)
        if (parts[i] && !rename_variables(&all, &program->units[i], parts[i]))
            return false;
    for (size_t i = 0; i < all.count; i++) {
        struct glsl_note *n = all.list[i].note;
        if (!all.list[i].renamed || !n)
            continue;
        if (all.list[i].block)
            n->unit->code.tokens[n->declaration.type].replacement = all.list[i].renamed;
        n->name = all.list[i].renamed;
    }
    return true;
}
