// Vertices and indices of draws, kept by a key of all that they are made of: what was
// made before, of sources that did not change, is neither made nor hashed again.
//
// A key is the hash of sources (objects by serial and version, ranges) and of layouts.
// Whoever makes one leaves out nothing that the bytes depend on. What comes once is not
// kept: a first sight of a key is only remembered, and all is forgotten when the bytes
// or the entries become too many.
#ifndef GV_LOWER_PIECES_H
#define GV_LOWER_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "resources/hash.h"

#define GV_PIECES_BYTES ((uint64_t)32 << 20) // of all pieces that are kept
#define GV_PIECES_KNOWN (1u << 15)           // entries

// One draw's. Counted: free it by gv_lower_piece_drop.
struct gv_lower_piece {
    uint32_t references;
    uint32_t vertex_count, index_count;
    uint64_t vertex_bytes;
    uint8_t *vertices;
    uint32_t *indices; // NULL: vertices in order
};

struct gv_lower_entry {
    struct gv_hash key;
    bool used, seen;              // seen: before the call that found it
    struct gv_lower_piece *piece; // NULL: not kept
    // Where the key names all that was streamed at once; size 0: not known.
    struct gv_hash content;
    uint64_t size;
    uint32_t
        numbers; // plus 1, where the key is of an order of primitives; 0: not known
};

// Zeroed: empty.
struct gv_lower_pieces {
    struct gv_lower_entry *entries; // owned; open addressing
    uint32_t count, capacity;
    uint64_t bytes;
};

// The entry of a key, made if there is none; good until the next call. NULL: no memory.
struct gv_lower_entry *gv_lower_pieces_find(struct gv_lower_pieces *p,
                                            const struct gv_hash *key);

// Room for a piece, which the key finds from now on; one reference is the caller's.
// NULL: too large to be kept, no memory.
struct gv_lower_piece *gv_lower_pieces_add(struct gv_lower_pieces *p,
                                           const struct gv_hash *key,
                                           const struct gv_lower_piece *like);

void gv_lower_piece_hold(struct gv_lower_piece *piece);
void gv_lower_piece_drop(struct gv_lower_piece *piece); // NULL is fine

void gv_lower_pieces_finish(struct gv_lower_pieces *p);

#endif
