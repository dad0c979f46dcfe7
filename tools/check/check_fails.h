// Failures that are expected: the list of --fails, in the columns of failures.csv.
#ifndef GV_CHECK_FAILS_H
#define GV_CHECK_FAILS_H

#include "resources/base/arena.h"
#include "resources/base/error.h"
#include "tools/results/results.h"

struct gv_check_fail;

// Zero-initialise.
struct gv_check_fails {
    struct gv_arena arena;
    struct gv_check_fail *items; // sorted by name
    size_t count;
};

// A line is "NAME" or "NAME,WORD"; # begins a comment. GV_ERR_NOT_FOUND, GV_ERR_USAGE
// naming the line.
bool gv_check_fails_read(struct gv_check_fails *fails, const char *path,
                         struct gv_error *err);
void gv_check_fails_finish(struct gv_check_fails *fails);

// Whether the name is listed, for a word if its line has one.
bool gv_check_fails_lists(const struct gv_check_fails *fails, const char *name);
bool gv_check_fails_expects(const struct gv_check_fails *fails, const char *name,
                            enum gv_word word);

#endif
