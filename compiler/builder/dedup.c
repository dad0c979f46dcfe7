#include "compiler/builder/dedup.h"

#include <stdlib.h>
#include <string.h>

static void finish_generation(struct gv_dedup_generation *g)
{
    gv_arena_finish(&g->bytes);
    free(g->entries);
    free(g->table);
    *g = (struct gv_dedup_generation){ 0 };
}

void gv_dedup_finish(struct gv_dedup *d)
{
    finish_generation(&d->young);
    finish_generation(&d->old);
}

#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15) // 2^64 / golden ratio
#define LANES 4u

static inline uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * MULTIPLIER;
    return hash ^ hash >> 29;
}

// In lanes that do not wait for each other.
uint64_t gv_dedup_hash(const void *data, size_t size)
{
    const uint8_t *p = data;
    uint64_t lanes[LANES] = { size * MULTIPLIER, 1, 2, 3 }, words[LANES], rest = 0;
    for (; size >= sizeof words; size -= sizeof words, p += sizeof words) {
        memcpy(words, p, sizeof words);
        for (uint32_t i = 0; i < LANES; i++)
            lanes[i] = mixed(lanes[i], words[i]);
    }
    for (; size >= sizeof rest; size -= sizeof rest, p += sizeof rest) {
        memcpy(&rest, p, sizeof rest);
        lanes[0] = mixed(lanes[0], rest);
    }
    rest = 0;
    memcpy(&rest, p, size);
    uint64_t hash = mixed(lanes[0], rest);
    for (uint32_t i = 1; i < LANES; i++)
        hash = mixed(hash, lanes[i]);
    return hash ^ hash >> 32;
}

static bool same_bytes(const struct gv_dedup_entry *e, const void *data, uint64_t size)
{
    return e->data == data || memcmp(e->data, data, (size_t)size) == 0;
}

static enum gv_dedup_result find_in(const struct gv_dedup_generation *g, uint64_t hash,
                                    uint64_t check, const void *data, uint64_t size,
                                    uint32_t *number)
{
    if (!g->table_size)
        return GV_DEDUP_NEW;
    size_t mask = g->table_size - 1;
    for (size_t at = (size_t)hash & mask; g->table[at]; at = (at + 1) & mask) {
        const struct gv_dedup_entry *e = &g->entries[g->table[at] - 1];
        if (e->hash != hash || e->check != check || e->size != size)
            continue;
        if (same_bytes(e, data, size)) {
            *number = e->number;
            return GV_DEDUP_KNOWN;
        }
        if (check) // a whole content id: two contents must not share it
            return GV_DEDUP_COLLISION;
    }
    return GV_DEDUP_NEW;
}

enum gv_dedup_result gv_dedup_find(struct gv_dedup *d, uint64_t hash, uint64_t check,
                                   const void *data, uint64_t size, uint32_t *number)
{
    enum gv_dedup_result result = find_in(&d->young, hash, check, data, size, number);
    if (result != GV_DEDUP_NEW)
        return result;
    result = find_in(&d->old, hash, check, data, size, number);
    // What is still in use moves on; where memory runs out it is merely forgotten.
    if (result == GV_DEDUP_KNOWN)
        gv_dedup_add(d, hash, check, data, size, *number);
    return result;
}

static bool grow(struct gv_dedup_generation *g)
{
    size_t capacity = g->capacity ? g->capacity * 2 : 1024;
    struct gv_dedup_entry *entries = realloc(g->entries, capacity * sizeof *entries);
    if (!entries)
        return false;
    g->entries = entries;
    uint32_t *table = calloc(capacity * 2, sizeof *table);
    if (!table)
        return false;
    size_t mask = capacity * 2 - 1;
    for (size_t i = 0; i < g->count; i++) {
        size_t at = (size_t)entries[i].hash & mask;
        while (table[at])
            at = (at + 1) & mask;
        table[at] = (uint32_t)i + 1;
    }
    free(g->table);
    g->table = table;
    g->table_size = capacity * 2;
    g->capacity = capacity;
    return true;
}

bool gv_dedup_is_stable(const struct gv_dedup *d, const void *data, uint64_t size)
{
    uintptr_t at = (uintptr_t)data, base = (uintptr_t)d->stable;
    return at >= base && at - base <= d->stable_size &&
           size <= d->stable_size - (at - base);
}

bool gv_dedup_add(struct gv_dedup *d, uint64_t hash, uint64_t check, const void *data,
                  uint64_t size, uint32_t number)
{
    bool stable = gv_dedup_is_stable(d, data, size);
    if (!stable && size > d->max_bytes)
        return true;
    if (d->young.count >= d->max_entries ||
        (!stable && size > d->max_bytes - d->young.kept)) {
        finish_generation(&d->old);
        d->old = d->young;
        d->young = (struct gv_dedup_generation){ 0 };
    }
    struct gv_dedup_generation *g = &d->young;
    if (g->count == g->capacity && !grow(g))
        return false;
    const uint8_t *kept = data;
    if (!stable) {
        kept = gv_arena_copy(&g->bytes, data, (size_t)size);
        if (!kept)
            return false;
        g->kept += size;
    }
    g->entries[g->count] = (struct gv_dedup_entry){ hash, check, kept, size, number };
    size_t mask = g->table_size - 1, at = (size_t)hash & mask;
    while (g->table[at])
        at = (at + 1) & mask;
    g->table[at] = (uint32_t)++g->count;
    return true;
}
