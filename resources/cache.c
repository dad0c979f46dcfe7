#include "resources/base/now.h"
#include "resources/cache_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "resources/async.h"

#define NEVER GV_CACHE_NEVER
#define NOWHERE UINT32_MAX                   // not in the heap
#define MOST_SPENT_BYTES ((uint64_t)8 << 20) // while `once` keeps what it is done with

// ---- the heap ----

static uint32_t key(const struct gv_cache *c, size_t at)
{
    return c->entries[c->heap[at]].next_use;
}

static void place(struct gv_cache *c, size_t at, uint32_t item)
{
    c->heap[at] = item;
    c->entries[item].heap_at = (uint32_t)at;
}

static void sift_up(struct gv_cache *c, size_t at)
{
    uint32_t item = c->heap[at];
    uint32_t use = c->entries[item].next_use;
    for (; at > 0 && key(c, (at - 1) / 2) < use; at = (at - 1) / 2)
        place(c, at, c->heap[(at - 1) / 2]);
    place(c, at, item);
}

static void sift_down(struct gv_cache *c, size_t at)
{
    uint32_t item = c->heap[at];
    uint32_t use = c->entries[item].next_use;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < c->heap_count && key(c, child + 1) > key(c, child))
            child++;
        if (child >= c->heap_count || key(c, child) <= use)
            break;
        place(c, at, c->heap[child]);
        at = child;
    }
    place(c, at, item);
}

static void heap_add(struct gv_cache *c, uint32_t item)
{
    place(c, c->heap_count++, item);
    sift_up(c, c->heap_count - 1);
}

static void heap_remove(struct gv_cache *c, uint32_t item)
{
    size_t at = c->entries[item].heap_at;
    c->entries[item].heap_at = NOWHERE;
    if (at == --c->heap_count)
        return;
    place(c, at, c->heap[c->heap_count]);
    sift_up(c, at);
    sift_down(c, at);
}

// ---- the schedule ----

static void set_next_use(struct gv_cache *c, uint32_t item, uint32_t use)
{
    struct gv_cache_entry *entry = &c->entries[item];
    entry->next_use = use;
    if (entry->heap_at == NOWHERE)
        return;
    sift_up(c, entry->heap_at);
    sift_down(c, entry->heap_at);
}

// Sets `next` of every use and `next_use` of every item as seen from `position`.
static void look_ahead(struct gv_cache *c, size_t position)
{
    for (size_t i = 0; i < c->params.item_count; i++)
        c->entries[i].next_use = NEVER;
    for (size_t at = c->params.use_count; at-- > position;) {
        struct gv_cache_entry *entry = &c->entries[c->params.uses[at]];
        c->next[at] = entry->next_use;
        entry->next_use = (uint32_t)at;
    }
    for (size_t at = c->heap_count / 2; at-- > 0;)
        sift_down(c, at);
    c->position = c->ahead_position = position;
}

static void move_to(struct gv_cache *c, size_t position)
{
    if (position > c->params.use_count)
        position = c->params.use_count;
    if (position < c->position)
        look_ahead(c, position);
    for (; c->position < position; c->position++)
        set_next_use(c, c->params.uses[c->position], c->next[c->position]);
    if (c->ahead_position < position)
        c->ahead_position = position;
    if (c->ahead)
        gv_cache_ahead_wake(c->ahead);
}

void gv_cache_seek(struct gv_cache *cache, size_t position)
{
    pthread_mutex_lock(&cache->lock);
    if (position != cache->position)
        move_to(cache, position);
    pthread_mutex_unlock(&cache->lock);
}

size_t gv_cache_position(const struct gv_cache *cache)
{
    return cache->position;
}

// ---- life ----

static bool usable(const struct gv_cache_params *p, struct gv_error *err)
{
    if (p->item_count >= NOWHERE || p->use_count >= NEVER)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "too many resource uses");
    for (size_t i = 0; i < p->use_count; i++)
        if (p->uses[i] >= p->item_count)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "use %zu names item %" PRIu32 " of %zu", i, p->uses[i],
                           p->item_count);
    return true;
}

struct gv_cache *gv_cache_create(const struct gv_cache_params *params,
                                 struct gv_error *err)
{
    if (!usable(params, err))
        return NULL;
    struct gv_cache *c = calloc(1, sizeof *c);
    if (c) {
        pthread_mutex_init(&c->lock, NULL);
        c->params = *params;
        c->entries = calloc(params->item_count + 1, sizeof *c->entries);
        c->heap = calloc(params->item_count + 1, sizeof *c->heap);
        c->pins = calloc(params->item_count + 1, sizeof *c->pins);
        c->next = calloc(params->use_count + 1, sizeof *c->next);
    }
    if (!c || !c->entries || !c->heap || !c->pins || !c->next) {
        gv_cache_destroy(c);
        gv_out_of_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < params->item_count; i++)
        c->entries[i].heap_at = NOWHERE;
    look_ahead(c, 0);
    for (size_t i = 0; i < params->source_count; i++)
        if (params->sources[i]->async) {
            params->sources[i]->async->waited = params->waited;
            params->sources[i]->async->waited_context = params->waited_context;
        }
    if (params->ahead)
        c->ahead = gv_cache_ahead_create(c, err);
    if (!params->ahead || c->ahead)
        return c;
    gv_cache_destroy(c);
    return NULL;
}

