#include "vm/spirv/spirv_edit.h"

#include <stdlib.h>
#include <string.h>

enum kind { CONSTANT, NOTHING, LAST, POINTER, PARAMETERS, FUNCTION, NUMBER, HELPER };

struct gv_spirv_made {
    uint32_t kind, type, value, id;
};

void gv_spirv_edit_init(struct gv_spirv_edit *e, const struct gv_spirv_values *values)
{
    *e = (struct gv_spirv_edit){ .values = values,
                                 .next_id = values->ids->bound,
                                 .glsl = values->glsl };
    if (!e->glsl)
        e->glsl = e->next_id++;
}

void gv_spirv_edit_finish(struct gv_spirv_edit *e)
{
    free(e->head.data);
    free(e->body.data);
    free(e->helpers.data);
    free(e->made);
    free(e->table);
    *e = (struct gv_spirv_edit){ 0 };
}

void gv_spirv_edit_put(struct gv_spirv_edit *e, struct gv_spirv_words *to,
                       const uint32_t *words, size_t count)
{
    if (!count)
        return;
    if (count > to->capacity - to->count) {
        size_t capacity = to->capacity ? to->capacity * 2 : 1024;
        while (capacity - to->count < count)
            capacity *= 2;
        uint32_t *grown = realloc(to->data, capacity * sizeof *grown);
        if (!grown) {
            e->out_of_memory = true;
            return;
        }
        to->data = grown;
        to->capacity = capacity;
    }
    memcpy(to->data + to->count, words, count * sizeof *words);
    to->count += count;
}

