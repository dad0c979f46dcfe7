// `gpuvm check`: captures against a golden folder.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "resources/base/path_kind.h"
#include "tools/check/check.h"
#include "tools/run/run_options.h"

struct check_options {
    struct gv_run_options run; // what all runs get
    const char *golden, *output, *against, *filter, *fails;
    uint64_t jobs, mem_mb, timeout;
    bool strict, bless, pictures, fail_fast, resume, quiet, json;
};

// Options of `run` in the struct of this command: rows of its tables, moved.
#define RUN_OFFSET(member) GV_OPTION_AT(check_options, run.member)

static const struct gv_option options[] = {
    { .name = "golden",
      .kind = GV_OPTION_TEXT,
      .argument = "DIR",
      .offset = GV_OPTION_AT(check_options, golden),
      .help = "the folder that says what is expected" },
    { .name = "bless",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(check_options, bless),
      .help = "write what is seen there, where it differs" },
    { .name = "pictures",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(check_options, pictures),
      .needs = "bless",
      .help = "also pictures of all frames" },
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "DIR",
      .offset = GV_OPTION_AT(check_options, output),
      .help = "results as files, with pictures of frames that differ" },
    { .name = "resume",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(check_options, resume),
      .needs = "output",
      .help = "go on where a check into that folder was ended" },
    { .name = "against",
      .kind = GV_OPTION_TEXT,
      .argument = "DIR",
      .offset = GV_OPTION_AT(check_options, against),
      .help = "tell what changed since the results in that folder" },
    { .name = "filter",
      .kind = GV_OPTION_TEXT,
      .argument = "RE",
      .offset = GV_OPTION_AT(check_options, filter),
      .help = "only captures whose name fits a regular expression" },
    { .name = "fails",
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(check_options, fails),
      .help = "failures that are expected: NAME or NAME,WORD a line" },
    { .name = "fail-fast",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(check_options, fail_fast),
      .help = "begin nothing more once something is not as expected" },
    { .name = "strict",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(check_options, strict),
      .help = "incomplete and inexact runs fail" },
    { .name = "jobs",
      .letter = 'j',
      .kind = GV_OPTION_NUMBER,
      .argument = "N",
      .minimum = 1,
      .maximum = GV_CHECK_JOBS,
      .offset = GV_OPTION_AT(check_options, jobs),
      .help = "captures at once (cores, if the device is a CPU, else 1)" },
    { .name = "timeout",
      .kind = GV_OPTION_NUMBER,
      .argument = "S",
      .maximum = 1000000,
      .offset = GV_OPTION_AT(check_options, timeout),
      .help = "seconds for a capture; 0 = none (600)" },
    GV_OPTION_MEM_MB(check_options, "all runs' private and Vulkan", "4096 each"),
    { .name = "store",
      .kind = GV_OPTION_LIST,
      .argument = "STORE",
      .offset = RUN_OFFSET(stores),
      .help = "where resources of thin payloads are: folder, pack, URL" },
    { .name = "token-file",
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = RUN_OFFSET(fetching.token_file),
      .needs = GV_NEEDS_URL,
      .help = "bearer token for stores on the web" },
    { .name = "device",
      .kind = GV_OPTION_TEXT,
      .argument = "INDEX|NAME",
      .offset = RUN_OFFSET(device),
      .help = "which Vulkan device (the best)" },
    { .name = "allow-truncated",
      .kind = GV_OPTION_FLAG,
      .offset = RUN_OFFSET(allow_truncated),
      .help = "compiling a capture: up to its last whole record" },
    { .name = "target",
      .kind = GV_OPTION_TEXT,
      .argument = "T",
      .offset = RUN_OFFSET(target),
      .help = "compiling a capture: baseline, desktop or a file" },
    { .name = "option",
      .kind = GV_OPTION_LIST,
      .argument = "KEY=VALUE",
      .offset = RUN_OFFSET(front_end),
      .help = "compiling a capture: what only its kind knows" },
    GV_OPTION_QUIET(check_options),
    GV_OPTION_JSON(check_options, "print the results as JSON"),
    { 0 },
};

