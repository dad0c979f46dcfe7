// Keeps inputs from being destroyed: what a command reads, by device and inode, so that
// no output of it is one of them under another name, by a link of either kind or
// through standard output. Only regular files can be destroyed; others are let pass.
#ifndef GV_INPUT_GUARD_H
#define GV_INPUT_GUARD_H

#include "resources/base/error.h"

#include <stddef.h>

struct gv_guarded;
struct gv_file_id;

// Zero-initialise.
struct gv_input_guard {
    struct gv_guarded *files; // owned; inputs, and outputs named so far
    size_t count, capacity;
    char **folders; // owned; their files are inputs too
    size_t folder_count;
    struct gv_file_id *below; // owned; the folders' files, sorted, once asked for
    size_t below_count, below_capacity;
    bool listed;
    bool failed; // memory ran out
};

// Names an input; "-" is standard input. A file that is not there is nobody's. NULL is
// fine.
void gv_guard_input(struct gv_input_guard *g, const char *path);
// The same for the files that a SET names (@FILE). NULL is fine.
void gv_guard_set(struct gv_input_guard *g, const char *set);
// The same for all files in `folder/part` and the folders in it.
void gv_guard_folder(struct gv_input_guard *g, const char *folder, const char *part);

// Whether an input lies below `folder/part`, where files are written that nobody names.
bool gv_guard_is_below(const struct gv_input_guard *g, const char *folder,
                       const char *part);

// Names an output; "-" is standard output. False if it is an input, or an output named
// before: GV_ERR_USAGE. Nothing more gets to a standard output that is an input, not
// even a JSON object of the error.
bool gv_guard_output(struct gv_input_guard *g, const char *path, struct gv_error *err);
// The same for one of many outputs, which are not remembered.
bool gv_guard_check(struct gv_input_guard *g, const char *path, struct gv_error *err);

void gv_guard_finish(struct gv_input_guard *g);

#endif
