// What matrices are made of: a front-end says which is the product of which two, and
// what it inverts; found again by content, so that nobody has to follow where the bytes
// of a matrix went. And which of them stand in volatile memory.
//
// Numbers of matrices begin at 1; a product has a greater one than its factors had when
// it was said, so there is no circle. Pointers to matrices hold until the next is
// added.
#ifndef GV_MATRICES_H
#define GV_MATRICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_MATRIX_PLACES 128u       // in volatile memory
#define GV_MATRIX_INVERSE_BYTES 48u // three columns of an inverse: what it is known by

struct gv_known_matrix {
    float m[16];
    uint32_t left, right; // of a product; 0: not known as one
    uint32_t through;     // the first product that was made by way of this one
    uint32_t place;       // in volatile memory, plus 1; 0: none
    uint32_t said;        // how often it was a factor from the right, after the first
    uint32_t counted;     // the last estimate that took it in
    uint8_t words;        // what its words take, plus 1; 0: not counted yet
    bool shared;          // the way to several products: worth a place
    bool written;         // its bytes are in the payload
};

struct gv_known_inverse {
    uint8_t columns[GV_MATRIX_INVERSE_BYTES];
    uint32_t of; // matrix
};

// A place of the index: what is not there is told without a look at the matrix.
struct gv_matrix_entry {
    uint32_t number; // from 1; 0: none
    uint32_t hash;   // of its bytes
};

// Content to number, by open addressing.
struct gv_matrix_index {
    struct gv_matrix_entry *table; // owned; size is a power of two
    size_t size, count;
};

struct gv_matrix_place {
    uint32_t matrix; // 0: none
    uint64_t frame;  // that needs it to stay, plus 1
    uint64_t used;   // when
};

// Zero-initialise before use.
struct gv_matrices {
    struct gv_known_matrix *list; // owned; number n at n - 1
    size_t count, capacity;
    struct gv_known_inverse *inverses; // owned
    size_t inverse_count, inverse_capacity;
    struct gv_matrix_index by_content, by_inverse;
    struct gv_matrix_place places[GV_MATRIX_PLACES];
    uint64_t memory; // where they stand, plus 1; 0: nowhere yet
    uint64_t clock;  // of uses
    uint32_t last;   // product that was noted, or said again; 0: none
    uint64_t gains;  // bytes that were saved, or could have been
    uint32_t estimates;
};

void gv_matrices_finish(struct gv_matrices *t);

// All is forgotten where there is much: between frames.
void gv_matrices_relieve(struct gv_matrices *t);

// `product` is what gv_matrix_product makes of the others, else nothing is noted. What
// does not fit in memory is not noted either.
void gv_matrices_product(struct gv_matrices *t, const float product[16],
                         const float left[16], const float right[16]);
// Somebody will want the inverse of `m`.
void gv_matrices_inverse(struct gv_matrices *t, const float m[16]);

// The matrix of these 64 bytes; that whose inverse begins with these 48; or 0.
uint32_t gv_matrices_find(const struct gv_matrices *t, const void *bytes);
uint32_t gv_matrices_find_inverse(const struct gv_matrices *t, const void *columns);

static inline struct gv_known_matrix *gv_matrices_at(struct gv_matrices *t,
                                                     uint32_t number)
{
    return &t->list[number - 1];
}

// A way to a product goes by the matrix at its left.
void gv_matrices_pass(struct gv_matrices *t, uint32_t product);

// No matrix is in memory any more.
void gv_matrices_vacate(struct gv_matrices *t);

// A place for a matrix, whose number it gets: one that the frame does not need, the
// first of them, so that frames that are alike have code that is alike; else the one
// that was used longest ago. Not one used since `since` on the clock.
uint32_t gv_matrices_take_place(struct gv_matrices *t, uint32_t matrix, uint64_t frame,
                                uint64_t since);

#endif
