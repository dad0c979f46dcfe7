// The captures that a check is about: files and what lies in folders.
#ifndef GV_CHECK_ITEMS_H
#define GV_CHECK_ITEMS_H

#include "resources/base/arena.h"
#include "tools/program.h"

struct gv_check_item {
    const char *file;
    const char *name; // of its golden file
    bool there;
    uint64_t ns; // that it took before; 0: not known
};

// Zero-initialise.
struct gv_check_items {
    struct gv_arena arena;       // holds the texts
    struct gv_check_item *items; // owned; in the order of the operands
    size_t count, capacity;
    bool folders; // every operand was a folder
};

struct gv_check_wish {
    const char *const *paths;
    size_t count;
    const char *filter; // a regular expression on names; or NULL
};

#define GV_CHECK_ITEMS_MOST ((size_t)1 << 20)

// A file is an item under its name without the ending; of a folder and those in it
// everything that can be replayed is, in order of names, under its path below the
// folder. A file that is not there is an item too. GV_ERR_USAGE: nothing is left, the
// expression is none.
bool gv_check_items_list(struct gv_check_items *items, const struct gv_check_wish *wish,
                         const struct gv_captures *captures, struct gv_error *err);
void gv_check_items_finish(struct gv_check_items *items);

// The items that take longest, then those that are not known, come first: their
// indices, which the caller frees. NULL when memory runs out.
size_t *gv_check_items_order(const struct gv_check_items *items);

#endif
