// `gpuvm issues`: what is wrong, or done for nothing, in a capture or its replay.
#include "tools/base/cache_folder.h"
#include "tools/issues/issues_job.h"
#include "tools/run/run_file.h"
#include "tools/run/run_options.h"

struct issues_options {
    struct gv_run_options run; // first: options of the kind are shared
    struct gv_issues_job job;
};

// clang-format off
static const struct gv_option options[] = {
    { .name = "fail-on",
      .kind = GV_OPTION_TEXT,
      .argument = "SEVERITY",
      .choices = "note warning error",
      .offset = GV_OPTION_AT(issues_options, job.fail_on),
      .help = "exit code 1 if there is an issue of this severity or a worse one" },
    { .name = "validate",
      .kind = GV_OPTION_FLAG,
      .offset = GV_RUN_OPTION(validate),
      .help = "with the validation layer, whose messages are issues" },
    GV_RUN_OPTIONS_FROM(GV_NEEDS_URL),
    GV_RUN_OPTIONS_BOUNDS,
    GV_OPTION_QUIET(gv_run_options),
    GV_RUN_OPTIONS_CAPTURE,
    GV_OPTION_NO_CHILD(gv_run_options),
    GV_OPTION_JSON(gv_run_options, "print the result as JSON"),
    GV_OPTION_VERBOSE(gv_run_options),
    { 0 },
};
// clang-format on

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct issues_options o = { .run = GV_RUN_DEFAULTS };
    static struct gv_operands operands; // half of the least stack that holds a run
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_issues, argc, argv, &o, &operands, &code))
        return code;
    o.job.verbose = o.run.verbose;
    if (!gv_issues_job_init(&o.job, &err))
        return gv_report_error(NULL, &err, GV_PHASE_OPEN, o.run.json);
    char cache[4096];
    o.run.file = operands.items[0];
    o.run.given = operands.given;
    o.run.cache = gv_cache_folder(cache, sizeof cache);
    o.run.job = &o.job.job;
    return gv_run_file(program, &o.run, NULL, -1);
}

const struct gv_command gv_cmd_issues = {
    .name = "issues",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "list everything that is wrong, or done for nothing, each at its command",
    .run = run,
    .options = options,
    .examples = "issues game.gvp\n"
                "issues game.gvp --fail-on error\n"
                "issues game.trace --json --quiet\n",
    .notes = "Lines: severity, code, place, byte of the capture, text.\n",
};
