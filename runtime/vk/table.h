// A hash table of entries that live in their holders: it owns none of them, grows with
// their number, and lets go of each in constant time.
#ifndef GV_TABLE_H
#define GV_TABLE_H

#include "runtime/vk/link.h"

#include <stdint.h>

struct gv_table_entry {
    struct gv_link link; // in its bucket
    uint64_t hash;
};

struct gv_table {
    struct gv_link **buckets; // owned
    size_t size;              // 0 or a power of two
    size_t count;
};

void gv_table_finish(struct gv_table *table);

// Puts in an entry that is in no table. False: memory ran out.
bool gv_table_add(struct gv_table *table, struct gv_table_entry *entry, uint64_t hash);
void gv_table_remove(struct gv_table *table, struct gv_table_entry *entry);

// The entries of a hash, one after the other; NULL behind the last.
struct gv_table_entry *gv_table_find(const struct gv_table *table, uint64_t hash);
struct gv_table_entry *gv_table_next(const struct gv_table_entry *entry);

// A hash of words, begun with another hash or number.
uint64_t gv_table_hash(uint64_t hash, const uint64_t *words, size_t count);

#endif
