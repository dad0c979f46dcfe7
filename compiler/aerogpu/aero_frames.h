// Frames: the default framebuffer, pictures and exports.
#ifndef GV_AERO_FRAMES_H
#define GV_AERO_FRAMES_H

#include "compiler/aerogpu/aero_contexts.h"

#define GV_AERO_FRAMEBUFFER_SIDE 64u // of the default framebuffer

struct gv_aero_export {
    bool made;
    uint32_t index, format, width, height;
};

struct gv_aero_frames {
    struct gv_image framebuffer; // made when first needed
    uint32_t framebuffer_width, framebuffer_height;
    bool shows;     // the current frame has a Present record
    bool presented; // since the last one
    bool kept;      // ... in an earlier frame, which has none: see kept_picture
    struct gv_lower_attachment kept_picture; // a copy of what was presented
    // What was presented, for the exports.
    uint32_t width, height;
    struct gv_lower_attachment color, depth;
    uint32_t depth_aspects;
    struct gv_aero_export export_color, export_depth;
};

// ---- aero_pass.c ----

// Opens a pass on the context's targets unless it is open.
void gv_aero_pass_begin(struct gv_aero *a, struct gv_aero_context *x);
// What the context renders to, the default framebuffer when nothing is bound; computed
// when the targets changed.
const struct gv_lower_targets *gv_aero_current_targets(struct gv_aero *a,
                                                       struct gv_aero_context *x);
struct gv_image gv_aero_framebuffer(struct gv_aero *a);
// The picture of this frame is the one that an earlier frame kept.
void gv_aero_present_kept(struct gv_aero *a);

#endif
