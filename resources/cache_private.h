// What the files of the cache share: cache.c keeps bytes, cache_ahead.c fetches them
// before they are used. With such a thread, all of it but the pins is under the lock.
#ifndef GV_CACHE_PRIVATE_H
#define GV_CACHE_PRIVATE_H

#include "resources/cache.h"

#include <pthread.h>

#define GV_CACHE_NEVER UINT32_MAX // no further use is scheduled

struct gv_cache_ahead;

struct gv_cache_entry {
    const uint8_t *data;     // NULL = not here
    struct gv_error *failed; // owned: why it could not be fetched ahead, or NULL
    uint32_t next_use;       // position in the schedule
    uint32_t heap_at;        // of an evictable item
    bool owned;              // freed on eviction; else borrowed from a source
    bool pinned;             // in `pins`, not in the heap
    bool flying;             // ordered from a source, its room taken
};

struct gv_cache {
    struct gv_cache_params params;
    struct gv_cache_entry *entries; // [item_count]
    uint32_t *next; // [use_count]: the next use of the same item, or NEVER
    uint32_t *heap; // items that can be evicted, farthest next use at the root
    uint32_t *pins; // items used since the last release
    size_t heap_count, pin_count;
    size_t position;       // of the expected use
    size_t ahead_position; // uses before it are here, under way or failed
    uint64_t bytes;        // owned, those on their way included
    struct gv_cache_counters counters;
    pthread_mutex_t lock;
    struct gv_cache_ahead *ahead; // owned; NULL: fetched when used
};

// The item with the farthest next use of those that can go, or GV_CACHE_NEVER.
uint32_t gv_cache_farthest(const struct gv_cache *c);
void gv_cache_evict(struct gv_cache *c, uint32_t item);

// Evicts until there is room for `size` more bytes. False: there is not.
bool gv_cache_make_room(struct gv_cache *c, uint64_t size);
bool gv_cache_fail_room(const struct gv_cache *c, uint64_t size, struct gv_error *err);

// Gives an item its bytes, which are the cache's from now on; their room was taken.
// `in_use`: it is about to be pinned, and does not go before.
void gv_cache_put(struct gv_cache *c, uint32_t item, uint8_t *data, bool in_use);

bool gv_cache_fail_absent(const struct gv_cache *c, uint32_t item,
                          struct gv_error *err);

// ---- cache_ahead.c ----

struct gv_cache_ahead *gv_cache_ahead_create(struct gv_cache *c, struct gv_error *err);
void gv_cache_ahead_destroy(struct gv_cache_ahead *ahead); // NULL is fine

// Waits for an item that is not here; the lock is held. False: GV_ERR_FETCH,
// GV_ERR_LIMIT.
bool gv_cache_ahead_wait(struct gv_cache_ahead *ahead, uint32_t item,
                         struct gv_error *err);

// The schedule has moved: there may be more to fetch.
void gv_cache_ahead_wake(struct gv_cache_ahead *ahead);

// Adds what the sources have counted; the lock is held.
void gv_cache_ahead_count(const struct gv_cache_ahead *ahead,
                          struct gv_cache_counters *out);

#endif
