// A file that somebody cuts short while it is mapped: the process ends with a sentence
// and an exit code, where the kernel would kill it (SIGBUS).
#ifndef GV_CUT_FILE_H
#define GV_CUT_FILE_H

#include "resources/base/error.h"

#include <stddef.h>

// Watches a mapping from now on. `path` is copied; `status` makes the exit code: an
// input is GV_ERR_FORMAT, as a truncated file is, an output GV_ERR_OUTPUT. `json`: the
// sentence is a JSON object on standard output too.
void gv_cut_file_guard(const void *begin, size_t size, const char *path,
                       enum gv_status status, bool json);
// To be called before it is unmapped; fine for one that is not watched.
void gv_cut_file_release(const void *begin);

#endif
