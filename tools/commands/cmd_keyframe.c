// `gpuvm keyframe`: a payload that can be run from frames in its middle.
#include <string.h>

#include "resources/source_open.h"
#include "tools/base/cache_folder.h"
#include "tools/keyframe/bake.h"
#include "tools/run/run_file.h"
#include "tools/run/run_options.h"

struct keyframe_options {
    struct gv_run_options run; // first: options of the kind are shared
    struct gv_bake bake;
};

// clang-format off
static const struct gv_option options[] = {
    { .name = "every",
      .kind = GV_OPTION_NUMBER,
      .argument = "K",
      .minimum = 1,
      .maximum = UINT32_MAX,
      .offset = GV_OPTION_AT(keyframe_options, bake.every),
      .help = "in front of each K-th frame" },
    { .name = "at",
      .kind = GV_OPTION_TEXT,
      .argument = "SET",
      .offset = GV_OPTION_AT(keyframe_options, bake.at),
      .help = "in front of these frames" },
    { .name = "exports",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(keyframe_options, bake.exports),
      .help = "with what exports need, for `run --export`" },
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(keyframe_options, bake.job.output),
      .help = "where to; - is standard output" },
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

// Contents of a thin payload go to the first store that can take them.
static const char *choose_store(const struct gv_option_list *stores)
{
    const char *path;
    for (size_t i = 0; i < stores->count; i++)
        if (gv_location_of(stores->items[i], &path) != GV_LOCATION_URL)
            return stores->items[i];
    return NULL;
}

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct keyframe_options o = { .run = GV_RUN_DEFAULTS };
    static struct gv_operands operands; // half of the least stack that holds a run
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_keyframe, argc, argv, &o, &operands, &code))
        return code;
    if (!o.bake.every == !o.bake.at)
        return gv_usage(&gv_cmd_keyframe, o.run.json,
                        "either --every K or --at SET is needed");
    o.bake.job.output = gv_output_name(o.bake.job.output);
    if (!o.bake.job.output)
        return gv_usage(&gv_cmd_keyframe, o.run.json, "-o FILE is needed");
    if (o.run.json && strcmp(o.bake.job.output, "-") == 0)
        return gv_usage(&gv_cmd_keyframe, true, "--json goes without -o -");
    char cache[4096];
    o.run.file = operands.items[0];
    o.run.given = operands.given;
    o.run.cache = gv_cache_folder(cache, sizeof cache);
    o.bake.store = choose_store(&o.run.stores);
    // What there is already is read here, of sources that a thread would have for
    // itself.
    o.run.no_prefetch = true;
    gv_bake_init(&o.bake);
    o.run.job = &o.bake.job;
    return gv_run_file(program, &o.run, NULL, -1);
}

const struct gv_command gv_cmd_keyframe = {
    .name = "keyframe",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "make a payload that can be run from frames in its middle",
    .run = run,
    .options = options,
    .examples = "keyframe game.gvp --every 2 -o seek.gvp\n"
                "keyframe game.gvp --at last -o seek.gvp\n"
                "keyframe game.gvp --every 2 -o seek.gvp --quiet\n",
    .notes = "SET: as of run, but for frame 0 and `end`.\n",
};
