// How long captures took: times.tsv of a golden folder, so that the longest begin
// first.
#ifndef GV_GOLDEN_TIMES_H
#define GV_GOLDEN_TIMES_H

#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct gv_golden_time {
    const char *name; // borrowed
    uint64_t ns;      // 0: not known
};

void gv_golden_times_sort(struct gv_golden_time *times, size_t count); // by name

// The one of a name, of those that are sorted; NULL: there is none.
struct gv_golden_time *gv_golden_times_find(struct gv_golden_time *times, size_t count,
                                            const char *name);

// Fills in what the file knows of `times`, which are sorted by name. No file is no
// error. GV_ERR_USAGE names file and line.
bool gv_golden_times_read(struct gv_golden_time *times, size_t count,
                          const char *folder, struct gv_error *err);

// Appends those that the file lacks. Those that it has keep their time, so that it does
// not change whenever somebody runs.
bool gv_golden_times_write(const struct gv_golden_time *times, size_t count,
                           const char *folder, struct gv_error *err);

#endif
