// `gpuvm run`: replays a payload, or a capture compiled in memory.
#include <string.h>

#include "resources/base/in_place.h"
#include "tools/base/cache_folder.h"
#include "tools/output_file.h"
#include "tools/run/run_file.h"
#include "tools/run/run_options.h"
#include "tools/run/run_playlist.h"
#include "tools/store/token.h"

static const struct gv_option options[] = {
    { .name = "frames",
      .kind = GV_OPTION_TEXT,
      .argument = "SET",
      .offset = GV_RUN_OPTION(frames),
      .help = "frames to run: no more than they need, to the last of them (all)" },
    { .name = "screenshots",
      .kind = GV_OPTION_TEXT,
      .argument = "SET",
      .offset = GV_RUN_OPTION(screenshots),
      .help = "frames to write as pictures; differing: those that --expect does not "
              "pass" },
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_RUN_OPTION(output),
      .help = "picture of one frame, the last or that of --screenshots; -: standard "
              "output" },
    { .name = "screenshot-dir",
      .kind = GV_OPTION_TEXT,
      .argument = "DIR",
      .offset = GV_RUN_OPTION(screenshot_dir),
      .help = "where pictures go; made if missing (FILE.frames)" },
    { .name = "screenshot-prefix",
      .kind = GV_OPTION_TEXT,
      .argument = "P",
      .offset = GV_RUN_OPTION(screenshot_prefix),
      .needs = "screenshots window",
      .help = "begins their names (frame_)" },
    { .name = "screenshot-format",
      .kind = GV_OPTION_TEXT,
      .argument = "F",
      .choices = "png ppm raw",
      .offset = GV_RUN_OPTION(screenshot_format),
      .needs = "screenshots calls interactive window output export",
      .help = "png, ppm or raw (png)" },
    { .name = "hash",
      .kind = GV_OPTION_LIST,
      .argument = "FORM",
      .choices = "sha256-rgba sha256-rgb sha1-rgb md5-rgba md5-rgb xxh3-rgba",
      .offset = GV_RUN_OPTION(hashes),
      .help = "print a hash per frame: " GV_HASH_FORMS "; may be repeated" },
    { .name = "expect",
      .kind = GV_OPTION_TEXT,
      .argument = "FILE|FOLDER",
      .offset = GV_RUN_OPTION(expect),
      .help =
          "compare with lines that --hash printed (-: standard input), or pictures" },
    { .name = "tolerance",
      .kind = GV_OPTION_TEXT,
      .argument = "T",
      .offset = GV_RUN_OPTION(tolerance),
      .needs = "expect",
      .help = "of --expect FOLDER: exact, gl, LEVELS,SHARE, perceptual (exact)" },
    { .name = "calls",
      .kind = GV_OPTION_LIST,
      .argument = "SET",
      .offset = GV_RUN_OPTION(calls),
      .help = "picture of the target after these source commands; may be repeated" },
    { .name = "export",
      .kind = GV_OPTION_LIST,
      .argument = "NAME[@SET]=FILE",
      .offset = GV_RUN_OPTION(exports),
      .help = "write a named image or buffer: .png, .ppm, or its bytes; @SET: of each "
              "of these frames, into a folder" },
    { .name = "hash-export",
      .kind = GV_OPTION_LIST,
      .argument = "NAME:FORM",
      .offset = GV_RUN_OPTION(hash_exports),
      .help = "print the hash of a named picture; may be repeated" },
    GV_RUN_OPTIONS_FROM(GV_NEEDS_URL),
    { .name = "window",
      .kind = GV_OPTION_FLAG,
      .offset = GV_RUN_OPTION(window),
      .help = "show frames in a window; its key h lists its keys" },
    GV_RUN_OPTIONS_WINDOW("window"),
    { .name = "interactive",
      .kind = GV_OPTION_FLAG,
      .offset = GV_RUN_OPTION(interactive),
      .help = "answer lines on standard input: N (a hash), N FILE, quit" },
    { .name = "prewarm",
      .kind = GV_OPTION_FLAG,
      .offset = GV_RUN_OPTION(prewarm),
      .help = "make all pipelines, print a line, and wait for one before the run" },
    GV_RUN_OPTION_LOOP,
    { .name = "benchmark",
      .kind = GV_OPTION_FLAG,
      .offset = GV_RUN_OPTION(benchmark),
      .help = "print frames a second, and times of frames; the first pass warms up" },
    { .name = "frame-times",
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_RUN_OPTION(frame_times),
      .help = "write the time of each frame as CSV; -: standard output" },
    { .name = "validate",
      .kind = GV_OPTION_FLAG,
      .offset = GV_RUN_OPTION(validate),
      .help = "with the validation layer; a message is exit 5" },
    { .name = "check-effects",
      .kind = GV_OPTION_FLAG,
      .offset = GV_RUN_OPTION(check_effects),
      .help = "hold all calls to what they declare to write; else exit 5" },
    GV_RUN_OPTIONS_BOUNDS,
    { .name = "progress-file",
      .kind = GV_OPTION_TEXT,
      .argument = "F",
      .offset = GV_RUN_OPTION(progress_file),
      .help = "keep the position there; survives a kill" },
    GV_OPTION_QUIET(gv_run_options),
    { .name = "stats",
      .kind = GV_OPTION_FLAG,
      .offset = GV_RUN_OPTION(stats),
      .help = "print times and counters" },
    GV_RUN_OPTIONS_CAPTURE,
    GV_OPTION_NO_CHILD(gv_run_options),
    GV_OPTION_JSON(gv_run_options, "print the result as JSON"),
    GV_OPTION_VERBOSE(gv_run_options),
    { 0 },
};

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct gv_run_options o = GV_RUN_DEFAULTS;
    static struct gv_operands operands; // half of the least stack that holds a run
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_run, argc, argv, &o, &operands, &code))
        return code;
    o.file = operands.items[0];
    o.pictures = program->expect_pictures;
    o.output = gv_output_name(o.output);
    o.frame_times = gv_output_name(o.frame_times);
    if (o.screenshots && strcmp(o.screenshots, "differing") == 0) {
        o.differing = true;
        o.screenshots = NULL;
    }
    if (o.benchmark || o.frame_times)
        o.bench = program->bench;
    if ((o.benchmark || o.frame_times) && (!o.bench || o.window || o.interactive))
        return gv_usage(&gv_cmd_run, o.json, "%s",
                        o.bench ? "frames are timed without --window, --interactive"
                                : "frames are timed by gpuvm, not by this program");
    o.given = operands.given;
    if (o.progress_file && strcmp(o.progress_file, "-") == 0)
        return gv_usage(&gv_cmd_run, o.json, "--progress-file: a file, not -");
    if (o.timeout)
        gv_wait_for_pipes(o.timeout);
    char cache[4096];
    o.cache = gv_cache_folder(cache, sizeof cache);
    if (!gv_token_hold(&o.fetching, &err))
        return gv_report_error(o.file, &err, GV_PHASE_OPEN, o.json);
    if (!o.window)
        return gv_run_file(program, &o, NULL, -1);
    return gv_run_playlist(program, &o, operands.items, 1, false);
}

const struct gv_command gv_cmd_run = {
    .name = "run",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "replay a payload or capture with Vulkan",
    .run = run,
    .options = options,
    .examples = "run game.trace\n"
                "run game.gvp --screenshots last --screenshot-dir pictures\n"
                "run game.gvp --frames 0-1 --hash sha256-rgba\n",
    .notes =
        "A payload or capture on standard input (FILE -) runs while it comes.\n"
        "SET: comma-separated N, N-N, N-, *, all, last, end, each with an optional\n"
        "/STEP, or @FILE. Frames and commands are numbered from 0. --calls also takes\n"
        "the kinds draw, render, frame, fbo, rendertarget, and /KIND for /STEP.\n",
};
