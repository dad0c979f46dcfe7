// Blocks: bytes of a front-end that live in volatile memory, where only what changes is
// written. What a block holds is known exactly, since nothing else writes there.
#ifndef GV_BLOCKS_H
#define GV_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_BLOCKS_MAX 4096                   // of a payload
#define GV_BLOCKS_BYTES ((uint64_t)16 << 20) // their room, together

struct gv_held_block {
    uint64_t id;
    uint64_t place, room; // in volatile memory
    uint64_t version;     // a new one with every change of any block; 0 = free
    // Contents in a row that were not written for differing everywhere, and how many it
    // takes until the next is written whole.
    uint32_t misses, patience;
};

// Zero-initialise before use.
struct gv_blocks {
    struct gv_held_block *table; // owned; open addressing
    size_t count, size;          // size is a power of two
    uint64_t versions;           // given so far
    uint64_t bytes;              // of room
};

void gv_blocks_finish(struct gv_blocks *blocks);

// The block of an id, or a new one (version 0) to be filled in. NULL: no room, or no
// memory. Valid until the next call.
struct gv_held_block *gv_blocks_find(struct gv_blocks *blocks, uint64_t id);

// A part of `after[size]` that differs from `before[size]`, in whole words (the last
// one may be short), from `*cursor` on, which is advanced. Words between that do not
// differ are taken along where that is shorter than a run of their own. False: no more.
bool gv_block_change(const uint8_t *before, const uint8_t *after, size_t size,
                     size_t *cursor, size_t *start, size_t *length);

#endif
