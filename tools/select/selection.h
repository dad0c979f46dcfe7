// A SET met with how many frames or commands there are.
#ifndef GV_SELECTION_H
#define GV_SELECTION_H

#include "tools/select/set.h"

// More than this many numbers selected.
#define GV_SET_MAX_NUMBERS ((size_t)1 << 24)

struct gv_selection {
    uint64_t *numbers; // owned; ascending, no duplicates
    bool *named;       // owned; [count]: asked for by number (or `last`)
    size_t count;
    bool end; // the word `end` was there
};

// `total`: numbers are below it. One that is not is GV_ERR_USAGE ("frame 9 is out of
// range: there are 3"); `what` is "frame" or "command". So is a kind, where no member
// has one.
bool gv_set_resolve(const struct gv_set *set, uint64_t total, const char *what,
                    struct gv_selection *out, struct gv_error *err);
// The same numbers, of which none was asked for.
bool gv_selection_copy(const struct gv_selection *from, struct gv_selection *to,
                       struct gv_error *err);
void gv_selection_finish(struct gv_selection *selection);

// The index of `number`, or -1.
ptrdiff_t gv_selection_find(const struct gv_selection *selection, uint64_t number);

#endif
