// What a pass may draw into: as image_rules.h.
#ifndef GV_PASS_RULES_H
#define GV_PASS_RULES_H

#include "vm/descs.h"
#include "vm/rules/image_rules.h"

// A mip and layers of an image; `image` NULL: none.
struct gv_target_shape {
    const struct gv_image_shape *image;
    uint64_t id;     // tells images apart
    uint32_t format; // 0: the image's
    uint32_t mip, layer, layers;
};

// An image that is named as a target was made with `usage`, and has the mip and layers.
bool gv_rule_target(const struct gv_target_shape *target, uint32_t usage,
                    struct gv_error *err);
bool gv_rule_color_index(uint64_t index, struct gv_error *err);
// What a multisampled target is resolved to has one sample.
bool gv_rule_resolve_target(const struct gv_image_shape *image, struct gv_error *err);

struct gv_pass_shape {
    uint32_t width, height, layers;
    struct gv_target_shape color[GV_MAX_COLOR_ATTACHMENTS];
    struct gv_target_shape resolve[GV_MAX_COLOR_ATTACHMENTS];
    struct gv_target_shape depth;
};

// The targets of a pass, each of which keeps gv_rule_target, hold its area and go
// together.
bool gv_rule_pass(const struct gv_pass_shape *pass, struct gv_error *err);

#endif
