// Declarations: TEMP, ADDRESS, ATTRIB, PARAM, OUTPUT, ALIAS.
#include "compiler/shader/arb/arb_internal.h"

#include <string.h>

#include "resources/base/cursor.h"
#include "resources/hash.h"

// ---- names ----

static uint32_t bucket(const char *name, size_t size)
{
    const struct gv_hash h = gv_hash_bytes(name, size);
    return gv_load_u32(h.bytes) % ARB_BUCKETS;
}

struct arb_variable *arb_find(const struct arb *a)
{
    const struct arb_token *t = &a->at.token;
    if (t->kind != ARB_NAME)
        return NULL;
    for (struct arb_symbol *s = a->buckets[bucket(t->text, t->size)]; s; s = s->next)
        if (s->size == t->size && !memcmp(s->name, t->text, t->size))
            return s->variable;
    return NULL;
}

// Names that mean something at the beginning of a statement or operand.
static bool is_reserved(const struct arb *a)
{
    static const char *const words[] = { "TEMP",  "ADDRESS", "ATTRIB",   "PARAM",
                                         "ALIAS", "OUTPUT",  "OPTION",   "END",
                                         "state", "program", "fragment", "vertex",
                                         "result" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (arb_is(a, words[i]))
            return true;
    return false;
}

static bool new_name(struct arb *a, struct arb_variable *variable)
{
    const struct arb_token *t = &a->at.token;
    if (t->kind != ARB_NAME || is_reserved(a))
        return arb_unexpected(a, "a name");
    if (arb_find(a))
        return arb_fail(a, GV_ERR_FORMAT, "the name is taken");
    if (a->declared++ == GV_ARB_MAX_DECLARED)
        return arb_fail(a, GV_ERR_LIMIT, "over %u names", GV_ARB_MAX_DECLARED);
    struct arb_symbol *s = gv_arena_alloc(a->arena, sizeof *s);
    if (!s)
        return gv_out_of_memory(a->err);
    struct arb_symbol **first = &a->buckets[bucket(t->text, t->size)];
    *s = (struct arb_symbol){ *first, t->text, t->size, variable };
    *first = s;
    arb_advance(a);
    return true;
}

static struct arb_variable *make(struct arb *a, enum arb_symbol_kind kind)
{
    struct arb_variable *v = gv_arena_alloc(a->arena, sizeof *v);
    if (!v) {
        gv_out_of_memory(a->err);
        return NULL;
    }
    v->kind = kind;
    return new_name(a, v) ? v : NULL;
}

// ---- statements ----

// Names of registers, commas between them.
static bool registers(struct arb *a, enum arb_symbol_kind kind)
{
    uint32_t *count = kind == ARB_TEMPORARY ? &a->temporaries : &a->addresses;
    const uint32_t limit = kind == ARB_TEMPORARY ? GV_ARB_MAX_TEMPORARIES : 1;
    do {
        if (*count == limit)
            return arb_fail(a, GV_ERR_LIMIT, "over %u registers", limit);
        struct arb_variable *v = make(a, kind);
        if (!v)
            return false;
        v->number = (*count)++;
    } while (arb_accept(a, ","));
    return true;
}

static bool attribute(struct arb *a)
{
    struct arb_variable *v = make(a, ARB_ATTRIBUTE);
    return v && arb_expect(a, "=") && arb_attribute(a, &v->number);
}

static bool output(struct arb *a)
{
    struct arb_variable *v = make(a, ARB_RESULT);
    return v && arb_expect(a, "=") && arb_result(a, &v->number);
}

static bool alias(struct arb *a)
{
    const struct arb_token name = a->at.token;
    arb_advance(a);
    if (!arb_expect(a, "="))
        return false;
    struct arb_variable *v = arb_find(a);
    if (!v)
        return arb_unexpected(a, "a name that is known");
    const struct arb_place behind = a->at;
    a->at.token = name;
    if (!new_name(a, v))
        return false;
    a->at = behind;
    arb_advance(a);
    return true;
}

// Items of one binding, which has `count` rows: env[4..7], four rows of a matrix.
static void put_items(struct gv_bytes *out, const struct gv_arb_parameter *first,
                      uint32_t count)
{
    struct gv_arb_parameter p = *first;
    for (uint32_t i = 0; i < count; i++) {
        gv_bytes_put(out, &p, sizeof p);
        if (p.source >= GV_ARB_MODELVIEW)
            p.part++;
        else
            p.index++;
    }
}

static bool keep_items(struct arb *a, struct arb_variable *v, struct gv_bytes *items)
{
    if (!items->failed)
        v->items = gv_arena_copy(a->arena, items->data, items->size);
    v->count = (uint32_t)(items->size / sizeof *v->items);
    gv_bytes_finish(items);
    return v->items || gv_out_of_memory(a->err);
}

// "{ binding, binding }" of an array; `size`: what it is declared with, 0: nothing.
static bool array_items(struct arb *a, struct arb_variable *v, uint32_t size,
                        struct gv_bytes *items)
{
    if (!arb_expect(a, "{"))
        return false;
    do {
        struct gv_arb_parameter first;
        uint32_t count;
        if (!arb_parameter(a, true, &first, &count))
            return false;
        a->declared += count;
        if (a->declared > GV_ARB_MAX_DECLARED ||
            items->size / sizeof first + count > GV_ARB_MAX_PARAMETERS)
            return arb_fail(a, GV_ERR_LIMIT, "over %u parameters",
                            GV_ARB_MAX_PARAMETERS);
        put_items(items, &first, count);
    } while (arb_accept(a, ","));
    v->array = true;
    if (size && !items->failed && items->size / sizeof(struct gv_arb_parameter) != size)
        return arb_fail(a, GV_ERR_FORMAT, "the array has %u elements and is given %zu",
                        size, items->size / sizeof(struct gv_arb_parameter));
    return arb_expect(a, "}");
}

static bool parameter(struct arb *a)
{
    struct gv_bytes items = { 0 };
    struct arb_variable *v = make(a, ARB_PARAMETER);
    uint32_t size = 0, count;
    if (!v)
        return false;
    bool array = arb_accept(a, "[");
    if (array && !arb_is(a, "]") && !arb_integer(a, GV_ARB_MAX_PARAMETERS + 1, &size))
        return false;
    if ((array && !arb_expect(a, "]")) || !arb_expect(a, "="))
        return false;
    bool ok;
    if (array) {
        ok = array_items(a, v, size, &items);
    } else {
        struct gv_arb_parameter one;
        ok = arb_parameter(a, false, &one, &count);
        if (ok)
            put_items(&items, &one, 1);
    }
    if (!ok) {
        gv_bytes_finish(&items);
        return false;
    }
    return keep_items(a, v, &items);
}

bool arb_declaration(struct arb *a, bool *was)
{
    *was = true;
    if (arb_accept(a, "TEMP"))
        return registers(a, ARB_TEMPORARY);
    if (!a->fragment && arb_accept(a, "ADDRESS"))
        return registers(a, ARB_ADDRESS);
    if (arb_accept(a, "ATTRIB"))
        return attribute(a);
    if (arb_accept(a, "PARAM"))
        return parameter(a);
    if (arb_accept(a, "OUTPUT"))
        return output(a);
    if (arb_accept(a, "ALIAS"))
        return alias(a);
    *was = false;
    return true;
}
