// Results as JUnit's XML, in the form that Jenkins reads.
#ifndef GV_RESULT_JUNIT_H
#define GV_RESULT_JUNIT_H

#include "resources/base/bytes.h"
#include "tools/results/results.h"

// Fail and UnexpectedPass are failures, Crash, Timeout and Missing are errors, Skip and
// ExpectedFail are skipped.
void gv_result_junit(const struct gv_results *results, struct gv_bytes *out);

#endif
