// Completion for fish: a line for each command and each option.
#include <stdio.h>
#include <string.h>

#include "tools/describe/describe.h"

static void print_quoted(const char *text)
{
    putchar('\'');
    for (const char *c = text; *c; c++) {
        if (*c == '\'' || *c == '\\')
            putchar('\\');
        putchar(*c);
    }
    putchar('\'');
}

// What follows when the words so far are the program and `words`, and no more
// (`last`).
static void print_where(const struct gv_program *program, const char *words, bool last)
{
    printf("complete -c %s -n '__gpuvm_%s%s%s'", program->name, last ? "at" : "in",
           *words ? " " : "", words);
}

static void print_option(const struct gv_option *o)
{
    if (o->letter)
        printf(" -s %c", o->letter);
    printf(" -l %s", o->name);
    switch (gv_argument_of(o)) {
    case GV_ARGUMENT_NONE:
        break;
    case GV_ARGUMENT_WORDS:
        printf(" -x -a '%s'", o->choices);
        break;
    case GV_ARGUMENT_FILE:
        printf(" -r -F");
        break;
    case GV_ARGUMENT_FOLDER:
        printf(" -x -a '(__fish_complete_directories)'");
        break;
    case GV_ARGUMENT_OTHER:
        printf(" -x");
        break;
    }
    printf(" -d ");
    print_quoted(o->help);
    printf("\n");
}

static void print_options(const struct gv_program *program,
                          const struct gv_command *leaf,
                          const struct gv_option *options)
{
    for (const struct gv_option *o = options; o->name; o++) {
        print_where(program, leaf->name, false);
        print_option(o);
    }
}

static void print_leaf(const struct gv_program *program, const struct gv_command *leaf)
{
    print_options(program, leaf, leaf->options);
    print_options(program, leaf, gv_common_options);
}

static void print_word(const struct gv_program *program, const char *before,
                       const char *word, const char *what)
{
    print_where(program, before, true);
    printf(" -f -a %s -d ", word);
    print_quoted(what);
    printf("\n");
}

void gv_print_completion_fish(const struct gv_program *program)
{
    printf("# Completion of %s for fish; `%s --completion fish` writes it.\n"
           "function __gpuvm_in\n"
           "    set -l words (commandline -opc) ''\n"
           "    set -e words[1]\n"
           "    string match -q -- \"$argv *\" \"$words\"\n"
           "end\n"
           "function __gpuvm_at\n"
           "    set -l words (commandline -opc)\n"
           "    set -e words[1]\n"
           "    test \"$words\" = \"$argv\"\n"
           "end\n",
           program->name, program->name);
    print_where(program, "", true);
    printf(" -l help -d 'list the commands'\n");
    print_where(program, "", true);
    printf(" -l version -d 'say which this is'\n");
    for (const struct gv_command *const *c = program->commands; *c; c++) {
        const struct gv_command *verb;
        print_word(program, "", (*c)->name, (*c)->what);
        for (size_t i = 0; (*c)->verb && (verb = (*c)->verb(i)); i++)
            print_word(program, (*c)->name, verb->name + strlen((*c)->name) + 1,
                       verb->what);
    }
    gv_each_leaf(program, print_leaf);
}
