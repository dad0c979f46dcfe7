#include "vm/spirv/spirv_edit.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PARTS 4u // of a vector

// Kinds of things that are made once; further ones are the opcodes of types.
enum kind { CONSTANT, NOTHING, LAST, PARAMETERS, NUMBER, HELPER };

struct gv_spirv_made {
    uint32_t kind, type, value, id;
};

void gv_spirv_edit_init(struct gv_spirv_edit *e, const uint32_t *words,
                        size_t functions)
{
    *e = (struct gv_spirv_edit){ .words = words,
                                 .functions = functions,
                                 .next_id = words[GV_SPIRV_BOUND_WORD] };
}

void gv_spirv_edit_finish(struct gv_spirv_edit *e)
{
    gv_bytes_finish(&e->front);
    gv_bytes_finish(&e->head);
    gv_bytes_finish(&e->body);
    gv_bytes_finish(&e->helpers);
    free(e->made);
    free(e->table);
    *e = (struct gv_spirv_edit){ 0 };
}

bool gv_spirv_edit_failed(const struct gv_spirv_edit *e)
{
    return e->out_of_memory || e->front.failed || e->head.failed || e->body.failed ||
           e->helpers.failed;
}

// ---- the module ----

static size_t join(const struct gv_spirv_edit *e, uint8_t *to)
{
    const struct gv_bytes sections[] = { e->front, e->head, e->body, e->helpers };
    size_t size = 0;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (to && sections[i].size)
            memcpy(to + size, sections[i].data, sections[i].size);
        size += sections[i].size;
    }
    return size;
}

static void fill(const struct gv_spirv_edit *e, uint32_t *words)
{
    join(e, (uint8_t *)words);
    words[GV_SPIRV_BOUND_WORD] = e->next_id;
}

bool gv_spirv_edit_take(struct gv_spirv_edit *e, uint32_t **out, size_t *count,
                        struct gv_error *err)
{
    const size_t size = join(e, NULL);
    uint32_t *words = gv_spirv_edit_failed(e) ? NULL : malloc(size);
    if (!words)
        return gv_out_of_memory(err);
    fill(e, words);
    *out = words;
    *count = size / sizeof *words;
    return true;
}

bool gv_spirv_edit_copy(const struct gv_spirv_edit *e, struct gv_arena *arena,
                        uint32_t **out, size_t *count, struct gv_error *err)
{
    const size_t n = join(e, NULL) / sizeof **out;
    uint32_t *words =
        gv_spirv_edit_failed(e) ? NULL : gv_arena_array(arena, n, sizeof *words);
    if (!words)
        return gv_out_of_memory(err);
    fill(e, words);
    *out = words;
    *count = n;
    return true;
}

// ---- what is made once ----

static uint32_t *slot_of(const struct gv_spirv_edit *e, uint32_t kind, uint32_t type,
                         uint32_t value)
{
    uint64_t hash = ((uint64_t)type << 32 | value) * 0x9e3779b97f4a7c15u + kind;
    for (size_t i = hash >> 32;; i++) {
        uint32_t *slot = &e->table[i & (e->slots - 1)];
        const struct gv_spirv_made *m = *slot ? &e->made[*slot - 1] : NULL;
        if (!m || (m->kind == kind && m->type == type && m->value == value))
            return slot;
    }
}

// Room for one more, the table at most half full.
static bool reserve(struct gv_spirv_edit *e)
{
    if (e->made_count < e->made_capacity)
        return true;
    size_t capacity = e->made_capacity ? e->made_capacity * 2 : 32;
    struct gv_spirv_made *made = realloc(e->made, capacity * sizeof *made);
    if (made)
        e->made = made;
    uint32_t *table = calloc(capacity * 2, sizeof *table);
    if (!made || !table) {
        free(table);
        e->out_of_memory = true;
        return false;
    }
    free(e->table);
    e->table = table;
    e->slots = capacity * 2;
    e->made_capacity = capacity;
    for (size_t i = 0; i < e->made_count; i++)
        *slot_of(e, made[i].kind, made[i].type, made[i].value) = (uint32_t)i + 1;
    return true;
}

