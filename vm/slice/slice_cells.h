// Sets of rectangles: what is wanted of one plane, mip and slice of an image, or (one
// row high) of a row of bytes. Only vm/slice/ includes this.
#ifndef GV_SLICE_CELLS_H
#define GV_SLICE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gv_piece {
    uint32_t x0, y0, x1, y1; // exclusive ends
    uint32_t reader;         // the unit that wants it, or one of several
};

struct gv_cell {
    uint32_t count, capacity;
    struct gv_piece *pieces; // owned; they may overlap
};

// What all cells share.
struct gv_cell_account {
    uint64_t memory, memory_limit; // bytes
    uint64_t work;                 // pieces looked at
    uint32_t reader;               // of what is added; of what was hit last
    bool failed;                   // memory has run out
};

enum gv_cell_verb { GV_CELL_HIT, GV_CELL_ADD, GV_CELL_REMOVE };

// Room for `count` elements of `size` bytes, zeroed, and counted. NULL: it has failed.
void *gv_cells_alloc(struct gv_cell_account *account, uint64_t count, size_t size);

void gv_cell_drop(struct gv_cell_account *account, struct gv_cell *cell);

// Whether the verb changes anything, or (HIT) finds something.
bool gv_cell_concerns(struct gv_cell_account *account, const struct gv_cell *cell,
                      const struct gv_piece *piece, enum gv_cell_verb verb);

// Adds or removes.
void gv_cell_apply(struct gv_cell_account *account, struct gv_cell *cell,
                   const struct gv_piece *piece, enum gv_cell_verb verb);

// The same of a cell whose pieces are all one row high, and were never added to or
// removed from otherwise: of them none touch.
bool gv_row_concerns(struct gv_cell_account *account, const struct gv_cell *cell,
                     const struct gv_piece *piece, enum gv_cell_verb verb);
void gv_row_apply(struct gv_cell_account *account, struct gv_cell *cell,
                  const struct gv_piece *piece, enum gv_cell_verb verb);

// The same pieces, in a cell of its own.
void gv_cell_copy(struct gv_cell_account *account, const struct gv_cell *from,
                  struct gv_cell *to);
bool gv_cell_same(const struct gv_cell *a, const struct gv_cell *b);

#endif
