// What the completions of all shells have in common.
#include "tools/describe/describe.h"

#include <string.h>

void gv_each_leaf(const struct gv_program *program, gv_leaf_fn work)
{
    for (const struct gv_command *const *c = program->commands; *c; c++) {
        const struct gv_command *verb;
        if (!(*c)->verb)
            work(program, *c);
        for (size_t i = 0; (*c)->verb && (verb = (*c)->verb(i)); i++)
            work(program, verb);
    }
}

// What --help calls arguments that are files.
static const char *const file_words[] = { "FILE", "F", "PAYLOAD", "STORE" };

enum gv_argument gv_argument_of(const struct gv_option *option)
{
    if (!option->argument)
        return GV_ARGUMENT_NONE;
    if (option->choices)
        return GV_ARGUMENT_WORDS;
    if (strcmp(option->argument, "DIR") == 0)
        return GV_ARGUMENT_FOLDER;
    for (size_t i = 0; i < sizeof file_words / sizeof *file_words; i++)
        if (strcmp(option->argument, file_words[i]) == 0)
            return GV_ARGUMENT_FILE;
    return GV_ARGUMENT_OTHER;
}

bool gv_print_completion(const struct gv_program *program, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        gv_print_completion_bash(program);
    else if (strcmp(shell, "zsh") == 0)
        gv_print_completion_zsh(program);
    else if (strcmp(shell, "fish") == 0)
        gv_print_completion_fish(program);
    else
        return false;
    return true;
}
