// Whether a picture is as expected: the only place that decides.
#ifndef GV_VERDICT_H
#define GV_VERDICT_H

#include "tools/verdict/pixels.h"
#include "tools/verdict/tolerance.h"

struct gv_json;

#define GV_VERDICT_STEPS 4
extern const unsigned gv_verdict_steps[GV_VERDICT_STEPS]; // 0, 1, 2, 8 levels

struct gv_verdict_params {
    struct gv_tolerance tolerance;
    // Pixels that are black here are not compared. NULL: all are.
    const struct gv_pixels *mask;
    bool alpha;      // is a channel like the others; else nobody looks at it
    bool perceptual; // FLIP differences are wanted, whatever the tolerance
};

// All of pixels that are compared. Without them (sizes differ, the mask is black) what
// counts and measures is 0.
struct gv_verdict {
    bool pass;
    char why[160];                        // not; "" where it passes
    uint32_t width, height;               // of the picture that is expected
    uint32_t actual_width, actual_height; // and of the other
    uint64_t pixels;                      // that were compared
    uint64_t off[GV_VERDICT_STEPS];       // by more than so many levels in some channel
    uint64_t beyond;                      // off by more than the tolerance's levels
    uint64_t drawn, drawn_beyond;  // pixels that are drawn (tolerance.h), if `beyond`
    unsigned largest;              // difference of a channel, in levels
    uint32_t largest_x, largest_y; // the first pixel, row by row, that has it
    uint32_t left, top, right, bottom; // the box of pixels that are off: its last ones
    double psnr;                       // dB; infinite where nothing is off
    bool perceptual;                   // the next are known: FLIP differences
    double flip_mean, flip_p99;        // mean; 99 % of pixels have no larger one
};

// Compares. Pictures that are not as expected are no error: it fails for want of
// memory, or where the mask has another size than `expected` (GV_ERR_USAGE).
bool gv_verdict_make(struct gv_verdict *verdict, const struct gv_pixels *expected,
                     const struct gv_pixels *actual,
                     const struct gv_verdict_params *params, struct gv_error *err);

bool gv_verdict_same_size(const struct gv_verdict *verdict);
// Per cent of the pixels that were compared.
double gv_verdict_share(const struct gv_verdict *verdict, uint64_t count);

// All but `pass` and `why`, as members of an object that the caller has begun.
void gv_verdict_json(const struct gv_verdict *verdict, struct gv_json *json);

// What differs, to look at: grey where pixels are equal or not compared, else how far
// each channel is off, amplified. `diff` is zeroed before; of pictures of two sizes it
// is what both cover, the rest is red. gv_pixels_finish is due either way.
bool gv_verdict_diff(struct gv_pixels *diff, const struct gv_pixels *expected,
                     const struct gv_pixels *actual,
                     const struct gv_verdict_params *params, struct gv_error *err);

#endif
