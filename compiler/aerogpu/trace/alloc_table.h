// The allocation table of a submission ("ALOC"): guest memory by id. Replays take
// addresses and sizes from the submission's memory ranges; the table adds the flags.
#ifndef GV_ALLOC_TABLE_H
#define GV_ALLOC_TABLE_H

#include "resources/base/arena.h"
#include "resources/base/cursor.h"
#include "resources/base/error.h"

#define GV_MAX_ALLOC_TABLE_BYTES (16u << 20)
#define GV_ALLOC_READONLY 1u // bit of flags

struct gv_alloc_entry {
    uint32_t alloc_id, flags;
    uint64_t gpa, size;
};

struct gv_alloc_table {
    struct gv_alloc_entry *entries; // ascending alloc_id, unique
    size_t count;
};

// Decodes and checks a whole table; `offset` is where `bytes` starts in the file.
// Errors carry the reference's names. Entries live in `arena`.
bool gv_alloc_table_decode(struct gv_cursor bytes, uint64_t offset,
                           struct gv_arena *arena, struct gv_alloc_table *out,
                           struct gv_error *err);

// The entry of that id, or NULL.
const struct gv_alloc_entry *gv_alloc_table_find(const struct gv_alloc_table *table,
                                                 uint32_t alloc_id);

#endif
