// Pictures that links would lead into one file.
#ifndef GV_RUN_LINKS_H
#define GV_RUN_LINKS_H

#include "tools/run/run_plan.h"

// Whether every picture of a plan has a file of its own. Otherwise GV_ERR_USAGE, naming
// two. Devices and pipes take any number.
bool gv_run_links_check(const struct gv_run_plan *plan,
                        const struct gv_run_options *options, struct gv_error *err);

#endif
