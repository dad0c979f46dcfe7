// Two runs beside each other: what changed.
#ifndef GV_RESULT_AGAINST_H
#define GV_RESULT_AGAINST_H

#include "resources/base/error.h"
#include "tools/results/results.h"

// Fills `change` of all results, by their names in `earlier`. One is slower if it took
// over half as long again as it would have, were it as much slower or faster as the
// others are in the middle, and over 0.1 s more.
bool gv_result_against(struct gv_results *results, const struct gv_results *earlier,
                       struct gv_error *err);

#endif
