// Content to number: the same bytes get the same number while they are remembered.
//
// Memory is bounded: entries live in two generations, and when the young one is full
// the old one is forgotten. What is forgotten is merely stored twice, and the outcome
// depends on nothing but the sequence of calls. Bytes are compared, never hashes alone.
#ifndef GV_DEDUP_H
#define GV_DEDUP_H

#include "resources/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gv_dedup_entry {
    uint64_t hash, check; // two halves of a content id; `check` may be 0
    const uint8_t *data;  // in the generation's arena, or stable memory
    uint64_t size;
    uint32_t number;
};

struct gv_dedup_generation {
    struct gv_arena bytes;
    uint64_t kept; // bytes copied into the arena
    struct gv_dedup_entry *entries;
    size_t count, capacity;
    uint32_t *table; // index into `entries` plus one, or 0; size is a power of two
    size_t table_size;
};

// Zero-initialise, then set the limits.
struct gv_dedup {
    struct gv_dedup_generation young, old;
    size_t max_entries;    // per generation
    uint64_t max_bytes;    // copied, per generation; larger contents are not remembered
    const uint8_t *stable; // bytes that stay where they are: kept without a copy
    size_t stable_size;
};

enum gv_dedup_result { GV_DEDUP_NEW, GV_DEDUP_KNOWN, GV_DEDUP_COLLISION };

void gv_dedup_finish(struct gv_dedup *d);

// Looks for these bytes. KNOWN fills `number`. COLLISION: other bytes of the same size
// have the same hash and check.
enum gv_dedup_result gv_dedup_find(struct gv_dedup *d, uint64_t hash, uint64_t check,
                                   const void *data, uint64_t size, uint32_t *number);

// Remembers bytes that were NEW. False: out of memory.
bool gv_dedup_add(struct gv_dedup *d, uint64_t hash, uint64_t check, const void *data,
                  uint64_t size, uint32_t number);

// Whether these bytes lie in stable memory.
bool gv_dedup_is_stable(const struct gv_dedup *d, const void *data, uint64_t size);

// A quick hash of a few bytes.
uint64_t gv_dedup_hash(const void *data, size_t size);

#endif
