#include "compiler/shader/glsl/upgrade_arrays.h"

#include "compiler/shader/glsl/glsl_notes.h"
#include "resources/base/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERFACE (GLSL_UNIFORM | GLSL_BUFFER | GLSL_IN | GLSL_OUT | GLSL_VARYING)
#define MOST_ELEMENTS (1u << 20)

// An array without a size: a variable, or a member of a block.
struct array {
    struct glsl_unit *unit;
    const struct glsl_declaration *d;
    const struct glsl_declaration *block; // NULL: none
    struct array *next;
};

struct sizing {
    struct glsl_upgraded *program;
    struct array *arrays;
    struct gv_arena *arena;
    struct gv_error *err;
};

static const struct glsl_token *token(const struct glsl_unit *u, size_t i)
{
    return &u->code.tokens[i];
}

static bool same(const struct glsl_token *a, const struct glsl_token *b)
{
    return a->size == b->size && !memcmp(a->text, b->text, a->size);
}

static bool unsized(const struct glsl_unit *u, const struct glsl_declaration *d)
{
    return d->dims != GLSL_NO_TOKEN &&
           glsl_token_is(token(u, glsl_next(&u->code, d->dims)), "]");
}

// Its elements are vertices: nobody indexes them by constants alone.
static bool per_vertex(const struct glsl_unit *u, const struct glsl_declaration *d)
{
    const uint32_t stage = u->stage->stage;
    const bool takes = stage == GV_STAGE_TESSELLATION_CONTROL ||
                       stage == GV_STAGE_TESSELLATION_EVALUATION ||
                       stage == GV_STAGE_GEOMETRY;
    return !(d->qualifiers & GLSL_PATCH) &&
           ((takes && (d->qualifiers & GLSL_IN)) ||
            (stage == GV_STAGE_TESSELLATION_CONTROL && (d->qualifiers & GLSL_OUT)));
}

// ---- finding them ----

static bool add(struct sizing *s, struct glsl_unit *u, const struct glsl_declaration *d,
                const struct glsl_declaration *block)
{
    struct array *a = gv_arena_alloc(s->arena, sizeof *a);
    if (!a)
        return gv_out_of_memory(s->err);
    *a = (struct array){ u, d, block, s->arrays };
    s->arrays = a;
    return true;
}

static bool find_members(struct sizing *s, struct glsl_unit *u,
                         const struct glsl_declaration *block)
{
    struct glsl_declarations all;
    if (!glsl_declare(&u->code, block->open + 1, block->close, s->arena, &all, s->err))
        return false;
    for (size_t i = 0; i < all.count; i++) {
        const struct glsl_declaration *d = &all.items[i];
        const bool runs = (block->qualifiers & GLSL_BUFFER) && i + 1 == all.count;
        if (d->what == GLSL_DECLARES_VARIABLE && d->name != GLSL_NO_TOKEN && !runs &&
            unsized(u, d) && !add(s, u, d, block))
            return false;
    }
    return true;
}

// gl_TexCoord and its like have sizes of their own.
static bool is_reserved(const struct glsl_token *t)
{
    return t->size > 3 && !memcmp(t->text, "gl_", 3);
}

static bool find_arrays(struct sizing *s, struct glsl_unit *u)
{
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        if (d->what == GLSL_DECLARES_BLOCK && !find_members(s, u, d))
            return false;
        if (d->what == GLSL_DECLARES_VARIABLE && d->name != GLSL_NO_TOKEN &&
            d->value == GLSL_NO_TOKEN && unsized(u, d) && !per_vertex(u, d) &&
            !is_reserved(token(u, d->name)) && !add(s, u, d, NULL))
            return false;
    }
    return true;
}

// ---- their sizes ----

// Where the name begins that token `i`, of the array's own, stands in: `a` itself, b of
// `b.a` and `b[1].a` where it is a member of a block called so. SIZE_MAX: it is
// another.
static size_t base_of(const struct glsl_unit *u, const struct array *a, size_t i)
{
    const bool instance = a->block && a->block->name != GLSL_NO_TOKEN;
    const size_t dot = glsl_previous(&u->code, i);
    const bool member = dot != SIZE_MAX && glsl_token_is(token(u, dot), ".");
    if (!instance || !member)
        return instance || member ? SIZE_MAX : i;
    size_t of = glsl_previous(&u->code, dot);
    for (unsigned depth = 0; of != SIZE_MAX; of = glsl_previous(&u->code, of)) {
        depth += glsl_token_is(token(u, of), "]");
        if (!depth)
            return same(token(u, of), token(a->unit, a->block->name)) ? of : SIZE_MAX;
        depth -= glsl_token_is(token(u, of), "[");
    }
    return SIZE_MAX;
}

static unsigned number(const struct glsl_token *t)
{
    const unsigned long n = t->kind == GLSL_NUMBER ? strtoul(t->text, NULL, 0) : 0;
    return n < MOST_ELEMENTS ? (unsigned)n : 0;
}

// One more than the largest index of the array in a text; `*plain` ends where one is no
// number.
static unsigned indexed(const struct glsl_unit *u, const struct array *a, bool *plain)
{
    const struct glsl_token *name = token(a->unit, a->d->name);
    unsigned most = 0;
    for (size_t i = 0; i < u->code.count; i++) {
        const size_t open = glsl_next(&u->code, i);
        if (!same(token(u, i), name) || !glsl_token_is(token(u, open), "[") ||
            base_of(u, a, i) == SIZE_MAX)
            continue;
        const size_t index = glsl_next(&u->code, open);
        const size_t close = glsl_next(&u->code, index);
        if (glsl_token_is(token(u, index), "]"))
            continue; // its declaration
        if (token(u, index)->kind != GLSL_NUMBER ||
            !glsl_token_is(token(u, close), "]")) {
            *plain = false;
            continue;
        }
        const unsigned n = number(token(u, index)) + 1;
        most = n > most ? n : most;
    }
    return most;
}

