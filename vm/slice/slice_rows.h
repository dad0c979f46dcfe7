// What is wanted of bytes: rows of a page each, of which neighbours that are alike are
// one. Only vm/slice/ includes this.
#ifndef GV_SLICE_ROWS_H
#define GV_SLICE_ROWS_H

#include "vm/slice/slice_cells.h"

struct gv_rows {
    uint64_t page;         // bytes of a row
    struct gv_band *bands; // owned; NULL: nothing was ever wanted
    uint32_t band_count;
};

// Rows for `size` bytes, of `stride` bytes each where that serves (0: any). False:
// there is no memory (the account has failed), or they would be too many (it has not).
bool gv_rows_init(struct gv_cell_account *account, struct gv_rows *rows, uint64_t size,
                  uint64_t stride);
void gv_rows_drop(struct gv_cell_account *account, struct gv_rows *rows);

// Bytes [x0, x1) of the rows [begin, end), which exist. True: HIT has found some of it.
bool gv_rows_apply(struct gv_cell_account *account, struct gv_rows *rows,
                   uint64_t begin, uint64_t end, const struct gv_piece *piece,
                   enum gv_cell_verb verb);

// Bytes that are wanted, run by run; they may overlap. False: a visit was.
typedef bool (*gv_rows_visit)(void *context, uint64_t offset, uint64_t size);
bool gv_rows_each(const struct gv_rows *rows, gv_rows_visit visit, void *context);

#endif
