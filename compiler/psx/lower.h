// From what the GPU does to records and transfers: a sink for gpu.h over a group.
#ifndef GV_PSX_LOWER_H
#define GV_PSX_LOWER_H

#include "compiler/psx/gpu.h"
#include "compiler/psx/group.h"
#include "compiler/psx/known.h"

struct gv_psx_lower {
    const struct gv_psx_gpu *gpu; // borrowed; set before the first word
    struct gv_psx_group *group;   // borrowed
    struct gv_bytes scratch;      // owned
    struct gv_psx_known *known;   // borrowed; at the command at hand
};

struct gv_psx_sink gv_psx_lower_sink(struct gv_psx_lower *lower);
void gv_psx_lower_finish(struct gv_psx_lower *lower);

#endif
