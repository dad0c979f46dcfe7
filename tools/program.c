#include "tools/program.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tools/base/exhausted.h"
#include "tools/base/inherited.h"
#include "tools/base/stop.h"
#include "tools/nearest.h"
#include "tools/streams.h"
#include "tools/version.h"

uint64_t gv_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void print_commands(const struct gv_program *program)
{
    printf("%s: %s\n\nusage: %s COMMAND [OPTIONS] FILE\n\n", program->name,
           program->what, program->name);
    for (const struct gv_command *const *c = program->commands; *c; c++)
        printf("  %-10s %s\n", (*c)->name, (*c)->what);
    printf("\n%s COMMAND --help describes a command, %s --version says which this is\n",
           program->name, program->name);
}

static int unknown_command(const struct gv_program *program, const char *name,
                           bool json)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_nearest near;
    gv_nearest_init(&near, name, strlen(name));
    for (const struct gv_command *const *c = program->commands; *c; c++)
        gv_nearest_offer(&near, (*c)->name);
    gv_nearest_offer(&near, "--help");
    gv_nearest_offer(&near, "--version");
    gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET, "no command '%.64s'; %s%s", name,
            near.best ? "did you mean " : "see --help", near.best ? near.best : "");
    return (int)gv_finish_stdout(gv_report_error(NULL, &err, GV_PHASE_OPEN, json));
}

int gv_program_main(struct gv_program *program, int argc, char **argv)
{
    program->start_ns = gv_now_ns();
    if (!gv_streams_open())
        return GV_EXIT_OUTPUT;
    gv_inherited_note(argc, argv);
    gv_stop_catch();
    gv_exhausted_catch(NULL, gv_options_json(argc - 1, argv + 1));
    if (argc < 2) {
        gv_say("a command is needed; see %s --help", program->name);
        return GV_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("%s %s\n", program->name, GV_VERSION);
        return (int)gv_finish_stdout(GV_EXIT_OK);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_commands(program);
        return (int)gv_finish_stdout(GV_EXIT_OK);
    }
    for (const struct gv_command *const *c = program->commands; *c; c++)
        if (strcmp((*c)->name, argv[1]) == 0)
            return (int)gv_finish_stdout((*c)->run(program, argc - 1, argv + 1));
    return unknown_command(program, argv[1], gv_options_json(argc - 1, argv + 1));
}
