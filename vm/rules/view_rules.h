// What views of images may be: as image_rules.h.
#ifndef GV_VIEW_RULES_H
#define GV_VIEW_RULES_H

#include "vm/rules/image_rules.h"

enum gv_view_use {
    GV_VIEW_USE_SAMPLED,
    GV_VIEW_USE_STORAGE,
    GV_VIEW_USE_COLOR,
    GV_VIEW_USE_DEPTH_STENCIL,
};

// Compared bytewise: zero-initialise.
struct gv_view_shape {
    uint32_t use;                      // enum gv_view_use
    uint32_t type;                     // GV_VIEW_TYPE_*
    uint32_t format;                   // GV_FORMAT_*; 0 = the image's
    uint32_t aspect;                   // GV_ASPECT_* bits; one for sampling
    uint32_t swizzle;                  // as bind_texture
    uint32_t mip, mips, layer, layers; // mips or layers 0 = the rest
};

// The usage that an image needs for it (GV_IMAGE_USAGE_*), and its name.
uint32_t gv_view_use_usage(uint32_t use);
const char *gv_view_use_name(uint32_t use);

// A view suits its image: usage, type, range, format, aspect, swizzle. What 0 stands
// for is filled in.
bool gv_rule_view(const struct gv_image_shape *image, struct gv_view_shape *view,
                  struct gv_error *err);

#endif
