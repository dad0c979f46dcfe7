// Observed application memory: what the commands of a window read, merged into disjoint
// islands of volatile memory, and what has to be fetched into them.
//
// A window collects observations; when it closes they are sorted and swept once into
// the fewest disjoint islands. An island keeps its captured address modulo 64. One that
// lies within an island of the window before keeps its place, so that bytes which are
// still there need not come again. Outside of what others reserve, volatile memory only
// ever changes by what is fetched here, so its contents are known exactly: `memory` is
// a copy of them.
#ifndef GV_OBSERVATIONS_H
#define GV_OBSERVATIONS_H

#include "resources/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_WINDOW_BYTES ((uint64_t)64 << 20) // of observations, then a window closes
#define GV_WINDOW_OBSERVATIONS ((size_t)1 << 18)
#define GV_ISLAND_ALIGNMENT 64u
// From this size on only changed blocks come again; smaller observations come whole.
#define GV_BLOCKWISE_BYTES ((uint64_t)64 << 10)
#define GV_BLOCK_BYTES 4096u
#define GV_MAX_VOLATILE_BYTES ((uint64_t)4 << 30)

struct gv_observation {
    uint32_t space, island;
    uint64_t address, size; // size > 0
    const uint8_t *data;
};

struct gv_island {
    uint32_t space;
    uint64_t address, size; // captured
    uint64_t place;         // in volatile memory
};

// A part of an observation that volatile memory does not hold yet.
struct gv_change {
    uint64_t place, size;
    const uint8_t *data;
};

// Zero-initialise before use.
struct gv_observations {
    struct gv_observation *list; // of the open window
    size_t count, capacity;
    uint64_t bytes;         // sum of their sizes
    struct gv_arena copies; // of their data
    struct gv_island
        *islands; // of the window laid out last, ascending (space, address)
    size_t island_count;
    struct gv_island *reserved; // ascending place; windows keep off them
    size_t reserved_count;
    uint8_t *memory;
    uint64_t memory_size; // volatile bytes so far, the most of any window
};

void gv_observations_finish(struct gv_observations *o);

// Takes `size` bytes out of the reach of all windows: the caller writes there, and
// keeps `memory` up to it. They are zero so far. False: out of memory, or of
// GV_MAX_VOLATILE_BYTES.
bool gv_observations_reserve(struct gv_observations *o, uint64_t size, uint64_t *place);

// Adds one to the window; `data` is copied unless `stable`. False: out of memory.
bool gv_observations_add(struct gv_observations *o, uint32_t space, uint64_t address,
                         const void *data, uint64_t size, bool stable);

// Closes the window: lays out its islands. False: out of memory, or of
// GV_MAX_VOLATILE_BYTES.
bool gv_observations_layout(struct gv_observations *o);

// After layout: where an observation lies in volatile memory.
uint64_t gv_observations_place(const struct gv_observations *o, size_t index);

// After layout, in the order of observing: the next part of observation `index` that
// memory lacks, which it holds from then on. `*cursor` starts at 0. False: no more.
bool gv_observations_change(struct gv_observations *o, size_t index, uint64_t *cursor,
                            struct gv_change *out);

// Forgets the window's observations; islands and memory stay.
void gv_observations_reset(struct gv_observations *o);

#endif
