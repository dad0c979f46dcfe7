// Numbers by other numbers, which are hashes already.
#ifndef GV_DIFF_TABLE_H
#define GV_DIFF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Zero-initialise; finish it.
struct gv_diff_table {
    uint64_t *keys;   // owned; [capacity]; 0: free
    uint32_t *values; // owned; [capacity]
    size_t count, capacity;
};

// What stands at `key`, 0 at first. NULL: no memory. Valid until the next call.
uint32_t *gv_diff_table_at(struct gv_diff_table *table, uint64_t key);
void gv_diff_table_finish(struct gv_diff_table *table);

#endif
