// Groups of noise, and files of nothing but groups, true or not: for tests of what a
// payload may say of dictionaries.
#ifndef GV_MADE_GROUP_H
#define GV_MADE_GROUP_H

#include "resources/base/bytes.h"

#define MADE_GROUP_NONE 255 // no dictionary

// Which noise it has, compressed with group `with`, and of which group the file says
// so.
struct made_group {
    uint32_t size; // bytes, > 0
    uint8_t noise, with, said;
};

// Appends the row and the stored bytes of a group to what a file's segments will hold.
// Those before it are `groups[number]`.
bool made_group_put(const struct made_group *groups, size_t number,
                    struct gv_bytes *table, struct gv_bytes *stored);

// A payload of them, its hashes right.
bool made_group_file(const struct gv_bytes *table, const struct gv_bytes *stored,
                     struct gv_bytes *out);

#endif
