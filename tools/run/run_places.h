// Where a run's pictures are to be, and whether they can be written.
#ifndef GV_RUN_PLACES_H
#define GV_RUN_PLACES_H

#include "tools/run/run_plan.h"

// Whether files can be made where the pictures of a plan would be, and written where
// something else than a file is already: a link, a device, a folder. GV_ERR_OUTPUT.
bool gv_run_places_check(const struct gv_run_plan *plan,
                         const struct gv_run_options *options, struct gv_error *err);

// The folder that --screenshot-prefix leads to from the plan's. NULL: it leads nowhere,
// or no frame's picture is wanted.
const char *gv_run_places_prefix(const struct gv_run_plan *plan,
                                 const struct gv_run_options *options,
                                 char path[GV_RUN_PATH]);

#endif
