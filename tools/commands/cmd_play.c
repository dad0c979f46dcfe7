// `gpuvm play`: files of a folder or a list in a window, one after the other.
#include "resources/base/in_place.h"
#include "tools/base/cache_folder.h"
#include "tools/run/play_files.h"
#include "tools/run/run_options.h"
#include "tools/run/run_playlist.h"
#include "tools/store/token.h"

static const struct gv_option options[] = {
    GV_RUN_OPTIONS_WINDOW(NULL),
    GV_RUN_OPTIONS_FROM(NULL),
    GV_RUN_OPTION_LOOP,
    GV_RUN_OPTIONS_BOUNDS,
    GV_OPTION_QUIET(gv_run_options),
    GV_RUN_OPTIONS_CAPTURE,
    GV_OPTION_JSON(gv_run_options,
                   "print the result of each file as JSON, a line each"),
    GV_OPTION_VERBOSE(gv_run_options),
    { 0 },
};

static enum gv_exit play(const struct gv_program *program, struct gv_run_options *o,
                         const char *path)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_play_files files;
    const enum gv_exit code =
        gv_play_files_read(&files, path, program->captures, &err)
            ? gv_run_playlist(program, o, (const char *const *)files.names, files.count,
                              files.count > 1)
            : gv_report_error(path, &err, GV_PHASE_OPEN, o->json);
    gv_play_files_finish(&files);
    return code;
}

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct gv_run_options o = GV_RUN_DEFAULTS;
    static struct gv_operands operands; // half of the least stack that holds a run
    enum gv_exit code;
    char cache[4096];
    if (!gv_options_parse(program, &gv_cmd_play, argc, argv, &o, &operands, &code))
        return code;
    if (o.timeout)
        gv_wait_for_pipes(o.timeout);
    o.window = true;
    o.cache = gv_cache_folder(cache, sizeof cache);
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_token_hold(&o.fetching, &err))
        return gv_report_error(operands.items[0], &err, GV_PHASE_OPEN, o.json);
    return play(program, &o, operands.items[0]);
}

const struct gv_command gv_cmd_play = {
    .name = "play",
    .operands = "FOLDER|LIST",
    .operand_min = 1,
    .operand_max = 1,
    .what = "show payloads and captures in a window, one after the other",
    .run = run,
    .options = options,
    .examples = "play .\n"
                "play captures.list\n"
                "play captures.list --loop 2\n",
    .notes =
        "Of a FOLDER those files that can be played, by name. A LIST has a name or "
        "URL\n"
        "a line, relative to its own folder; lines that begin with # are\n"
        "comments. The keys n and p go to the next file and the one before, h lists "
        "keys.\n",
};
