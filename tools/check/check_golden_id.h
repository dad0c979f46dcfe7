// What a capture is compared with, as one hash: a result of another is not of today.
#ifndef GV_CHECK_GOLDEN_ID_H
#define GV_CHECK_GOLDEN_ID_H

#include "tools/check/check_job.h"

// Of a job that has begun: the bytes of its golden files and its mask, sizes and times
// of the pictures that a tolerance is for, and how the list of --fails has it.
bool gv_check_golden_id(const struct gv_check_job *job, char id[GV_HASH_HEX],
                        struct gv_error *err);

#endif
