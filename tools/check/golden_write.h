// What was seen becomes what is expected: `check --bless`.
#ifndef GV_GOLDEN_WRITE_H
#define GV_GOLDEN_WRITE_H

#include "tools/check/check_compare.h"

// Puts lines of the frames that differ in place of theirs, each in the form that it
// had, and leaves all other lines as they are. A device with a short name gets its own
// file, once there is a NAME.tsv. Nothing differs: a file is written if there is none.
// GV_ERR_OUTPUT.
bool gv_golden_bless(const char *folder, const char *name, const char *device,
                     const struct gv_check_difference *difference,
                     struct gv_error *err);

#endif
