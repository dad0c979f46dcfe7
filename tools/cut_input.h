// An input that somebody cuts short while it is mapped: the process ends with a
// sentence and the exit code of a truncated file, where the kernel would kill it
// (SIGBUS).
#ifndef GV_CUT_INPUT_H
#define GV_CUT_INPUT_H

#include "resources/base/file.h"

// Watches a mapped file from now on; does nothing for one in memory. `path` is copied.
// `json`: the sentence is a JSON object on standard output too.
void gv_cut_input_guard(const struct gv_file *file, const char *path, bool json);
// To be called before the file is closed.
void gv_cut_input_release(const struct gv_file *file);

// In a child: `bytes` are written to `fd` first, so that the parent knows of the end.
void gv_cut_input_tell(int fd, const uint8_t bytes[2]);

#endif
