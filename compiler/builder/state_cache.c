#include "compiler/builder/state_cache.h"

#include <stdlib.h>
#include <string.h>

void gv_state_cache_finish(struct gv_state_cache *cache)
{
    free(cache->entries);
    free(cache->noted);
    *cache = (struct gv_state_cache){ 0 };
}

// A stale value must not survive: without memory, nothing is remembered.
static bool forget_all(struct gv_state_cache *cache)
{
    free(cache->entries);
    cache->entries = NULL;
    cache->count = cache->size = 0;
    return false;
}

static bool note(struct gv_state_cache *cache, uint64_t key)
{
    if (!cache->noting)
        return true;
    if (cache->noted_count == cache->noted_capacity) {
        size_t capacity = cache->noted_capacity ? cache->noted_capacity * 2 : 64;
        uint64_t *grown = realloc(cache->noted, capacity * sizeof *grown);
        if (!grown)
            return false;
        cache->noted = grown;
        cache->noted_capacity = capacity;
    }
    cache->noted[cache->noted_count++] = key;
    return true;
}

static size_t home(uint64_t key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15u >> 40); // 2^64 / golden ratio
}

static struct gv_state_entry *find(const struct gv_state_cache *cache, uint64_t key)
{
    size_t mask = cache->size - 1, at = home(key) & mask;
    while (cache->entries[at].key && cache->entries[at].key != key)
        at = (at + 1) & mask;
    return &cache->entries[at];
}

static bool grow(struct gv_state_cache *cache)
{
    struct gv_state_cache grown = { .size = cache->size ? cache->size * 2 : 256 };
    grown.entries = calloc(grown.size, sizeof *grown.entries);
    if (!grown.entries)
        return false;
    for (size_t i = 0; i < cache->size; i++)
        if (cache->entries[i].key)
            *find(&grown, cache->entries[i].key) = cache->entries[i];
    free(cache->entries);
    cache->entries = grown.entries;
    cache->size = grown.size;
    return true;
}

bool gv_state_cache_repeats(struct gv_state_cache *cache, uint64_t key,
                            const uint64_t *values, size_t count)
{
    if (cache->count >= GV_STATE_ENTRIES) {
        memset(cache->entries, 0, cache->size * sizeof *cache->entries);
        cache->count = 0;
    }
    if (cache->count * 2 >= cache->size && !grow(cache))
        return forget_all(cache);
    struct gv_state_entry *entry = find(cache, key);
    if (entry->key && memcmp(entry->values, values, count * sizeof *values) == 0)
        return true;
    if (!note(cache, key))
        return forget_all(cache);
    cache->count += !entry->key;
    entry->key = key;
    memcpy(entry->values, values, count * sizeof *values);
    return false;
}

void gv_state_cache_forget(struct gv_state_cache *cache, uint64_t key)
{
    if (!cache->size)
        return;
    struct gv_state_entry *entry = find(cache, key);
    if (entry->key)
        entry->values[0] = UINT64_MAX; // no call has this number
}

void gv_state_cache_forget_noted(struct gv_state_cache *cache, size_t from)
{
    for (size_t i = from; i < cache->noted_count; i++)
        gv_state_cache_forget(cache, cache->noted[i]);
}
