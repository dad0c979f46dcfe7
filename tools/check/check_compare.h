// The frames that a run showed against the lines of the golden folder.
#ifndef GV_CHECK_COMPARE_H
#define GV_CHECK_COMPARE_H

#include "tools/check/check_seen.h"
#include "tools/check/golden.h"

// A frame that is not as its lines say. Borrows from both sides.
struct gv_check_differing {
    const char *frame;
    const struct gv_golden_line *expected; // the first of its lines; NULL: none
    const struct gv_check_frame *actual;   // NULL: it was not shown
    char why[160];
    unsigned pictures; // that are left of it: bits of enum gv_result_picture
    bool passes;       // by its picture, within the tolerance
};

// Zero-initialise.
struct gv_check_difference {
    struct gv_check_differing *items; // owned; in the order of frames
    size_t count, capacity;
};

// All frames that differ. False when memory runs out.
bool gv_check_compare(struct gv_check_difference *difference, struct gv_golden *golden,
                      const struct gv_check_seen *seen);
void gv_check_difference_finish(struct gv_check_difference *difference);

// The forms of hashes that lines of these frames could still be accepted with.
unsigned gv_check_forms_wanted(const struct gv_golden *golden,
                               const struct gv_check_difference *difference);

// "64x64 sha256-rgba:...", or "missing".
void gv_check_expected_text(const struct gv_check_differing *d, char *text,
                            size_t size);
void gv_check_actual_text(const struct gv_check_differing *d, char *text, size_t size);

// A hash of the frame that was made, or "none".
const char *gv_check_any_hash(const struct gv_check_frame *frame);

#endif
