// A snapshot (vulkan.State): what was there when the capture began, turned into the
// calls that make it.
#ifndef GV_AGI_STATE_H
#define GV_AGI_STATE_H

#include "compiler/agi/agi_capture.h"
#include "compiler/agi/agi_mapped.h"
#include "compiler/vulkan/vulkan.h"

// Errors name the chunk of the snapshot: GV_ERR_FORMAT, GV_ERR_UNSUPPORTED by name.
bool gv_agi_restore(struct gv_agi_capture *capture, struct gv_vulkan *vulkan,
                    struct gv_agi_mapped *mapped, const struct gv_agi_event *event,
                    struct gv_error *err);

#endif
