// A random program run whole and sliced on a model of a GPU: the pictures and exports
// that were asked for are the same, of a run that leaves out code and of the slice as a
// payload.
#ifndef GV_SLICE_COMPARE_H
#define GV_SLICE_COMPARE_H

#include "tests/vm/model_host.h"
#include "tests/vm/slice_program.h"
#include "vm/slice/slice.h"

struct slice_totals {
    uint64_t kept, calls, whole, contents;
};

// What is asked of a program.
struct slice_wish {
    const struct gv_slice_params *wanted;
    bool met;
};

// Runs what is kept (NULL: all), looking at what is drawn to behind the commands that
// are wanted. Finish the model either way.
bool slice_wish_run(struct gv_payload *payload, const struct gv_kept *kept,
                    const struct slice_wish *wish, struct model_host *out,
                    struct gv_error *err);
bool slice_wish_same(const struct model_host *whole, const struct model_host *sliced,
                     const struct gv_slice_params *wanted);

// False with GV_OK in `err`: outputs differ.
bool slice_program_check(struct slice_program *program, struct slice_totals *totals,
                         struct gv_error *err);

#endif
