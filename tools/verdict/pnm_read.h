// PNM files (P1 to P6) and PAM (P7) of at most 8 bits a sample, as pixels.
#ifndef GV_PNM_READ_H
#define GV_PNM_READ_H

#include "tools/verdict/pixels.h"

bool gv_pnm_is(struct gv_span file);

// `pixels` is zeroed before; gv_pixels_finish is due either way. What follows the
// picture is not looked at: a PNM file may hold more of them.
bool gv_pnm_read(struct gv_pixels *pixels, struct gv_span file, struct gv_error *err);

#endif
