// How far a picture may be from the one that is expected, as people write it.
#ifndef GV_TOLERANCE_H
#define GV_TOLERANCE_H

#include "resources/base/error.h"

enum gv_tolerance_kind { GV_TOLERANCE_LEVELS, GV_TOLERANCE_PERCEPTUAL };

// A zeroed one is "exact".
struct gv_tolerance {
    enum gv_tolerance_kind kind;
    // LEVELS: shares in per cent of pixels that may be off by more than `levels`: of
    // all of them, and of those that are drawn, which have another colour than the
    // commonest one of the picture that is expected.
    unsigned levels;
    double share, share_of_drawn;
    // PERCEPTUAL: how large the FLIP difference may be (flip.h).
    double mean, p99;
};

#define GV_TOLERANCE_FORMS \
    "exact, gl, LEVELS[,SHARE[,SHARE-OF-DRAWN]] or perceptual[:MEAN[,P99]]"

// Reads
//   exact                            no pixel is off
//   LEVELS[,SHARE[,SHARE-OF-DRAWN]]  SHARE (0) per cent may be off by more than LEVELS
//                                    (0 to 255), and SHARE-OF-DRAWN (100) of the drawn
//   gl                               2,0.5,2: the gate of this project's corpus
//   perceptual[:MEAN[,P99]]          means of FLIP differences, and their 99th
//                                    percentile, from 0 to 1 (0.05 and 0.3)
// GV_ERR_USAGE.
bool gv_tolerance_parse(const char *text, struct gv_tolerance *out,
                        struct gv_error *err);

#endif
