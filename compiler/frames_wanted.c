#include "compiler/frames_wanted.h"

bool gv_frames_wanted(const struct gv_compile_params *p, uint64_t frames)
{
    return !p->frames || (p->frame_count && frames <= p->frames[p->frame_count - 1]);
}