// Where such a thing's id stands, 0 at first; NULL without memory.
static uint32_t *find(struct gv_spirv_edit *e, uint32_t kind, uint32_t type,
                      uint32_t value)
{
    if (!reserve(e))
        return NULL;
    uint32_t *slot = slot_of(e, kind, type, value);
    if (!*slot) {
        e->made[e->made_count++] = (struct gv_spirv_made){ kind, type, value, 0 };
        *slot = (uint32_t)e->made_count;
    }
    return &e->made[*slot - 1].id;
}

// The id of such a thing; `*is_new` when the caller is to define it.
static uint32_t find_or_make(struct gv_spirv_edit *e, uint32_t kind, uint32_t type,
                             uint32_t value, bool *is_new)
{
    uint32_t *id = find(e, kind, type, value);
    *is_new = id && !*id;
    if (*is_new)
        *id = e->next_id++;
    return id ? *id : 0;
}

uint32_t gv_spirv_edit_helper(struct gv_spirv_edit *e, enum gv_spirv_helper what,
                              uint32_t type, bool *is_new)
{
    return find_or_make(e, HELPER, type, what, is_new);
}

// ---- constants ----

uint32_t gv_spirv_edit_constant(struct gv_spirv_edit *e, uint32_t type, uint32_t value)
{
    bool is_new;
    uint32_t id = find_or_make(e, CONSTANT, type, value, &is_new);
    if (is_new)
        GV_SPIRV_PUT(&e->head, SpvOpConstant, type, id, value);
    return id;
}

uint32_t gv_spirv_edit_null(struct gv_spirv_edit *e, uint32_t type)
{
    bool is_new;
    uint32_t id = find_or_make(e, NOTHING, type, 0, &is_new);
    if (is_new)
        GV_SPIRV_PUT(&e->head, SpvOpConstantNull, type, id);
    return id;
}

uint32_t gv_spirv_edit_last(struct gv_spirv_edit *e, uint32_t type, uint32_t length)
{
    bool is_new;
    uint32_t one = gv_spirv_edit_constant(e, type, 1);
    uint32_t id = find_or_make(e, LAST, type, length, &is_new);
    if (is_new)
        GV_SPIRV_PUT(&e->head, SpvOpSpecConstantOp, type, id, SpvOpISub, length, one);
    return id;
}

uint32_t gv_spirv_edit_word(struct gv_spirv_edit *e, uint32_t type, uint32_t word)
{
    GV_SPIRV_PUT(&e->head, SpvOpConstant, type, e->next_id, word);
    return e->next_id++;
}

uint32_t gv_spirv_edit_float(struct gv_spirv_edit *e, uint32_t type, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return gv_spirv_edit_word(e, type, word);
}

static void put_splat(struct gv_spirv_edit *e, uint32_t type, uint32_t id, uint32_t one,
                      uint32_t n)
{
    uint32_t words[2 + MOST_PARTS] = { type, id };
    for (uint32_t i = 0; i < n && i < MOST_PARTS; i++)
        words[2 + i] = one;
    gv_spirv_put_op(&e->head, SpvOpConstantComposite, words, 2 + n);
}

uint32_t gv_spirv_edit_splat(struct gv_spirv_edit *e, uint32_t type, uint32_t one,
                             uint32_t n)
{
    put_splat(e, type, e->next_id, one, n);
    return e->next_id++;
}

static uint32_t scalar_number(struct gv_spirv_edit *e, const uint32_t *type,
                              enum gv_spirv_number number)
{
    bool is_new;
    uint32_t width = type[2], id = find_or_make(e, NUMBER, type[1], number, &is_new);
    uint64_t value = number == GV_SPIRV_ONE         ? 1
                     : number == GV_SPIRV_MINUS_ONE ? UINT64_MAX
                                                    : (uint64_t)-1 << (width - 1);
    if (!is_new)
        return id;
    if (!type[3] && width < 64) // narrow numbers have their sign in the rest of a word
        value &= ((uint64_t)1 << width) - 1;
    const uint32_t w[] = { type[1], id, (uint32_t)value, (uint32_t)(value >> 32) };
    gv_spirv_put_op(&e->head, SpvOpConstant, w, width > 32 ? 4 : 3);
    return id;
}

