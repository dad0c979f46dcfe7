// Many captures against a golden folder: each in a process of its own.
#ifndef GV_CHECK_H
#define GV_CHECK_H

#include "tools/check/check_params.h"
#include "tools/program.h"

// Checks, and tells what came of it. GV_EXIT_OK: everything is as expected;
// GV_EXIT_DIFFER: something is not; others: the check itself could not go on.
enum gv_exit gv_check(const struct gv_program *program,
                      const struct gv_check_params *params);

#endif
