// Completion for bash: a function that looks at the command, then at the word before.
#include <stdio.h>
#include <string.h>

#include "tools/describe/describe.h"

// "gpuvm-player" as part of a function's name.
static void print_identifier(const struct gv_program *program)
{
    for (const char *c = program->name; *c; c++)
        putchar(*c == '-' ? '_' : *c);
}

static void print_names(const struct gv_option *options)
{
    for (const struct gv_option *o = options; o->name; o++) {
        if (o->letter)
            printf("-%c ", o->letter);
        printf("--%s ", o->name);
    }
}

static void print_options_of(const struct gv_program *program,
                             const struct gv_command *leaf)
{
    (void)program;
    printf("    '%s') options='", leaf->name);
    print_names(leaf->options);
    print_names(gv_common_options);
    printf("' ;;\n");
}

// The pattern of an option behind its command.
static void print_case(const struct gv_command *leaf, const struct gv_option *o)
{
    printf("    '%s --%s'", leaf->name, o->name);
    if (o->letter)
        printf(" | '%s -%c'", leaf->name, o->letter);
    printf(") ");
}

static void print_arguments_of(const struct gv_program *program,
                               const struct gv_command *leaf)
{
    (void)program;
    for (const struct gv_option *o = leaf->options; o->name; o++) {
        switch (gv_argument_of(o)) {
        case GV_ARGUMENT_NONE:
            break;
        case GV_ARGUMENT_WORDS:
            print_case(leaf, o);
            printf("words='%s' ;;\n", o->choices);
            break;
        case GV_ARGUMENT_FILE:
            print_case(leaf, o);
            printf("return ;;\n");
            break;
        case GV_ARGUMENT_FOLDER:
            print_case(leaf, o);
            printf("actions='-A directory' ;;\n");
            break;
        case GV_ARGUMENT_OTHER:
            print_case(leaf, o);
            printf("compopt +o default 2>/dev/null; return ;;\n");
            break;
        }
    }
}

static void print_verbs_of(const struct gv_command *command)
{
    const struct gv_command *verb;
    printf("    %s)\n        [ \"$COMP_CWORD\" -gt 2 ] || words='", command->name);
    for (size_t i = 0; (verb = command->verb(i)); i++)
        printf("%s ", verb->name + strlen(command->name) + 1);
    printf("--help'\n        command=\"$command ${COMP_WORDS[2]}\" ;;\n");
}

void gv_print_completion_bash(const struct gv_program *program)
{
    printf("# Completion of %s for bash; `%s --completion bash` writes it.\n_",
           program->name, program->name);
    print_identifier(program);
    printf("()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} words= actions= options=\n"
           "    local before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words='");
    for (const struct gv_command *const *c = program->commands; *c; c++)
        printf("%s ", (*c)->name);
    printf("--help --version'\n    fi\n    case $command in\n");
    for (const struct gv_command *const *c = program->commands; *c; c++)
        if ((*c)->verb)
            print_verbs_of(*c);
    printf("    esac\n    case $command in\n");
    gv_each_leaf(program, print_options_of);
    printf("    esac\n    case \"$command $before\" in\n");
    gv_each_leaf(program, print_arguments_of);
    printf("    *) [ -n \"$words\" ] || case $word in -*) words=$options ;; esac ;;\n"
           "    esac\n"
           "    # shellcheck disable=SC2086,SC2207 # words\n"
           "    [ -z \"$words$actions\" ] ||\n"
           "        COMPREPLY=($(compgen $actions -W \"$words\" -- \"$word\"))\n"
           "}\ncomplete -o default -F _");
    print_identifier(program);
    printf(" %s\n", program->name);
}