static bool grow_items(struct gv_cache *c, size_t count, struct gv_error *err)
{
    size_t old = c->params.item_count;
    struct gv_cache_entry *entries = realloc(c->entries, (count + 1) * sizeof *entries);
    c->entries = entries ? entries : c->entries;
    uint32_t *heap = realloc(c->heap, (count + 1) * sizeof *heap);
    c->heap = heap ? heap : c->heap;
    uint32_t *pins = realloc(c->pins, (count + 1) * sizeof *pins);
    c->pins = pins ? pins : c->pins;
    if (!entries || !heap || !pins)
        return gv_out_of_memory(err);
    for (size_t i = old; i < count; i++)
        entries[i] = (struct gv_cache_entry){ .next_use = NEVER, .heap_at = NOWHERE };
    return true;
}

static bool extend(struct gv_cache *cache, const struct gv_cache_params *params,
                   struct gv_error *err)
{
    if (!grow_items(cache, params->item_count, err))
        return false;
    uint32_t *next = realloc(cache->next, (params->use_count + 1) * sizeof *next);
    if (!next)
        return gv_out_of_memory(err);
    cache->next = next;
    for (size_t at = cache->position; at < cache->params.use_count; at++)
        set_next_use(cache, cache->params.uses[at], NEVER);
    cache->params.items = params->items;
    cache->params.item_count = params->item_count;
    cache->params.uses = params->uses;
    cache->params.use_count = params->use_count;
    cache->params.budget = params->budget;
    cache->params.ahead_uses = params->ahead_uses;
    for (size_t at = params->use_count; at-- > 0;) {
        next[at] = cache->entries[params->uses[at]].next_use;
        set_next_use(cache, params->uses[at], (uint32_t)at);
    }
    cache->position = cache->ahead_position = 0;
    return true;
}

bool gv_cache_extend(struct gv_cache *cache, const struct gv_cache_params *params,
                     struct gv_error *err)
{
    if (!usable(params, err))
        return false;
    pthread_mutex_lock(&cache->lock);
    const bool ok = extend(cache, params, err);
    if (ok && cache->ahead)
        gv_cache_ahead_wake(cache->ahead);
    pthread_mutex_unlock(&cache->lock);
    return ok;
}

void gv_cache_destroy(struct gv_cache *cache)
{
    if (!cache)
        return;
    gv_cache_ahead_destroy(cache->ahead);
    for (size_t i = 0; cache->entries && i < cache->params.item_count; i++) {
        if (cache->entries[i].owned)
            free((void *)(uintptr_t)cache->entries[i].data);
        free(cache->entries[i].failed);
    }
    free(cache->entries);
    free(cache->heap);
    free(cache->pins);
    free(cache->next);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

// ---- room ----

uint32_t gv_cache_farthest(const struct gv_cache *c)
{
    return c->heap_count ? c->heap[0] : NEVER;
}

void gv_cache_evict(struct gv_cache *c, uint32_t item)
{
    struct gv_cache_entry *entry = &c->entries[item];
    heap_remove(c, item);
    free((void *)(uintptr_t)entry->data);
    entry->data = NULL;
    entry->owned = false;
    c->bytes -= c->params.items[item].raw_size;
    c->counters.evicted++;
    if (entry->next_use < c->ahead_position)
        c->ahead_position = entry->next_use; // to be fetched again
}

bool gv_cache_make_room(struct gv_cache *c, uint64_t size)
{
    if (size > c->params.budget || size > SIZE_MAX / 2)
        return false;
    while (c->bytes > c->params.budget - size && c->heap_count)
        gv_cache_evict(c, c->heap[0]);
    return c->bytes <= c->params.budget - size;
}

bool gv_cache_fail_room(const struct gv_cache *c, uint64_t size, struct gv_error *err)
{
    if (size > c->params.budget || size > SIZE_MAX / 2)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "a resource group of %" PRIu64
                       " bytes is over the budget of %" PRIu64,
                       size, c->params.budget);
    return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                   "resources in use together exceed the budget of %" PRIu64 " bytes",
                   c->params.budget);
}

