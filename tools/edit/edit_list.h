// Edits as people write them: options of `gpuvm edit`, and lines of a file that say the
// same. Files that they name are read here; GLSL is compiled.
#ifndef GV_EDIT_LIST_H
#define GV_EDIT_LIST_H

#include "resources/base/arena.h"
#include "tools/input_guard.h"
#include "tools/program.h"
#include "vm/edit/edit.h"

#define GV_EDIT_MAX_ITEMS 65536u

// Zero-initialise but for `program`.
struct gv_edit_list {
    const struct gv_program *program;
    struct gv_bytes items;        // struct gv_edit_item each
    struct gv_bytes skips;        // SETs of commands, divided by commas
    struct gv_bytes keeps;        // SETs of frames, likewise
    struct gv_bytes lines;        // the edits in one spelling, a line each
    struct gv_arena arena;        // what items borrow
    struct gv_input_guard *guard; // is told of files; may be NULL
};

// One edit: `word` is skip, keep, set, replace or undefined. GV_ERR_USAGE; errors of
// files, with their names.
bool gv_edit_list_add(struct gv_edit_list *list, const char *word, const char *text,
                      struct gv_error *err);
// The lines of a file; # begins a comment. What is wrong with one names its number.
bool gv_edit_list_read(struct gv_edit_list *list, const char *path,
                       struct gv_error *err);
// The same of text.
bool gv_edit_list_parse(struct gv_edit_list *list, const char *text, size_t size,
                        struct gv_error *err);
void gv_edit_list_finish(struct gv_edit_list *list);

#endif