uint32_t gv_spirv_edit_number(struct gv_spirv_edit *e, const uint32_t *integer,
                              uint32_t type, uint32_t n, enum gv_spirv_number number)
{
    bool is_new;
    uint32_t part = scalar_number(e, integer, number);
    if (n == 1)
        return part;
    uint32_t id = find_or_make(e, NUMBER, type, number, &is_new);
    if (is_new)
        put_splat(e, type, id, part, n);
    return id;
}

// ---- types ----

// The module's type of these operands, 0 = none.
static uint32_t find_type(const struct gv_spirv_edit *e, uint32_t op,
                          const uint32_t *operands, uint32_t count)
{
    uint32_t length;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < e->functions; at += length) {
        const uint32_t *w = e->words + at;
        length = gv_spirv_length(w);
        if (gv_spirv_op(w) == op && length == 2 + count &&
            memcmp(w + 2, operands, count * sizeof *operands) == 0)
            return w[1];
    }
    return 0;
}

uint32_t gv_spirv_edit_type(struct gv_spirv_edit *e, SpvOp op, uint32_t first,
                            uint32_t second)
{
    const uint32_t count = op == SpvOpTypeBool ? 0 : 2;
    uint32_t *id = find(e, op, first, second);
    if (id && !*id)
        *id = find_type(e, op, (uint32_t[]){ first, second }, count);
    if (id && !*id) {
        *id = e->next_id++;
        gv_spirv_put_op(&e->head, op, (uint32_t[]){ *id, first, second }, 1 + count);
    }
    return id ? *id : 0;
}

uint32_t gv_spirv_edit_uint(struct gv_spirv_edit *e)
{
    return gv_spirv_edit_type(e, SpvOpTypeInt, 32, 0);
}

uint32_t gv_spirv_edit_uints(struct gv_spirv_edit *e, uint32_t n)
{
    uint32_t type = gv_spirv_edit_uint(e);
    return n == 1 ? type : gv_spirv_edit_type(e, SpvOpTypeVector, type, n);
}

uint32_t gv_spirv_edit_bool(struct gv_spirv_edit *e, uint32_t n)
{
    uint32_t type = gv_spirv_edit_type(e, SpvOpTypeBool, 0, 0);
    return n == 1 ? type : gv_spirv_edit_type(e, SpvOpTypeVector, type, n);
}

// Pointers of one kind may be declared twice.
uint32_t gv_spirv_edit_pointer(struct gv_spirv_edit *e, uint32_t storage_class,
                               uint32_t type)
{
    bool is_new;
    uint32_t id = find_or_make(e, SpvOpTypePointer, type, storage_class, &is_new);
    if (is_new)
        GV_SPIRV_PUT(&e->head, SpvOpTypePointer, id, storage_class, type);
    return id;
}

// A list of types is a chain: each link the one before and a type more.
static uint32_t *function_slot(struct gv_spirv_edit *e, uint32_t result,
                               const uint32_t *parameters, size_t count, bool *is_new)
{
    uint32_t link = result;
    for (size_t i = 0; i < count; i++)
        link = find_or_make(e, PARAMETERS, link, parameters[i], is_new);
    find_or_make(e, SpvOpTypeFunction, link, (uint32_t)count, is_new);
    return find(e, SpvOpTypeFunction, link, (uint32_t)count);
}

static void know_functions(struct gv_spirv_edit *e)
{
    uint32_t length;
    bool is_new;
    e->functions_known = true;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < e->functions; at += length) {
        const uint32_t *w = e->words + at;
        length = gv_spirv_length(w);
        uint32_t *id = gv_spirv_op(w) == SpvOpTypeFunction
                           ? function_slot(e, w[2], w + 3, length - 3, &is_new)
                           : NULL;
        if (id)
            *id = w[1];
    }
}

uint32_t gv_spirv_edit_function(struct gv_spirv_edit *e, uint32_t result,
                                const uint32_t *parameters, size_t count)
{
    bool is_new = false;
    if (!e->functions_known)
        know_functions(e);
    const uint32_t *id = function_slot(e, result, parameters, count, &is_new);
    if (!id || !is_new)
        return id ? *id : 0;
    const uint32_t start[] = { (uint32_t)(count + 3) << 16 | SpvOpTypeFunction, *id,
                               result };
    gv_spirv_put(&e->head, start, 3);
    gv_spirv_put(&e->head, parameters, count);
    return *id;
}
