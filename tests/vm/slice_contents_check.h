// Contents at random places of a random program: those of a run of no more than they
// need, against those of a run that leaves out nothing, on a model of a GPU.
#ifndef GV_SLICE_CONTENTS_CHECK_H
#define GV_SLICE_CONTENTS_CHECK_H

#include "tests/vm/slice_compare.h"

// False with GV_OK in `err`: contents differ, or liveness is told wrong.
bool slice_contents_check(struct slice_program *program, struct gv_payload *payload,
                          struct slice_totals *totals, struct gv_error *err);

#endif