void gv_spirv_edit_op(struct gv_spirv_edit *e, struct gv_spirv_words *to, uint32_t op,
                      const uint32_t *operands, size_t count)
{
    const uint32_t first = (uint32_t)(count + 1) << 16 | op;
    gv_spirv_edit_put(e, to, &first, 1);
    gv_spirv_edit_put(e, to, operands, count);
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

// The id of such a constant; `*is_new` when the caller is to define it.
static uint32_t find_or_make(struct gv_spirv_edit *e, uint32_t kind, uint32_t type,
                             uint32_t value, bool *is_new)
{
    *is_new = false;
    if (!reserve(e))
        return 0;
    uint32_t *slot = slot_of(e, kind, type, value);
    if (*slot)
        return e->made[*slot - 1].id;
    *is_new = true;
    e->made[e->made_count++] =
        (struct gv_spirv_made){ kind, type, value, e->next_id++ };
    *slot = (uint32_t)e->made_count;
    return e->next_id - 1;
}

uint32_t gv_spirv_edit_uint(struct gv_spirv_edit *e)
{
    const struct gv_spirv_ids *ids = e->values->ids;
    for (uint32_t i = 1; !e->uint && i < ids->bound; i++) {
        const uint32_t *w = gv_spirv_def(ids, i);
        if (gv_spirv_op(w) == SpvOpTypeInt && w[2] == 32 && w[3] == 0)
            e->uint = i;
    }
    if (!e->uint) {
        e->uint = e->next_id++;
        gv_spirv_edit_put(e, &e->head,
                          (uint32_t[]){ 4u << 16 | SpvOpTypeInt, e->uint, 32, 0 }, 4);
    }
    return e->uint;
}

uint32_t gv_spirv_edit_constant(struct gv_spirv_edit *e, uint32_t type, uint32_t value)
{
    bool is_new;
    uint32_t id = find_or_make(e, CONSTANT, type, value, &is_new);
    if (is_new)
        gv_spirv_edit_put(e, &e->head,
                          (uint32_t[]){ 4u << 16 | SpvOpConstant, type, id, value }, 4);
    return id;
}

uint32_t gv_spirv_edit_null(struct gv_spirv_edit *e, uint32_t type)
{
    bool is_new;
    uint32_t id = find_or_make(e, NOTHING, type, 0, &is_new);
    if (is_new)
        gv_spirv_edit_put(e, &e->head,
                          (uint32_t[]){ 3u << 16 | SpvOpConstantNull, type, id }, 3);
    return id;
}

uint32_t gv_spirv_edit_last(struct gv_spirv_edit *e, uint32_t type, uint32_t length)
{
    bool is_new;
    uint32_t one = gv_spirv_edit_constant(e, type, 1);
    uint32_t id = find_or_make(e, LAST, type, length, &is_new);
    if (is_new)
        gv_spirv_edit_put(e, &e->head,
                          (uint32_t[]){ 6u << 16 | SpvOpSpecConstantOp, type, id,
                                        SpvOpISub, length, one },
                          6);
    return id;
}

// ---- types ----

// The module's vector type of `n` of a type, 0 = none.
static uint32_t find_vector(const struct gv_spirv_ids *ids, uint32_t type, uint32_t n)
{
    for (uint32_t i = 1; i < ids->bound; i++) {
        const uint32_t *w = gv_spirv_def(ids, i);
        if (gv_spirv_op(w) == SpvOpTypeVector && w[2] == type && w[3] == n)
            return i;
    }
    return 0;
}

static uint32_t find_bool(const struct gv_spirv_ids *ids)
{
    for (uint32_t i = 1; i < ids->bound; i++)
        if (gv_spirv_op(gv_spirv_def(ids, i)) == SpvOpTypeBool)
            return i;
    return 0;
}

static uint32_t bool_scalar(struct gv_spirv_edit *e)
{
    uint32_t id = find_bool(e->values->ids);
    if (!id) {
        id = e->next_id++;
        GV_SPIRV_EDIT_PUT(e, &e->head, SpvOpTypeBool, id);
    }
    return id;
}

static uint32_t bool_vector(struct gv_spirv_edit *e, uint32_t n)
{
    uint32_t scalar = gv_spirv_edit_bool(e, 1);
    uint32_t id = find_vector(e->values->ids, scalar, n);
    if (!id) {
        id = e->next_id++;
        GV_SPIRV_EDIT_PUT(e, &e->head, SpvOpTypeVector, id, scalar, n);
    }
    return id;
}

uint32_t gv_spirv_edit_bool(struct gv_spirv_edit *e, uint32_t n)
{
    if (!e->bools[n])
        e->bools[n] = n > 1 ? bool_vector(e, n) : bool_scalar(e);
    return e->bools[n];
}

uint32_t gv_spirv_edit_uints(struct gv_spirv_edit *e, uint32_t n)
{
    uint32_t type = gv_spirv_edit_uint(e);
    if (n == 1 || e->uints[n])
        return n == 1 ? type : e->uints[n];
    e->uints[n] = find_vector(e->values->ids, type, n);
    if (!e->uints[n]) {
        e->uints[n] = e->next_id++;
        GV_SPIRV_EDIT_PUT(e, &e->head, SpvOpTypeVector, e->uints[n], type, n);
    }
    return e->uints[n];
}

// Pointers of one kind may be declared twice.
uint32_t gv_spirv_edit_pointer(struct gv_spirv_edit *e, uint32_t storage_class,
                               uint32_t type)
{
    bool is_new;
    uint32_t id = find_or_make(e, POINTER, type, storage_class, &is_new);
    if (is_new)
        GV_SPIRV_EDIT_PUT(e, &e->head, SpvOpTypePointer, id, storage_class, type);
    return id;
}

// A list of types is a chain: each link the one before and a type more.
static uint32_t *function_slot(struct gv_spirv_edit *e, uint32_t result,
                               const uint32_t *parameters, size_t count, bool *is_new)
{
    uint32_t link = result;
    for (size_t i = 0; i < count; i++)
        link = find_or_make(e, PARAMETERS, link, parameters[i], is_new);
    find_or_make(e, FUNCTION, link, (uint32_t)count, is_new);
    return e->out_of_memory
               ? NULL
               : &e->made[*slot_of(e, FUNCTION, link, (uint32_t)count) - 1].id;
}

static void know_functions(struct gv_spirv_edit *e)
{
    const struct gv_spirv_ids *ids = e->values->ids;
    bool is_new;
    e->functions_known = true;
    for (uint32_t i = 1; i < ids->bound; i++) {
        const uint32_t *w = gv_spirv_def(ids, i);
        if (gv_spirv_op(w) != SpvOpTypeFunction)
            continue;
        uint32_t *id = function_slot(e, w[2], w + 3, gv_spirv_length(w) - 3, &is_new);
        if (id)
            *id = i;
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
    gv_spirv_edit_put(e, &e->head, start, 3);
    gv_spirv_edit_put(e, &e->head, parameters, count);
    return *id;
}

// ---- numbers of any width ----

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
    gv_spirv_edit_op(e, &e->head, SpvOpConstant, w, width > 32 ? 4 : 3);
    return id;
}

uint32_t gv_spirv_edit_number(struct gv_spirv_edit *e, uint32_t type,
                              enum gv_spirv_number number)
{
    const uint32_t *w = gv_spirv_def(e->values->ids, type);
    bool is_new;
    if (gv_spirv_op(w) == SpvOpTypeInt)
        return scalar_number(e, w, number);
    uint32_t part = scalar_number(e, gv_spirv_def(e->values->ids, w[2]), number);
    uint32_t id = find_or_make(e, NUMBER, type, number, &is_new);
    const uint32_t all[] = { type, id, part, part, part, part };
    if (is_new)
        gv_spirv_edit_op(e, &e->head, SpvOpConstantComposite, all, 2 + w[3]);
    return id;
}

uint32_t gv_spirv_edit_helper(struct gv_spirv_edit *e, enum gv_spirv_helper what,
                              uint32_t type, bool *is_new)
{
    return find_or_make(e, HELPER, type, what, is_new);
}
