// "Did you mean": the known word nearest to one that is not known.
#ifndef GV_NEAREST_H
#define GV_NEAREST_H

#include <stddef.h>

struct gv_nearest {
    const char *word;  // the unknown one; borrowed
    size_t length;     // of it
    const char *best;  // borrowed from what was offered; NULL = nothing is near
    unsigned distance; // of `best`
};

void gv_nearest_init(struct gv_nearest *n, const char *word, size_t length);
// Keeps `known` if it is nearer than all before it, and near at all: one slip in three
// letters, a slip being a letter too many, too few, another, or swapped with the next;
// or what the word is the beginning of.
void gv_nearest_offer(struct gv_nearest *n, const char *known);

#endif
