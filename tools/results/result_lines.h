// Results as lines of JSON: written one by one while a check runs, read again by the
// next one.
#ifndef GV_RESULT_LINES_H
#define GV_RESULT_LINES_H

#include "resources/base/error.h"
#include "tools/results/results.h"

// results.jsonl in the folder. Its first line says what was checked, and how: `about`.
#define GV_RESULT_LINES "results.jsonl"

struct gv_result_lines {
    int fd; // -1: none
    char path[4096];
};

// Begins it anew. With `resume` the file that is there goes on behind its last whole
// line: its results are put into `earlier`, and `about` has to be the same
// (GV_ERR_USAGE). GV_ERR_OUTPUT.
bool gv_result_lines_open(struct gv_result_lines *lines, const char *folder,
                          const char *about, bool resume, struct gv_results *earlier,
                          struct gv_error *err);
// A line, which is in the file when this returns.
bool gv_result_lines_put(struct gv_result_lines *lines, const struct gv_result *r,
                         struct gv_error *err);
// Writes the file again without those of the results that it has which are dropped.
bool gv_result_lines_drop(struct gv_result_lines *lines, const char *about,
                          const struct gv_results *results, const bool *dropped,
                          struct gv_error *err);
void gv_result_lines_close(struct gv_result_lines *lines);

// All whole lines of the folder's file. GV_ERR_NOT_FOUND, GV_ERR_FORMAT naming the
// line.
bool gv_result_lines_read(struct gv_results *results, const char *folder,
                          struct gv_error *err);

#endif
