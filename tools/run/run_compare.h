// Hashes of a run's frames, and what they or their pictures are compared with.
#ifndef GV_RUN_COMPARE_H
#define GV_RUN_COMPARE_H

#include "runtime/runtime.h"
#include "tools/base/json.h"
#include "tools/run/run_plan.h"

// What --expect says of a frame.
enum gv_run_status {
    GV_RUN_NOT_COMPARED,
    GV_RUN_PASS,
    GV_RUN_FAIL,
    GV_RUN_EXTRA, // nothing is expected
};
const char *gv_run_status_word(enum gv_run_status status);

struct gv_run_compare {
    const struct gv_run_options *options; // borrowed
    struct gv_run_plan *plan;             // borrowed
    struct gv_json differing;             // array under way
    uint64_t hashed, differences;
    // ---- its own: the frame ----
    const struct gv_picture *picture;
    const char *frame;
    char size[24];
    char hashes[GV_HASH_FORM_COUNT][GV_HASH_FRAME_TEXT]; // "": not made yet
};

void gv_run_compare_init(struct gv_run_compare *c, const struct gv_run_options *options,
                         struct gv_run_plan *plan);
void gv_run_compare_finish(struct gv_run_compare *c);

// Hashes a frame ("12", "end"), prints its lines, and compares it. `*hashes`: those of
// the plan's forms with blanks between them, owned by the caller.
bool gv_run_compare_frame(struct gv_run_compare *c, const char *frame,
                          const struct gv_picture *picture, char **hashes,
                          enum gv_run_status *status, struct gv_error *err);

// Reports lines of --expect that no frame met.
void gv_run_compare_end(struct gv_run_compare *c);

// The members "differences", "differing" of a run with --expect.
void gv_run_compare_json(struct gv_run_compare *c, struct gv_json *to);

#endif
