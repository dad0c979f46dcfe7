// Raw bytes of resource groups, kept within a budget. The future is known (the payload
// carries the order of use), so what is thrown out is what is needed farthest ahead.
#ifndef GV_CACHE_H
#define GV_CACHE_H

#include "resources/base/error.h"
#include "resources/source.h"

#include <stddef.h>
#include <stdint.h>

// One thing that can be cached: a group of the payload.
struct gv_cache_item {
    struct gv_hash hash; // of the raw bytes
    uint64_t raw_size;   // bytes
};

// Arrays and sources are borrowed and must outlive the cache.
struct gv_cache_params {
    const struct gv_cache_item *items; // [item_count]
    size_t item_count;
    const uint32_t *uses; // [use_count]: item per use, in order; numbers < item_count
    size_t use_count;
    struct gv_source *const *sources; // asked in order until one has the item
    size_t source_count;
    uint64_t budget; // private bytes held at most; borrowed bytes do not count
    // A thread of the cache's own asks the sources, in the order of `uses` up to number
    // `ahead_uses` and before they are used. Then nobody else may use the sources.
    bool ahead;
    size_t ahead_uses;
    // The schedule is not begun again: of what it does not use any more a few groups
    // stay, for uses that it lacks, and the memory of the others is free for those that
    // come.
    bool once;
    // Told of each second that a use waits for a source that answers in its own time
    // (one with orders), which has limits of its own for that; may be NULL.
    void (*waited)(void *context);
    void *waited_context;
};

struct gv_cache_counters {
    uint64_t uses;     // gv_cache_use calls
    uint64_t hits;     // of which: already here
    uint64_t items;    // fetched (or borrowed), ahead or when used
    uint64_t bytes;    // raw bytes of those
    uint64_t requests; // sent to servers; calls of other sources' fetch or borrow
    uint64_t kept;     // items that a source had from the cache on disk
    uint64_t evicted;  // items thrown out
    uint64_t stalls;   // uses that waited for a fetch
    uint64_t stall_ns; // how long, together
};

struct gv_cache;

// NULL: GV_ERR_LIMIT. Takes memory for `item_count` and `use_count` numbers, nothing
// else until first used. The functions are for one thread.
struct gv_cache *gv_cache_create(const struct gv_cache_params *params,
                                 struct gv_error *err);
void gv_cache_destroy(struct gv_cache *cache); // NULL is fine

// Items have been added behind those there were (which stay, at a new address or not),
// and the schedule goes on with other uses, from their first. `budget` never falls; the
// sources stay, and whether it fetches ahead. The old arrays may go when this has
// returned true; after false (GV_ERR_LIMIT) the cache can only be destroyed.
bool gv_cache_extend(struct gv_cache *cache, const struct gv_cache_params *params,
                     struct gv_error *err);

// The raw bytes of an item, fetched if need be. They stay valid (the item is pinned)
// until the next gv_cache_release. If `item` is the one the schedule expects, the
// schedule moves on by one; if not, the use counts as unscheduled and the schedule
// stays.
// NULL: GV_ERR_FETCH (nobody has it, or it arrived damaged; names the id), GV_ERR_LIMIT
// (the pinned items alone exceed the budget).
const uint8_t *gv_cache_use(struct gv_cache *cache, uint32_t item,
                            struct gv_error *err);

// Unpins everything. Cheap where nothing is pinned: call it after every host call.
void gv_cache_release(struct gv_cache *cache);

// Moves the schedule to use number `position` (<= use_count): a frame's start, or 0 to
// begin again. Cached items stay.
void gv_cache_seek(struct gv_cache *cache, size_t position);
size_t gv_cache_position(const struct gv_cache *cache);

void gv_cache_get_counters(struct gv_cache *cache, struct gv_cache_counters *out);
uint64_t gv_cache_bytes(struct gv_cache *cache); // private bytes, also on their way

#endif
