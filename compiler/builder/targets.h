// What a compile may rely on in the devices that will run its payload.
#ifndef GV_TARGETS_H
#define GV_TARGETS_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

#define GV_TARGET_FORMATS 256 // rows of vm/formats.def are fewer

// Zeroed: has nothing.
struct gv_target {
    bool formats[GV_TARGET_FORMATS]; // by row of gv_formats: can be sampled
    const char **features;           // names, as Vulkan spells them
    size_t feature_count;
    struct gv_arena arena;
};

// "desktop" (also NULL), "baseline", or a file of lines `format NAME` (without
// VK_FORMAT_) and `feature NAME`; `#` starts a comment. GV_ERR_USAGE for a name that
// is neither a target nor a file, GV_ERR_FORMAT with the byte of a bad line.
bool gv_target_init(struct gv_target *target, const char *name, struct gv_error *err);
void gv_target_finish(struct gv_target *target);

bool gv_target_has_format(const struct gv_target *target, uint32_t format);
bool gv_target_has_feature(const struct gv_target *target, const char *feature);

#endif
