// Sets of calls in apitrace's grammar: "4", "0,2,5", "0-100/2", "1000-2000/draw",
// "*/frame", "frame". docs/apitrace.md has all of it.
#ifndef GV_CALL_SET_H
#define GV_CALL_SET_H

#include "resources/base/error.h"

#include <stddef.h>

#define GV_CALL_SET_MAX_ITEMS ((size_t)1 << 20)

struct gv_call_set_item {
    uint64_t first, last; // both included
    uint64_t step;
    unsigned kind; // a kind of call (call_kinds.h), or 0: any
};

struct gv_call_set {
    struct gv_call_set_item *items; // owned
    size_t count, capacity;
};

// GV_ERR_USAGE naming what was not understood.
bool gv_call_set_parse(struct gv_call_set *set, const char *text, struct gv_error *err);
void gv_call_set_finish(struct gv_call_set *set);

// Whether a call of a number and of these kinds is in the set.
bool gv_call_set_has(const struct gv_call_set *set, uint64_t number, unsigned kinds);
// No call above this one is.
uint64_t gv_call_set_last(const struct gv_call_set *set);

#endif