void gv_cache_put(struct gv_cache *c, uint32_t item, uint8_t *data, bool in_use)
{
    c->entries[item].data = data;
    c->entries[item].owned = true;
    c->counters.items++;
    c->counters.bytes += c->params.items[item].raw_size;
    if (!in_use)
        heap_add(c, item);
}

// ---- fetching ----

static bool borrow(struct gv_cache *c, uint32_t item)
{
    const struct gv_cache_item *what = &c->params.items[item];
    for (size_t i = 0; i < c->params.source_count; i++) {
        struct gv_source *source = c->params.sources[i];
        if (!source->borrow)
            continue;
        c->entries[item].data = source->borrow(source, &what->hash, what->raw_size);
        if (!c->entries[item].data)
            continue;
        c->counters.items++;
        c->counters.requests++;
        c->counters.bytes += what->raw_size;
        return true;
    }
    return false;
}

bool gv_cache_fail_absent(const struct gv_cache *c, uint32_t item, struct gv_error *err)
{
    return gv_source_fail_absent(&c->params.items[item].hash, c->params.sources,
                                 c->params.source_count, err);
}

static bool fetch(struct gv_cache *c, uint32_t item, uint8_t *data,
                  struct gv_error *err)
{
    const struct gv_cache_item *what = &c->params.items[item];
    struct gv_fetch wanted = { what->hash, what->raw_size, data, false };
    for (size_t i = 0; i < c->params.source_count && !wanted.found; i++) {
        struct gv_source *source = c->params.sources[i];
        if (!source->fetch(source, &wanted, 1, err))
            return false;
    }
    return wanted.found || gv_cache_fail_absent(c, item, err);
}

static bool fetch_now(struct gv_cache *c, uint32_t item, struct gv_error *err)
{
    uint64_t size = c->params.items[item].raw_size;
    if (!gv_cache_make_room(c, size))
        return gv_cache_fail_room(c, size, err);
    uint8_t *data = malloc(size ? (size_t)size : 1);
    if (!data)
        return gv_out_of_memory(err);
    if (!fetch(c, item, data, err)) {
        free(data);
        return false;
    }
    c->bytes += size;
    c->counters.requests++;
    gv_cache_put(c, item, data, true);
    return true;
}

static bool bring(struct gv_cache *c, uint32_t item, struct gv_error *err)
{
    uint64_t start = gv_now_ns();
    bool ok = borrow(c, item) || (c->ahead ? gv_cache_ahead_wait(c->ahead, item, err)
                                           : fetch_now(c, item, err));
    c->counters.stalls++;
    c->counters.stall_ns += gv_now_ns() - start;
    return ok;
}

// ---- use ----

static const uint8_t *use(struct gv_cache *c, uint32_t item, struct gv_error *err)
{
    struct gv_cache_entry *entry = &c->entries[item];
    c->counters.uses++;
    if (entry->data)
        c->counters.hits++;
    else if (!bring(c, item, err))
        return NULL;
    size_t at = c->position;
    if (at < c->params.use_count && c->params.uses[at] == item)
        move_to(c, at + 1);
    if (!entry->pinned) {
        if (entry->heap_at != NOWHERE)
            heap_remove(c, item);
        entry->pinned = true;
        c->pins[c->pin_count++] = item;
    }
    return entry->data;
}

const uint8_t *gv_cache_use(struct gv_cache *cache, uint32_t item, struct gv_error *err)
{
    if (item >= cache->params.item_count) {
        gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no item %" PRIu32, item);
        return NULL;
    }
    pthread_mutex_lock(&cache->lock);
    const uint8_t *data = use(cache, item, err);
    pthread_mutex_unlock(&cache->lock);
    return data;
}

// Those that are used no more are at the root, as long as there are any.
static void evict_spent(struct gv_cache *c)
{
    while (c->bytes > MOST_SPENT_BYTES && c->heap_count && key(c, 0) == NEVER)
        gv_cache_evict(c, c->heap[0]);
}

void gv_cache_release(struct gv_cache *cache)
{
    if (!cache->pin_count)
        return;
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < cache->pin_count; i++) {
        struct gv_cache_entry *entry = &cache->entries[cache->pins[i]];
        entry->pinned = false;
        if (entry->owned)
            heap_add(cache, cache->pins[i]);
    }
    cache->pin_count = 0;
    if (cache->params.once)
        evict_spent(cache);
    pthread_mutex_unlock(&cache->lock);
}

void gv_cache_get_counters(struct gv_cache *cache, struct gv_cache_counters *out)
{
    pthread_mutex_lock(&cache->lock);
    *out = cache->counters;
    if (cache->ahead)
        gv_cache_ahead_count(cache->ahead, out);
    pthread_mutex_unlock(&cache->lock);
}

uint64_t gv_cache_bytes(struct gv_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    uint64_t bytes = cache->bytes;
    pthread_mutex_unlock(&cache->lock);
    return bytes;
}