// The size that another declaration of the same variable has; 0: none has one.
static unsigned declared_size(const struct glsl_unit *u, const struct array *a)
{
    const struct glsl_token *name = token(a->unit, a->d->name);
    for (size_t i = 0; i < u->declared.count && !a->block; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        if (d->what == GLSL_DECLARES_VARIABLE && d->name != GLSL_NO_TOKEN &&
            d->dims != GLSL_NO_TOKEN && same(token(u, d->name), name) &&
            !unsized(u, d) && !per_vertex(u, d))
            return number(token(u, glsl_next(&u->code, d->dims)));
    }
    return 0;
}

static bool write_size(struct sizing *s, const struct array *a)
{
    const unsigned kinds = (a->block ? a->block : a->d)->qualifiers;
    unsigned most = 0;
    bool plain = true;
    for (size_t i = 0; i < s->program->unit_count; i++) {
        const struct glsl_unit *u = &s->program->units[i];
        if (u->stage != a->unit->stage && !(kinds & INTERFACE))
            continue;
        const unsigned declared = declared_size(u, a);
        if (declared && u->stage == a->unit->stage)
            return true; // it gets that one
        const unsigned n = declared ? declared : indexed(u, a, &plain);
        most = n > most ? n : most;
    }
    if (!most || !plain)
        return true;
    char *text = gv_arena_alloc(s->arena, 16);
    if (!text)
        return gv_out_of_memory(s->err);
    snprintf(text, 16, "[%u", most);
    glsl_unit_token(a->unit, a->d->dims)->replacement = text;
    return true;
}

// ---- lengths that the buffer decides ----

// Tokens as they are written now.
static void put(const struct glsl_unit *u, size_t first, size_t last,
                struct gv_bytes *out)
{
    for (size_t i = first; i <= last; i++) {
        const struct glsl_token *t = token(u, i);
        if (t->replacement)
            gv_bytes_put(out, t->replacement, strlen(t->replacement));
        else
            gv_bytes_put(out, t->kind == GLSL_SPACE ? " " : t->text,
                         t->kind == GLSL_SPACE ? 1 : t->size);
    }
}

// The block once more behind itself, ending with the array, whose length is that of
// the buffer then. `number` tells such blocks apart.
static bool declare_again(struct sizing *s, const struct array *a, unsigned number)
{
    struct glsl_token *end = glsl_unit_token(a->unit, a->block->last);
    struct glsl_token *open = glsl_unit_token(a->unit, a->d->dims);
    const char *const sized = open->replacement;
    struct gv_bytes text = { 0 };
    const size_t behind =
        a->block->name == GLSL_NO_TOKEN ? a->block->close : a->block->name;
    gv_bytes_printf(&text, "%s ", end->replacement ? end->replacement : ";");
    open->replacement = "[";
    put(a->unit, a->block->first, a->block->type - 1, &text);
    gv_bytes_printf(&text, GLSL_AGAIN "%u_", number);
    put(a->unit, a->block->type,
        a->d->name > a->d->dims_end ? a->d->name : a->d->dims_end, &text);
    gv_bytes_printf(&text, "; } " GLSL_AGAIN "%u", number);
    put(a->unit, behind + 1, a->block->last - 1, &text);
    gv_bytes_printf(&text, ";");
    open->replacement = sized;
    end->replacement =
        text.failed ? NULL : gv_arena_copy(s->arena, text.data, text.size);
    gv_bytes_finish(&text);
    return end->replacement || gv_out_of_memory(s->err);
}

// `a.length()` asks that block.
static bool ask_again(struct sizing *s, const struct array *a, size_t i, size_t base,
                      unsigned number)
{
    struct glsl_token *t = glsl_unit_token(a->unit, base);
    struct gv_bytes text = { 0 };
    gv_bytes_printf(&text, GLSL_AGAIN "%u", number);
    if (base == i) {
        gv_bytes_printf(&text, ".");
        put(a->unit, i, i, &text);
    }
    t->replacement = text.failed ? NULL : gv_arena_copy(s->arena, text.data, text.size);
    gv_bytes_finish(&text);
    return t->replacement || gv_out_of_memory(s->err);
}

static bool measure(struct sizing *s, const struct array *a, unsigned number)
{
    const struct glsl_tokens *code = &a->unit->code;
    bool any = false;
    if (!a->block || !(a->block->qualifiers & GLSL_BUFFER))
        return true;
    for (size_t i = a->block->last; i < code->count; i++) {
        const size_t dot = glsl_next(code, i), base = base_of(a->unit, a, i);
        if (!same(token(a->unit, i), token(a->unit, a->d->name)) || base == SIZE_MAX ||
            !glsl_token_is(token(a->unit, dot), ".") ||
            !glsl_token_is(token(a->unit, glsl_next(code, dot)), "length"))
            continue;
        if (!ask_again(s, a, i, base, number))
            return false;
        any = true;
    }
    return !any || declare_again(s, a, number);
}

bool glsl_size_arrays(struct glsl_upgraded *program, struct gv_arena *arena,
                      struct gv_error *err)
{
    struct sizing s = { .program = program, .arena = arena, .err = err };
    for (size_t i = 0; i < program->unit_count; i++)
        if (!find_arrays(&s, &program->units[i]))
            return false;
    for (const struct array *a = s.arrays; a; a = a->next)
        if (!write_size(&s, a))
            return false;
    unsigned number = 0;
    for (const struct array *a = s.arrays; a; a = a->next)
        if (!measure(&s, a, number++))
            return false;
    return true;
}
