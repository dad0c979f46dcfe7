// A random program run whole and sliced on a model of a GPU: the pictures and exports
// that were asked for are the same, of a run that leaves out code and of the slice as a
// payload.
#ifndef GV_SLICE_COMPARE_H
#define GV_SLICE_COMPARE_H

#include "tests/vm/slice_program.h"

#include "resources/base/error.h"

struct slice_totals {
    uint64_t kept, calls, whole;
};

// False with GV_OK in `err`: outputs differ.
bool slice_program_check(struct slice_program *program, struct slice_totals *totals,
                         struct gv_error *err);

#endif
