// What the files of this folder share. Its way in, gv_print_manual and
// gv_print_completion, stands in tools/program.h.
#ifndef GV_DESCRIBE_H
#define GV_DESCRIBE_H

#include "tools/program.h"

// What stands for itself on a command line: a command without verbs, or a verb.
// `work` is called with each in order.
typedef void (*gv_leaf_fn)(const struct gv_program *program,
                           const struct gv_command *leaf);
void gv_each_leaf(const struct gv_program *program, gv_leaf_fn work);

// What may stand as an option's argument.
enum gv_argument {
    GV_ARGUMENT_NONE,   // the option is a flag
    GV_ARGUMENT_WORDS,  // its choices
    GV_ARGUMENT_FILE,   // a file
    GV_ARGUMENT_FOLDER, // a folder
    GV_ARGUMENT_OTHER,  // what nobody can guess
};
enum gv_argument gv_argument_of(const struct gv_option *option);

void gv_print_completion_bash(const struct gv_program *program);
void gv_print_completion_zsh(const struct gv_program *program);
void gv_print_completion_fish(const struct gv_program *program);

#endif
