#include "runtime/vk/spirv_edit.h"

#include <stdlib.h>
#include <string.h>

enum kind { CONSTANT, NOTHING, LAST };

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
    free(e->made);
    free(e->table);
    *e = (struct gv_spirv_edit){ 0 };
}

void gv_spirv_edit_put(struct gv_spirv_edit *e, struct gv_spirv_words *to,
                       const uint32_t *words, size_t count)
{
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

// ---- constants ----

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
