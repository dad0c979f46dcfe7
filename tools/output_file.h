// A file that appears whole or not at all: a temporary beside it, renamed at the end.
// One process may open it, its child write it, and the first one keep it.
#ifndef GV_OUTPUT_FILE_H
#define GV_OUTPUT_FILE_H

#include "resources/base/error.h"

#include <stddef.h>
#include <stdio.h>

struct gv_output_file {
    const char *path; // borrowed; NULL: standard output
    char *place;      // owned; gv_file_place; with `temporary`
    char *temporary;  // owned; NULL for what cannot be replaced: pipes and devices
    FILE *file;       // while it is open
    bool made;        // the temporary is there
    bool at_once;     // whoever reads the other end waits: nothing is held back
};

// "-" if `path` names what standard output is already, such as /dev/stdout; else
// `path`, which may be NULL.
const char *gv_output_name(const char *path);

// Chooses the names; opens nothing. `path` "-" is standard output; NULL is GV_ERR_LIMIT
// (the caller could not make a name).
bool gv_output_file_init(struct gv_output_file *out, const char *path,
                         struct gv_error *err);
// Removes what was not kept.
void gv_output_file_finish(struct gv_output_file *out);

bool gv_output_file_open(struct gv_output_file *out, struct gv_error *err);
// For gv_compile.
bool gv_output_file_write(void *output_file, const void *data, size_t size,
                          struct gv_error *err);
// The end of writing: all has arrived.
bool gv_output_file_close(struct gv_output_file *out, struct gv_error *err);
// What was written is whole: it gets its name.
bool gv_output_file_keep(struct gv_output_file *out, struct gv_error *err);

// All of it at once.
bool gv_output_file_put(const char *path, const void *data, size_t size,
                        struct gv_error *err);

#endif
