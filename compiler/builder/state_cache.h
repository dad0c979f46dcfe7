// What is bound and set at this point of the payload, so that repeating it is dropped.
//
// Generic over calls.def: a key is a state class with the INDEX arguments of the call,
// a value the call with all its other arguments. Objects stand in it under the number
// they were created with, which is never reused, so that state which refers to a
// destroyed object equals nothing that comes later.
#ifndef GV_STATE_CACHE_H
#define GV_STATE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_STATE_VALUES 12 // most non-index arguments of a state call
#define GV_STATE_ENTRIES \
    ((size_t)1 << 16) // then everything is forgotten, which is safe

struct gv_state_entry {
    uint64_t key; // 0 = free
    uint64_t values[1 + GV_STATE_VALUES];
};

// Zero-initialise before use.
struct gv_state_cache {
    struct gv_state_entry *entries;
    size_t count, size; // size is a power of two
    // While `noting`: the keys that got another value, in order.
    bool noting;
    uint64_t *noted; // owned
    size_t noted_count, noted_capacity;
};

void gv_state_cache_finish(struct gv_state_cache *cache);

// The key of up to three indices within a class (0..254), or 0 if an index is too large
// to be worth remembering.
static inline uint64_t gv_state_key(uint32_t state_class, uint64_t i0, uint64_t i1,
                                    uint64_t i2)
{
    if (i0 >= 256 || i1 >= 1u << 20 || i2 >= 1u << 20)
        return 0;
    return (uint64_t)(state_class + 1) << 48 | i0 << 40 | i1 << 20 | i2;
}

// Whether `key` already has these `count` values (at most 1 + GV_STATE_VALUES); if not,
// it has them from now on. Out of memory counts as not.
bool gv_state_cache_repeats(struct gv_state_cache *cache, uint64_t key,
                            const uint64_t *values, size_t count);

// Forgets what a key has.
void gv_state_cache_forget(struct gv_state_cache *cache, uint64_t key);

// Forgets what the keys noted from number `from` on have.
void gv_state_cache_forget_noted(struct gv_state_cache *cache, size_t from);

#endif
