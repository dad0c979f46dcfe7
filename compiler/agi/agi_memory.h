// Memory of the recorded program, or a pool of a snapshot: what of it was observed, the
// newest bytes of each address.
#ifndef GV_AGI_MEMORY_H
#define GV_AGI_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An interval of addresses and its bytes. They form a tree that is ordered by address,
// a heap by `order`.
struct gv_agi_piece {
    uint64_t address, size;
    const uint8_t *bytes; // borrowed
    uint64_t order;
    struct gv_agi_piece *left, *right;
};

// Zero-initialise.
struct gv_agi_memory {
    struct gv_agi_piece *root; // owned
    uint64_t random, pieces;
};

void gv_agi_memory_finish(struct gv_agi_memory *m);

// `bytes` are borrowed as long as the memory lasts. The range must not wrap. False:
// there is no memory for it.
bool gv_agi_memory_observe(struct gv_agi_memory *m, uint64_t address,
                           const uint8_t *bytes, uint64_t size);
// Whether all of the range was observed.
bool gv_agi_memory_has(const struct gv_agi_memory *m, uint64_t address, uint64_t size);
// Copies observed bytes; others become 0. Returns how many were observed.
uint64_t gv_agi_memory_read(const struct gv_agi_memory *m, uint64_t address,
                            uint64_t size, void *out);
// How many bytes from `address` on were observed up to a 0, which counts, or `most`.
// False: something before it was not observed.
bool gv_agi_memory_text(const struct gv_agi_memory *m, uint64_t address, uint64_t most,
                        uint64_t *size);

#endif
