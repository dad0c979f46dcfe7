// Manual pages, in roff.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tools/describe/describe.h"
#include "tools/version.h"

// Text as roff takes it: `-` is a minus that can be copied, a line begins no request.
static void print_roff(const char *text)
{
    bool begins = true;
    for (const char *c = text; *c; c++) {
        if (begins && (*c == '.' || *c == '\''))
            printf("\\&");
        if (*c == '-')
            printf("\\-");
        else if (*c == '\\')
            printf("\\e");
        else
            putchar(*c);
        begins = *c == '\n';
    }
}

static void print_option(const struct gv_option *o)
{
    printf(".TP\n");
    if (o->letter)
        printf("\\fB\\-%c\\fR, ", o->letter);
    printf("\\fB\\-\\-");
    print_roff(o->name);
    printf("\\fR");
    if (o->argument) {
        printf(" \\fI");
        print_roff(o->argument);
        printf("\\fR");
    }
    printf("\n");
    print_roff(o->help);
    printf("%s\n", o->kind == GV_OPTION_REFUSED ? " (not in this version)" : "");
}

// Lines as they are, or what stands behind the program's name.
static void print_lines(const struct gv_program *program, const char *text)
{
    printf(".PP\n.nf\n");
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        char line[160];
        snprintf(line, sizeof line, "%s%s%.*s\n", program ? program->name : "",
                 program ? " " : "", (int)(end - text), text);
        print_roff(line);
    }
    printf(".fi\n");
}

static void print_options(const struct gv_program *program,
                          const struct gv_command *command)
{
    for (const struct gv_option *o = command->options; o->name; o++)
        print_option(o);
    for (const struct gv_option *o = gv_common_options; o->name; o++)
        print_option(o);
    if (command->notes)
        print_lines(NULL, command->notes);
    if (command->examples)
        print_lines(program, command->examples);
}

static void print_usage(const struct gv_program *program,
                        const struct gv_command *command)
{
    printf("\\fB");
    print_roff(program->name);
    printf(" ");
    print_roff(command->name);
    printf("\\fR [\\fIOPTIONS\\fR] \\fI");
    print_roff(command->operands);
    printf("\\fR\n");
}

// A command among others: its own words and options under a heading.
static void print_part(const struct gv_program *program,
                       const struct gv_command *command)
{
    printf(".SS ");
    print_roff(command->name);
    printf("\n");
    print_usage(program, command);
    printf(".PP\n");
    print_roff(command->what);
    printf("\n");
    print_options(program, command);
}

static void print_parts(const struct gv_program *program,
                        const struct gv_command *command)
{
    const struct gv_command *verb;
    for (size_t i = 0; (verb = command->verb(i)); i++)
        print_part(program, verb);
}

// "GPUVM\-RUN", or as it is written.
static void print_name(const struct gv_program *program,
                       const struct gv_command *command, bool capitals)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", program->name, command ? "-" : "",
             command ? command->name : "");
    for (char *c = name; capitals && *c; c++)
        *c = (char)toupper((unsigned char)*c);
    print_roff(name);
}

static void print_head(const struct gv_program *program,
                       const struct gv_command *command)
{
    printf(".TH ");
    print_name(program, command, true);
    printf(" 1 \"\" \"gpuvm %s\" \"User Commands\"\n.SH NAME\n", GV_VERSION);
    print_name(program, command, false);
    printf(" \\- ");
    print_roff(command ? command->what : program->what);
    printf("\n.SH SYNOPSIS\n");
}

static void print_tail(const char *see_also)
{
    printf(".SH ENVIRONMENT\nA long option may be given as a variable: in upper case, "
           "with _ for \\-, behind GPUVM_.\n"
           ".SH SEE ALSO\n%s\n",
           see_also);
}

static void print_command_page(const struct gv_program *program,
                               const struct gv_command *command)
{
    print_head(program, command);
    print_usage(program, command);
    if (command->verb) {
        printf(".SH VERBS\n");
        print_parts(program, command);
    } else {
        printf(".SH OPTIONS\n");
        print_options(program, command);
    }
    print_tail(".BR gpuvm (1),\nwhich also tells exit codes and what sets of frames "
               "are.");
}

static void print_program_page(const struct gv_program *program)
{
    print_head(program, NULL);
    printf("\\fB");
    print_roff(program->name);
    printf("\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] \\fIFILE\\fR\n.SH COMMANDS\n");
    gv_each_leaf(program, print_part);
    print_tail(".BR gpuvm (1),\nwhich also tells exit codes.");
}

void gv_print_manual(const struct gv_program *program, const struct gv_command *command)
{
    if (command)
        print_command_page(program, command);
    else
        print_program_page(program);
}
