#include "compiler/agi/agi_state.h"

bool gv_agi_restore(struct gv_agi_capture *capture, struct gv_vulkan *vulkan,
                    struct gv_agi_mapped *mapped, const struct gv_agi_event *event,
                    struct gv_error *err)
{
    (void)capture, (void)vulkan, (void)mapped;
    return gv_fail(err, GV_ERR_UNSUPPORTED, event->place.offset,
                   "unsupported: snapshot of AGI (block %llu)",
                   (unsigned long long)event->place.block);
}
