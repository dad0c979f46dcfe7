#include "tools/program.h"

#include <stdio.h>
#include <string.h>

#include "resources/base/now.h"
#include "tools/base/child_line.h"
#include "tools/base/exhausted.h"
#include "tools/base/inherited.h"
#include "tools/base/json.h"
#include "tools/base/stop.h"
#include "tools/nearest.h"
#include "tools/streams.h"
#include "tools/version.h"

static void print_commands(const struct gv_program *program)
{
    printf("%s: %s\n\nusage: %s COMMAND [OPTIONS] FILE\n\n", program->name,
           program->what, program->name);
    for (const struct gv_command *const *c = program->commands; *c; c++)
        printf("  %-10s %s\n", (*c)->name, (*c)->what);
    printf("\n%s help COMMAND describes a command, %s version says which this is,\n"
           "%s --man [COMMAND] writes a manual page, --completion bash|zsh|fish a "
           "completion\n",
           program->name, program->name, program->name);
    if (program->child)
        printf("%s %s is for libgpuvm, which starts it so (gpuvm_spawn)\n",
               program->name, GV_CHILD_ARGUMENT);
}

// The command of that name; NULL, and an error that offers the nearest.
static const struct gv_command *find_command(const struct gv_program *program,
                                             const char *name, struct gv_error *err)
{
    struct gv_nearest near;
    gv_nearest_init(&near, name, strlen(name));
    for (const struct gv_command *const *c = program->commands; *c; c++) {
        if (strcmp((*c)->name, name) == 0)
            return *c;
        gv_nearest_offer(&near, (*c)->name);
    }
    gv_nearest_offer(&near, "help");
    gv_nearest_offer(&near, "--help");
    gv_nearest_offer(&near, "--version");
    gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no command '%.64s'; %s%s", name,
            near.best ? "did you mean " : "see --help", near.best ? near.best : "");
    return NULL;
}

// --man [COMMAND]
static bool print_manual(const struct gv_program *program, const char *name,
                         struct gv_error *err)
{
    const struct gv_command *command = name ? find_command(program, name, err) : NULL;
    if (name && !command)
        return false;
    gv_print_manual(program, command);
    return true;
}

// --completion SHELL
static bool print_completion(const struct gv_program *program, const char *shell,
                             struct gv_error *err)
{
    return (shell && gv_print_completion(program, shell)) ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "--completion bash, zsh or fish");
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

// What the program says of itself. False with GV_OK: `argv[1]` asks for none of that.
static bool print_words(const struct gv_program *program, char **argv,
                        struct gv_error *err)
{
    const char *asked = argv[1];
    if (strcmp(asked, "--man") == 0)
        return print_manual(program, argv[2], err);
    if (strcmp(asked, "--completion") == 0)
        return print_completion(program, argv[2], err);
    if (is_one_of(asked, "--version", "-V", "version")) {
        printf("%s %s\n", program->name, GV_VERSION);
        return true;
    }
    if (is_one_of(asked, "--help", "-h", "help")) {
        print_commands(program);
        return true;
    }
    return false;
}

// `help COMMAND [VERB]` is `COMMAND [VERB] --help`.
static void turn_help(int argc, char **argv)
{
    static char help[] = "--help";
    if (argc < 3 || argc > 4 || strcmp(argv[1], "help") != 0 || argv[2][0] == '-')
        return;
    for (int i = 1; i + 1 < argc; i++)
        argv[i] = argv[i + 1];
    argv[argc - 1] = help;
}

// Whether an option may stand in front of the command: those that say how it speaks.
static bool goes_ahead(const char *word)
{
    return strcmp(word, "--json") == 0 || strcmp(word, "-q") == 0 ||
           strcmp(word, "--quiet") == 0 || strcmp(word, "-v") == 0 ||
           strcmp(word, "--verbose") == 0;
}

// Options in front of the command, and of its verb, go behind these.
static void turn_options(const struct gv_program *program, int argc, char **argv)
{
    int ahead = 1;
    while (ahead < argc && goes_ahead(argv[ahead]))
        ahead++;
    if (ahead == 1 || ahead == argc)
        return;
    int words = 1;
    for (const struct gv_command *const *c = program->commands; *c; c++)
        if (strcmp((*c)->name, argv[ahead]) == 0 && (*c)->verb && ahead + 1 < argc)
            words = 2;
    for (int word = 0; word < words; word++) {
        char *moved = argv[ahead + word];
        memmove(&argv[2 + word], &argv[1 + word], (size_t)(ahead - 1) * sizeof *argv);
        argv[1 + word] = moved;
    }
}

int gv_program_main(struct gv_program *program, int argc, char **argv)
{
    program->start_ns = gv_now_ns();
    gv_say_as(program->name);
    gv_json_about(GV_VERSION, NULL);
    if (!gv_streams_open())
        return GV_EXIT_OUTPUT;
    gv_inherited_note(argc, argv);
    turn_options(program, argc, argv);
    turn_help(argc, argv);
    gv_stop_catch();
    gv_exhausted_catch(NULL, gv_options_json(argc - 1, argv + 1));
    if (argc < 2) {
        gv_say("a command is needed; see %s --help", program->name);
        return GV_EXIT_USAGE;
    }
    if (program->child && strcmp(argv[1], GV_CHILD_ARGUMENT) == 0)
        return program->child();
    struct gv_error err = GV_ERROR_INIT;
    if (print_words(program, argv, &err))
        return (int)gv_finish_stdout(GV_EXIT_OK);
    const struct gv_command *command =
        err.status == GV_OK ? find_command(program, argv[1], &err) : NULL;
    if (command) {
        gv_json_about(GV_VERSION, command->name);
        return (int)gv_finish_stdout(command->run(program, argc - 1, argv + 1));
    }
    bool json = gv_options_json(argc - 1, argv + 1);
    return (int)gv_finish_stdout(gv_report_error(NULL, &err, GV_PHASE_OPEN, json));
}
