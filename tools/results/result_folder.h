// The files that a check leaves: results.csv, failures.csv, junit.xml, index.html.
#ifndef GV_RESULT_FOLDER_H
#define GV_RESULT_FOLDER_H

#include "resources/base/error.h"
#include "tools/results/results.h"

// The name in the folder of the i-th of all files, results.jsonl the last; NULL behind
// it.
const char *gv_result_file_name(size_t i);

// Each is whole or as it was. GV_ERR_OUTPUT.
bool gv_result_folder_write(const struct gv_results *results, const char *folder,
                            struct gv_error *err);

// Removes the pictures that an earlier check left there: those of captures that pass
// now would stay for ever.
void gv_result_pictures_forget(const char *folder);

#endif