// Those that every run gets, as they are.
static const char *const passed[] = { "store",           "token-file", "device",
                                      "allow-truncated", "target",     "option" };

#define ARGS_MOST ((size_t)3 * GV_OPTION_LIST_MAX)
struct args {
    const char *items[ARGS_MOST + 1];
    size_t count;
    char texts[ARGS_MOST][4200];
};

static bool add(struct args *args, const struct gv_option *o, const char *value)
{
    if (args->count == ARGS_MOST)
        return false;
    char *text = args->texts[args->count];
    const int length = snprintf(text, sizeof args->texts[0], "--%s%s%s", o->name,
                                value ? "=" : "", value ? value : "");
    args->items[args->count++] = text;
    return length > 0 && (size_t)length < sizeof args->texts[0];
}

static bool add_option(struct args *args, const struct gv_option *o,
                       const struct check_options *values)
{
    const void *at = (const char *)values + o->offset;
    bool ok = true;
    if (o->kind == GV_OPTION_LIST) {
        const struct gv_option_list *list = at;
        for (size_t i = 0; ok && i < list->count; i++)
            ok = add(args, o, list->items[i]);
    } else if (o->kind == GV_OPTION_TEXT) {
        const char *const *text = at;
        ok = !*text || add(args, o, *text);
    } else {
        const bool *flag = at;
        ok = !*flag || add(args, o, NULL);
    }
    return ok;
}

static bool add_options(struct args *args, const struct check_options *values)
{
    bool ok = true;
    for (const struct gv_option *o = options; o->name; o++)
        for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
            if (strcmp(o->name, passed[i]) == 0)
                ok = ok && add_option(args, o, values);
    return ok;
}

// A pipe has one reader, and a check starts many.
static bool is_file(const char *path)
{
    return !path || gv_path_kind(path) == GV_PATH_FILE;
}

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    static struct gv_operands operands;
    static struct args args;
    struct check_options o = { .timeout = 600 };
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_check, argc, argv, &o, &operands, &code))
        return code;
    if (!o.golden)
        return gv_usage(&gv_cmd_check, o.json, "--golden DIR is missing");
    if (!is_file(o.run.fetching.token_file))
        return gv_usage(&gv_cmd_check, o.json, "--token-file: no regular file");
    if (!add_options(&args, &o))
        return gv_usage(&gv_cmd_check, o.json, "too many or too long options for runs");
    const struct gv_check_params params = {
        .paths = operands.items,
        .path_count = operands.count,
        .golden = o.golden,
        .output = o.output,
        .against = o.against,
        .filter = o.filter,
        .fails = o.fails,
        .device = o.run.device,
        .run_args = args.items,
        .jobs = o.jobs,
        .mem_mb = o.mem_mb,
        .timeout = o.timeout,
        .strict = o.strict,
        .bless = o.bless,
        .pictures = o.pictures,
        .fail_fast = o.fail_fast,
        .resume = o.resume,
        .quiet = o.quiet,
        .json = o.json,
    };
    return gv_check(program, &params);
}

const struct gv_command gv_cmd_check = {
    .name = "check",
    .operands = "FILE|FOLDER...",
    .operand_min = 1,
    .operand_max = GV_OPERANDS_MAX,
    .what = "replay many captures and compare with a golden folder",
    .run = run,
    .options = options,
    .examples = "check game.trace --golden golden --bless\n"
                "check captures --golden golden -o results\n"
                "check captures --golden golden --filter game -j 2 --fail-fast\n",
    .notes = "A line for each capture: Pass, Fail, Crash, Timeout, Skip, Missing,\n"
             "ExpectedFail or UnexpectedPass, its name, why. Exit code 0: all are as\n"
             "expected; 1: some are not; others: the check itself could not go on.\n",
};
