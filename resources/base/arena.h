// A bump allocator: everything that belongs to one job, freed at once.
#ifndef GV_ARENA_H
#define GV_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct gv_arena_block;

// Zero-initialise before use. One thread at a time.
struct gv_arena {
    struct gv_arena_block *head; // owned
    size_t total;                // bytes allocated from the system
};

// Frees everything allocated from the arena and zeroes it.
void gv_arena_finish(struct gv_arena *arena);

// `n` zeroed bytes aligned to 16, or NULL when memory runs out. `n` may be 0.
void *gv_arena_alloc(struct gv_arena *arena, size_t n);

// Room for `count` elements of `size` bytes; NULL also where the product overflows.
void *gv_arena_array(struct gv_arena *arena, size_t count, size_t size);

// A copy of `n` bytes, followed by a NUL that does not count.
void *gv_arena_copy(struct gv_arena *arena, const void *data, size_t n);

#endif
