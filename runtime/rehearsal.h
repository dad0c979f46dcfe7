// A run without a device: what of a payload every device's run refuses.
#ifndef GV_REHEARSAL_H
#define GV_REHEARSAL_H

#include "resources/base/error.h"
#include "resources/source.h"
#include "vm/payload/payload.h"

// Runs all code of a verified payload by the runtime's own functions on a device that
// has everything and does nothing (null/null_device.h): once as where every requirement
// is met, once as where only those that are needed are, and from each keyframe to the
// next. False: a run on any device would end so, at the latest there; GV_ERR_FORMAT,
// GV_ERR_UNSUPPORTED, GV_ERR_FETCH, or a limit, with code offset and source command.
// Takes the process's one loader of Vulkan: no other runtime can be made before or
// after (GV_ERR_DEVICE).
bool gv_rehearse(struct gv_payload *payload, struct gv_source *const *sources,
                 size_t source_count, struct gv_error *err);

#endif
