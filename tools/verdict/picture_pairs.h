// Two pictures, or the pictures of two folders that have the same names below these.
#ifndef GV_PICTURE_PAIRS_H
#define GV_PICTURE_PAIRS_H

#include "resources/base/error.h"

#include <stddef.h>

struct gv_picture_pair {
    char *name;              // owned: path below the folders, or the second path
    char *expected, *actual; // owned: paths; NULL: there is no such file
};

// Zero-initialise.
struct gv_picture_pairs {
    struct gv_picture_pair *items; // owned; by name
    size_t count;
    bool folders;
};

// `expected` and `actual` are two files, or two folders of which names that end as
// those of pictures count (pixels.h). GV_ERR_USAGE (a file and a folder, folders
// without a picture), GV_ERR_NOT_FOUND, GV_ERR_SYSTEM. gv_picture_pairs_finish is due
// either way.
bool gv_picture_pairs_find(struct gv_picture_pairs *pairs, const char *expected,
                           const char *actual, struct gv_error *err);
void gv_picture_pairs_finish(struct gv_picture_pairs *pairs);

#endif
