// Where in VRAM something draws or samples, in few rectangles: exact while it is
// simple, wider where it is not. What dispatches say they touch is made of these.
#ifndef GV_PSX_COVER_H
#define GV_PSX_COVER_H

#include "compiler/psx/hazards.h"

#define GV_PSX_COVER 6 // rectangles, which may overlap

// Zeroed: nothing.
struct gv_psx_cover {
    struct gv_psx_rect rects[GV_PSX_COVER];
    uint32_t count;
};

// Covers the rectangle (not empty) too.
void gv_psx_cover_add(struct gv_psx_cover *cover, const struct gv_psx_rect *rect);
void gv_psx_cover_add_area(struct gv_psx_cover *cover, const struct gv_psx_area *area);

#endif
