// Pictures of frames that differ: judged with a tolerance, kept beside the results.
#ifndef GV_CHECK_PICTURES_H
#define GV_CHECK_PICTURES_H

#include "tools/check/check_job.h"

// Whether some picture would decide or be kept; then the set of frames is written for
// `run --screenshots @FILE`, whose path that is.
bool gv_check_pictures_want(struct gv_check_job *job, char path[GV_GOLDEN_PATH],
                            bool *want, struct gv_error *err);

// Behind that run. Frames whose picture is within the tolerance pass; of others what is
// there is kept in the folder of results. A picture of the golden folder that cannot be
// read, or a mask of another size, is why a frame fails. GV_ERR_OUTPUT.
bool gv_check_pictures_judge(struct gv_check_job *job, struct gv_error *err);

// --bless --pictures: the golden folder's pictures become those that were seen.
bool gv_check_pictures_bless(struct gv_check_job *job, struct gv_error *err);

#endif
