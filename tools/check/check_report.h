// What a check tells while it runs and at its end, always in the order of its input.
#ifndef GV_CHECK_REPORT_H
#define GV_CHECK_REPORT_H

#include "tools/check/check_params.h"
#include "tools/check/golden_devices.h"
#include "tools/results/result_lines.h"

// Zero-initialise.
struct gv_check_report {
    const struct gv_check_params *params;
    const struct gv_check_device *device; // set behind its finding
    struct gv_results results;            // as they came
    struct gv_results earlier;            // of --against
    size_t *places; // owned; of an item its result's number, from 1; 0: none
    size_t item_count;
    size_t printed; // items that lines were printed of, or that have none
    struct gv_result_lines lines;
    size_t kept;   // results that were there of a check that was ended
    size_t taken;  // that count here
    size_t stale;  // of items whose golden files have changed since
    bool *dropped; // owned; [kept]: those
};

// Reads those of --against, makes the folder of results, which may be the same, and
// with
// --resume takes in those that are there.
bool gv_check_report_open(struct gv_check_report *report, size_t item_count,
                          struct gv_error *err);
// The last of `results` is the item's: prints what is due, and keeps it.
bool gv_check_report_put(struct gv_check_report *report, size_t item,
                         struct gv_error *err);
// The earlier result of that name becomes the item's, if it was compared with the same:
// `golden` is its hash. Once for each item, before anything runs; then those that are
// not of today any more leave the file.
void gv_check_report_take(struct gv_check_report *report, size_t item, const char *name,
                          const char *golden);
bool gv_check_report_taken(struct gv_check_report *report, struct gv_error *err);
bool gv_check_report_has(const struct gv_check_report *report, size_t item);

// All that there will be is there: the files of the folder, the comparison with an
// earlier folder, the summary.
bool gv_check_report_end(struct gv_check_report *report, struct gv_error *err);
void gv_check_report_close(struct gv_check_report *report);

#endif
