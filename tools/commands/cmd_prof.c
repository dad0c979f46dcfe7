// `gpuvm prof`: what parts of frames cost.
#include <string.h>

#include "tools/base/cache_folder.h"
#include "tools/prof/prof_job.h"
#include "tools/run/run_file.h"
#include "tools/run/run_options.h"

struct prof_options {
    struct gv_run_options run; // first: options of the kind are shared
    struct gv_prof prof;
};

// clang-format off
static const struct gv_option options[] = {
    { .name = "frames",
      .kind = GV_OPTION_TEXT,
      .argument = "SET",
      .offset = GV_OPTION_AT(prof_options, prof.frames),
      .help = "frames whose parts are timed (all)" },
    { .name = "by",
      .kind = GV_OPTION_TEXT,
      .argument = "PART",
      .choices = "frame pass draw",
      .offset = GV_OPTION_AT(prof_options, prof.by),
      .help = "what parts are: frame, pass or draw (draw)" },
    { .name = "loop",
      .kind = GV_OPTION_NUMBER,
      .argument = "N",
      .minimum = 1,
      .maximum = 1000,
      .offset = GV_OPTION_AT(prof_options, prof.passes),
      .help = "medians of N passes with time stamps, and N without (3)" },
    { .name = "trace",
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(prof_options, prof.job.output),
      .help = "write a trace for Perfetto or chrome://tracing" },
    { .name = "table",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(prof_options, prof.table),
      .help = "print columns with headings" },
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
    struct prof_options o = { .run = GV_RUN_DEFAULTS,
                              .prof.by = "draw",
                              .prof.passes = GV_PROF_PASSES };
    static struct gv_operands operands; // half of the least stack that holds a run
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_prof, argc, argv, &o, &operands, &code))
        return code;
    o.prof.job.output = gv_output_name(o.prof.job.output);
    if (o.prof.job.output && strcmp(o.prof.job.output, "-") == 0)
        return gv_usage(&gv_cmd_prof, o.run.json,
                        "--trace: a file, since figures go to standard output");
    if (!gv_prof_init(&o.prof, &err))
        return gv_report_error(NULL, &err, GV_PHASE_OPEN, o.run.json);
    char cache[4096];
    o.run.file = operands.items[0];
    o.run.given = operands.given;
    o.run.cache = gv_cache_folder(cache, sizeof cache);
    o.run.job = &o.prof.job;
    o.run.loop = gv_prof_all_passes(&o.prof);
    return gv_run_file(program, &o.run, NULL, -1);
}

const struct gv_command gv_cmd_prof = {
    .name = "prof",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "time the frames, passes or draws of a replay on GPU and CPU",
    .run = run,
    .options = options,
    .examples = "prof game.gvp --frames 1 --table\n"
                "prof game.gvp --by pass --loop 1\n"
                "prof game.gvp --by frame --trace game.json --quiet\n",
    .notes = "SET: as of run, but for `end`.\n",
};
