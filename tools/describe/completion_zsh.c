// Completion for zsh: _arguments with a specification for each option.
#include <stdio.h>
#include <string.h>

#include "tools/describe/describe.h"

// Within single quotes, as part of a specification: its own signs are escaped.
static void print_quoted(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *c))
            printf("\\%c", *c);
        else
            putchar(*c);
    }
}

// ":what it is:how it is completed".
static void print_argument(const struct gv_option *o)
{
    enum gv_argument kind = gv_argument_of(o);
    if (kind == GV_ARGUMENT_NONE)
        return;
    printf(":");
    print_quoted(o->argument);
    switch (kind) {
    case GV_ARGUMENT_WORDS:
        printf(":(%s)", o->choices);
        break;
    case GV_ARGUMENT_FILE:
        printf(":_files");
        break;
    case GV_ARGUMENT_FOLDER:
        printf(":_files -/");
        break;
    case GV_ARGUMENT_NONE:
    case GV_ARGUMENT_OTHER:
        printf(": ");
        break;
    }
}

static void print_option(const struct gv_option *o)
{
    printf("            ");
    if (o->kind == GV_OPTION_LIST)
        printf("'*'");
    else if (o->letter)
        printf("'(-%c --%s)'", o->letter, o->name);
    if (o->letter)
        printf("{-%c,--%s}", o->letter, o->name);
    else
        printf("--%s", o->name);
    printf("'[");
    print_quoted(o->help);
    printf("]");
    print_argument(o);
    printf("' \\\n");
}

static void print_leaf(const struct gv_program *program, const struct gv_command *leaf)
{
    (void)program;
    printf("    '%s')\n        _arguments -s \\\n", leaf->name);
    for (const struct gv_option *o = leaf->options; o->name; o++)
        print_option(o);
    for (const struct gv_option *o = gv_common_options; o->name; o++)
        print_option(o);
    printf("            '*:file:_files' ;;\n");
}

// A word among others, with what it does.
static void print_word(const char *word, const char *what)
{
    printf("            '%s:", word);
    print_quoted(what);
    printf("'\n");
}

static void print_verbs_of(const struct gv_command *command)
{
    const struct gv_command *verb;
    printf("    if [[ $command == %s ]]; then\n"
           "        if (( CURRENT == 3 )); then\n"
           "            words_known=(\n",
           command->name);
    for (size_t i = 0; (verb = command->verb(i)); i++)
        print_word(verb->name + strlen(command->name) + 1, verb->what);
    printf("            )\n"
           "            _describe verb words_known\n"
           "            return\n"
           "        fi\n"
           "        command=\"$command $words[3]\"\n"
           "        shift words\n"
           "        (( CURRENT-- ))\n"
           "    fi\n");
}

void gv_print_completion_zsh(const struct gv_program *program)
{
    printf("#compdef %s\n# Completion of %s for zsh; `%s --completion zsh` writes "
           "it.\n_%s() {\n"
           "    local -a words_known\n"
           "    local command=$words[2]\n"
           "    if (( CURRENT == 2 )); then\n"
           "        words_known=(\n",
           program->name, program->name, program->name, program->name);
    for (const struct gv_command *const *c = program->commands; *c; c++)
        print_word((*c)->name, (*c)->what);
    printf("        )\n"
           "        _describe command words_known\n"
           "        _arguments '--help[list the commands]' '--version[say which this "
           "is]'\n"
           "        return\n"
           "    fi\n");
    for (const struct gv_command *const *c = program->commands; *c; c++)
        if ((*c)->verb)
            print_verbs_of(*c);
    printf("    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    gv_each_leaf(program, print_leaf);
    printf("    esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
           "    _%s \"$@\"\nelse\n    compdef _%s %s\nfi\n",
           program->name, program->name, program->name);
}
