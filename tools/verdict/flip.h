// How different two pictures look when one is shown in the other's place: LDR-FLIP
// (Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", 2020) for a
// screen 0.7 m wide of 3840 pixels, seen from 0.7 m: 67 pixels per degree.
#ifndef GV_FLIP_H
#define GV_FLIP_H

#include "tools/verdict/pixels.h"

// Both have the same size. Pixels that are black in `mask` (NULL: none) count as equal,
// and in no mean. `p99`: 99 % of pixels have no larger difference, to 1/65535.
// Differences are from 0, which equal pictures have, to 1. False when memory runs out.
bool gv_flip(const struct gv_pixels *expected, const struct gv_pixels *actual,
             const struct gv_pixels *mask, double *mean, double *p99);

#endif
