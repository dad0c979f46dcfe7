#include "compiler/lower/id_map.h"

#include <string.h>

#define FIRST_CAPACITY 256u

static uint64_t hash(uint64_t name)
{
    name *= UINT64_C(0x9E3779B97F4A7C15); // 2^64 / golden ratio
    return name ^ name >> 32;
}

// The entry of a name, or the empty one where it would go. The table is never full.
static struct gv_id_entry *entry_of(struct gv_id_entry *entries, uint32_t capacity,
                                    uint64_t name)
{
    uint32_t i = (uint32_t)hash(name) & (capacity - 1);
    while (entries[i].name && entries[i].name != name)
        i = (i + 1) & (capacity - 1);
    return &entries[i];
}

static const struct gv_id_entry *find(const struct gv_id_map *m, uint64_t name)
{
    return name && m->capacity ? entry_of(m->entries, m->capacity, name) : NULL;
}

static bool in_use(const struct gv_id_entry *e)
{
    return e->object || e->reserved;
}

// A table four times as large as what is in use: names that were removed are forgotten.
static bool grow(struct gv_id_map *m)
{
    uint32_t used = 0, capacity = FIRST_CAPACITY;
    for (uint32_t i = 0; i < m->capacity; i++)
        used += in_use(&m->entries[i]);
    while (capacity < used * 4)
        capacity *= 2;
    struct gv_id_entry *entries = gv_arena_array(m->arena, capacity, sizeof *entries);
    if (!entries)
        return false;
    for (uint32_t i = 0; i < m->capacity; i++)
        if (in_use(&m->entries[i]))
            *entry_of(entries, capacity, m->entries[i].name) = m->entries[i];
    m->entries = entries;
    m->capacity = capacity;
    m->used = used;
    return true;
}

// Finds the entry of a name that is to get an object.
static enum gv_id_result claim(struct gv_id_map *m, uint64_t name,
                               struct gv_id_entry **out)
{
    if (!name)
        return GV_ID_ZERO;
    if (m->used * 2 >= m->capacity && !grow(m))
        return GV_ID_NO_MEMORY;
    struct gv_id_entry *e = entry_of(m->entries, m->capacity, name);
    if (in_use(e))
        return GV_ID_IN_USE;
    *out = e;
    return GV_ID_OK;
}

static void take(struct gv_id_map *m, struct gv_id_entry *e, uint64_t name,
                 struct gv_named *o)
{
    m->used += !e->name;
    *e = (struct gv_id_entry){ .name = name, .object = o };
    o->names++;
    o->references++;
}

struct gv_named *gv_id_find(const struct gv_id_map *m, uint64_t name)
{
    const struct gv_id_entry *e = find(m, name);
    return e && !e->reserved ? e->object : NULL;
}

bool gv_id_reserved(const struct gv_id_map *m, uint64_t name)
{
    const struct gv_id_entry *e = find(m, name);
    return e && e->reserved;
}

enum gv_id_result gv_id_create(struct gv_id_map *m, uint64_t name,
                               struct gv_named **out)
{
    struct gv_id_entry *e = NULL;
    enum gv_id_result result = claim(m, name, &e);
    if (result != GV_ID_OK)
        return result;
    if (m->live >= m->limit)
        return GV_ID_LIMIT;
    struct gv_named *o = m->free;
    if (o) {
        struct gv_named *next_made = o->next_made;
        m->free = o->next_free;
        memset(o, 0, m->object_bytes);
        o->next_made = next_made;
    } else {
        o = gv_arena_alloc(m->arena, m->object_bytes);
        if (!o)
            return GV_ID_NO_MEMORY;
        o->next_made = m->made;
        m->made = o;
    }
    o->name = name;
    o->serial = ++*m->serials;
    m->live++;
    take(m, e, name, o);
    *out = o;
    return GV_ID_OK;
}

enum gv_id_result gv_id_alias(struct gv_id_map *m, uint64_t name, struct gv_named *o)
{
    struct gv_id_entry *e = NULL;
    enum gv_id_result result = claim(m, name, &e);
    if (result == GV_ID_OK)
        take(m, e, name, o);
    return result;
}

struct gv_named *gv_id_remove(struct gv_id_map *m, uint64_t name)
{
    struct gv_named *o = gv_id_find(m, name);
    if (!o)
        return NULL;
    struct gv_id_entry *e = entry_of(m->entries, m->capacity, name);
    if (o->name == name && o->names > 1)
        e->reserved = true;
    else
        e->object = NULL;
    o->names--;
    return o;
}

bool gv_id_release(struct gv_named *o)
{
    return --o->references == 0;
}

static struct gv_named *alive_from(struct gv_named *o)
{
    while (o && !o->references)
        o = o->next_made;
    return o;
}

struct gv_named *gv_id_first(const struct gv_id_map *m)
{
    return alive_from(m->made);
}

struct gv_named *gv_id_next(const struct gv_named *o)
{
    return alive_from(o->next_made);
}

void gv_id_reuse(struct gv_id_map *m, struct gv_named *o)
{
    struct gv_id_entry *e = entry_of(m->entries, m->capacity, o->name);
    if (e->object == o) {
        e->object = NULL;
        e->reserved = false;
    }
    o->next_free = m->free;
    m->free = o;
    m->live--;
}
