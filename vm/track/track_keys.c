#include "vm/track/track_keys.h"

#include <stdlib.h>

#define KEY_BINDING UINT64_C(1) // kinds of keys, in `a`
#define KEY_PIPELINE UINT64_C(2)

static size_t key_place(const struct gv_track_private *p, uint64_t a, uint64_t b)
{
    uint64_t hash =
        (a * UINT64_C(0x9e3779b97f4a7c15) + b) * UINT64_C(0xbf58476d1ce4e5b9);
    size_t i = (size_t)(hash >> 32) & (p->key_capacity - 1);
    while (p->keys[i].a && (p->keys[i].a != a || p->keys[i].b != b))
        i = (i + 1) & (p->key_capacity - 1);
    return i;
}

static bool grow_keys(struct gv_track *t)
{
    struct gv_track_private *p = t->private;
    if (p->key_count * 2 < p->key_capacity)
        return true;
    size_t capacity = p->key_capacity ? p->key_capacity * 2 : 256;
    struct gv_track_key *old = p->keys, *keys = calloc(capacity, sizeof *keys);
    size_t old_capacity = p->key_capacity;
    if (!keys || capacity * sizeof *keys > p->memory_limit - t->memory) {
        free(keys);
        t->opaque = "the log passes the memory limit";
        return false;
    }
    t->memory += (capacity - old_capacity) * sizeof *keys;
    p->keys = keys;
    p->key_capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].a)
            keys[key_place(p, old[i].a, old[i].b)] = old[i];
    free(old);
    return true;
}

// The key, made with value GV_TRACK_NONE if it is new; NULL: no memory.
static struct gv_track_key *find_key(struct gv_track *t, uint64_t a, uint64_t b)
{
    struct gv_track_private *p = t->private;
    if (!grow_keys(t))
        return NULL;
    struct gv_track_key *key = &p->keys[key_place(p, a, b)];
    if (!key->a) {
        *key = (struct gv_track_key){ a, b, GV_TRACK_NONE };
        p->key_count++;
    }
    return key;
}

static uint64_t binding_key(uint64_t set, uint64_t binding, uint64_t element)
{
    return (set * GV_MAX_BINDING_NUMBER + binding) * GV_MAX_BINDING_ELEMENTS + element;
}

struct gv_track_key *gv_track_binding_key(struct gv_track *t, uint64_t set,
                                          uint64_t binding, uint64_t element)
{
    return find_key(t, KEY_BINDING, binding_key(set, binding, element));
}

struct gv_track_key *gv_track_pipeline_key(struct gv_track *t, uint64_t address,
                                           uint64_t size, bool compute)
{
    return find_key(t, KEY_PIPELINE + compute + (size << 8), address);
}

uint32_t gv_track_entry(const struct gv_track *t, uint32_t set, uint32_t binding,
                        uint32_t element)
{
    const struct gv_track_private *p = t->private;
    if (!p->key_capacity)
        return GV_TRACK_NONE;
    size_t place = key_place(p, KEY_BINDING, binding_key(set, binding, element));
    return p->keys[place].a ? p->keys[place].value : GV_TRACK_NONE;
}
