// `gpuvm run`: replays a payload, or a capture compiled in memory.
#define _GNU_SOURCE // memfd_create
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resources/base/in_place.h"
#include "tools/input.h"
#include "tools/process/child.h"
#include "tools/process/memory_bound.h"
#include "tools/run/driver_cache.h"
#include "tools/run/export_file.h"
#include "tools/run/run_capture.h"
#include "tools/run/run_links.h"
#include "tools/run/run_report.h"
#include "tools/store/stores.h"
#include "vm/verify.h"

// What the work needs, on both sides of the fork.
struct job {
    const struct gv_program *program;
    const struct gv_run_options *options;
    const char *path;
    const char *progress_path; // may be NULL
    struct gv_input input;     // with all inputs in its guard
};

// All that can be known to go wrong before a device is opened.
static bool prepare(struct job *job, const struct gv_payload *payload,
                    struct gv_run_plan *plan, struct gv_run_output *output,
                    struct gv_child_line *line, struct gv_error *err)
{
    const struct gv_run_options *o = job->options;
    return gv_run_plan_make(plan, o, payload, err) &&
           gv_run_plan_guard(plan, o, &job->input.guard, err) &&
           gv_run_links_check(plan, o, err) &&
           gv_run_output_init(output, o, plan, line, err);
}

static enum gv_exit replay(struct job *job, struct gv_loaded *loaded,
                           const struct gv_log *log, struct gv_child_line *line)
{
    struct gv_payload *payload = &loaded->payload;
    struct gv_error err = GV_ERROR_INIT;
    struct gv_run_plan plan;
    struct gv_run_output output = { 0 };
    enum gv_exit code;
    if (!prepare(job, payload, &plan, &output, line, &err)) {
        code = gv_report_error(job->path, &err, GV_PHASE_OPEN, job->options->json);
    } else {
        struct gv_run_session session = {
            .program = job->program,
            .options = job->options,
            .payload = payload,
            .plan = &plan,
            .output = &output,
            .memory_limit =
                gv_loaded_memory_left(loaded, &job->input, job->options->mem_mb << 20),
            .progress_path = job->progress_path,
            .log = log,
            .line = line,
        };
        if (!gv_run_session_run(&session, &err))
            gv_fail(&err, GV_ERR_DEVICE, GV_NO_OFFSET,
                    "the run failed without a reason");
        code = gv_run_report(&session, &err);
    }
    gv_run_output_finish(&output);
    gv_run_plan_finish(&plan);
    return code;
}

// All the work of a run: in the child, unless --no-child.
static enum gv_exit work(void *context, struct gv_child_line *line)
{
    struct job *job = context;
    const struct gv_run_options *o = job->options;
    struct gv_error err = GV_ERROR_INIT;
    struct gv_loaded loaded;
    const struct gv_log log = gv_stderr_log(o->verbose);
    uint64_t limit = o->mem_mb << 20;
    const struct gv_compile_params compile = gv_run_compile_params(o, &log);
    enum gv_exit code;
    if (!gv_loaded_init(&loaded, job->program, &job->input, limit, &compile, &err)) {
        code = gv_report_error(job->path, &err, GV_PHASE_LOAD, o->json);
    } else if (!gv_verify(&loaded.payload,
                          &(struct gv_verify_params){ .memory_limit = limit }, &err)) {
        code = gv_report_error(job->path, &err, GV_PHASE_CODE, o->json);
    } else {
        if (!loaded.payload.complete)
            gv_say("%s: incomplete: unsupported calls were skipped; gpuvm info lists "
                   "them",
                   job->path);
        code = replay(job, &loaded, &log, line);
    }
    gv_loaded_finish(&loaded);
    return code;
}

// In the parent. The plan, in the child, has looked at the option: it has a `=`.
static bool keep_export(void *context, unsigned number, int passed,
                        struct gv_error *err)
{
    const struct job *job = context;
    const struct gv_option_list *exports = &job->options->exports;
    const char *equals =
        number < exports->count ? strchr(exports->items[number], '=') : NULL;
    if (!equals)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "no export %u was named",
                       number);
    return gv_export_keep(equals + 1, passed, err);
}

// Without --progress-file the position is kept in memory that both sides can open, by
// the name that is put into `path`. The descriptor, or -1 with GV_ERR_SYSTEM.
static int make_position(char *path, size_t size, struct gv_error *err)
{
    int memory = memfd_create("gpuvm-progress", 0);
    snprintf(path, size, "/proc/self/fd/%d", memory);
    if (memory >= 0 && access(path, R_OK | W_OK) == 0)
        return memory;
    gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET,
            "no place for the position of the run (%s: %s): mount /proc, or name a "
            "--progress-file",
            path, strerror(errno));
    if (memory >= 0)
        close(memory);
    return -1;
}

static enum gv_exit run_in_child(struct job *job)
{
    char path[64];
    int memory = -1;
    struct gv_error err = GV_ERROR_INIT;
    if (!job->progress_path) {
        memory = make_position(path, sizeof path, &err);
        if (memory < 0)
            return gv_report_error(job->path, &err, GV_PHASE_RUN, job->options->json);
        job->progress_path = path;
    }
    const struct gv_log log = gv_stderr_log(job->options->verbose);
    enum gv_exit code = gv_child_run(
        &(struct gv_child_params){
            .work = work,
            .context = job,
            .who = "the driver's process",
            .progress_path = job->progress_path,
            .keep = keep_export,
            .log = &log,
            .timeout_ns = job->options->timeout * 1000000000u,
        },
        &err);
    if (memory >= 0)
        close(memory);
    if (err.status != GV_OK)
        return gv_report_error(job->path, &err, GV_PHASE_RUN, job->options->json);
    return code;
}

// No output that was named is one of the inputs. Pictures are checked once it is known
// which there will be.
static bool guard(struct gv_input_guard *inputs, struct gv_run_options *o,
                  struct gv_error *err)
{
    gv_guard_input(inputs, o->expect);
    gv_guard_input(inputs, o->target);
    gv_guard_set(inputs, o->frames);
    gv_guard_set(inputs, o->screenshots);
    for (size_t i = 0; i < o->calls.count; i++)
        gv_guard_set(inputs, o->calls.items[i]);
    for (size_t i = 0; i < o->stores.count; i++)
        gv_guard_store(inputs, o->stores.items[i]);
    if (o->cache && gv_guard_is_below(inputs, o->cache, ""))
        o->cache = NULL; // what is run there could be replaced by pipelines
    if (o->cache)
        gv_guard_folder(inputs, o->cache, "");
    bool ok = gv_guard_output(inputs, "-", err) &&
              (!o->progress_file || gv_guard_output(inputs, o->progress_file, err));
    for (size_t i = 0; ok && i < o->exports.count; i++) {
        const char *equals = strchr(o->exports.items[i], '=');
        ok = !equals || gv_guard_output(inputs, equals + 1, err);
    }
    return ok;
}

// Also for a payload, which has been compiled: a word that nobody knows is a mistake.
static bool check_options(const struct gv_program *program,
                          const struct gv_run_options *o, struct gv_error *err)
{
    const struct gv_compile_params params = { .options = o->front_end.items };
    if (program->captures)
        return program->captures->check_options(&params, err);
    return !o->front_end.count ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "option '%.40s' is of captures, and %s plays payloads only",
                   o->front_end.items[0], program->name);
}

#define RUN_OPTION(member) GV_OPTION_AT(gv_run_options, member)

static const struct gv_option options[] = {
    { .name = "frames",
      .kind = GV_OPTION_TEXT,
      .argument = "SET",
      .offset = RUN_OPTION(frames),
      .help = "frames to run; stops after the last of them (all)" },
    { .name = "screenshots",
      .kind = GV_OPTION_TEXT,
      .argument = "SET",
      .offset = RUN_OPTION(screenshots),
      .help = "frames to write as pictures" },
    { .name = "screenshot-dir",
      .kind = GV_OPTION_TEXT,
      .argument = "DIR",
      .offset = RUN_OPTION(screenshot_dir),
      .help = "where pictures go; made if missing (FILE.frames)" },
    { .name = "screenshot-prefix",
      .kind = GV_OPTION_TEXT,
      .argument = "P",
      .offset = RUN_OPTION(screenshot_prefix),
      .help = "begins their names (frame_)" },
    { .name = "screenshot-format",
      .kind = GV_OPTION_TEXT,
      .argument = "F",
      .offset = RUN_OPTION(screenshot_format),
      .help = "png, ppm or raw (png)" },
    { .name = "hash",
      .kind = GV_OPTION_TEXT,
      .argument = "FORM",
      .offset = RUN_OPTION(hash),
      .help = "print a hash per frame: sha256-rgba, sha256-rgb, md5-rgba, md5-rgb, "
              "xxh3-rgba" },
    { .name = "expect",
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = RUN_OPTION(expect),
      .help = "compare with lines that --hash printed" },
    { .name = "calls",
      .kind = GV_OPTION_LIST,
      .argument = "SET",
      .offset = RUN_OPTION(calls),
      .help = "picture of the target after these source commands; may be repeated" },
    { .name = "export",
      .kind = GV_OPTION_LIST,
      .argument = "NAME=FILE",
      .offset = RUN_OPTION(exports),
      .help = "write a named image or buffer: a picture (.png, .ppm) or its bytes" },
    { .name = "store",
      .kind = GV_OPTION_LIST,
      .argument = "STORE",
      .offset = RUN_OPTION(stores),
      .help = "where resources of a thin payload are: folder, pack, URL" },
    GV_OPTION_FETCHING(gv_run_options),
    { .name = "device",
      .kind = GV_OPTION_TEXT,
      .argument = "INDEX|NAME",
      .offset = RUN_OPTION(device),
      .help = "which Vulkan device (the best)" },
    { .name = "window", .kind = GV_OPTION_REFUSED, .help = "show frames in a window" },
    { .name = "loop",
      .kind = GV_OPTION_NUMBER,
      .argument = "N",
      .minimum = 1,
      .maximum = 1000000000,
      .offset = RUN_OPTION(loop),
      .help = "run the frames N times (1)" },
    { .name = "validate",
      .kind = GV_OPTION_FLAG,
      .offset = RUN_OPTION(validate),
      .help = "with the validation layer; a message is exit 5" },
    { .name = "timeout",
      .kind = GV_OPTION_NUMBER,
      .argument = "S",
      .maximum = 1000000,
      .offset = RUN_OPTION(timeout),
      .help = "seconds without a completed submission; 0 = none (60)" },
    GV_OPTION_MEM_MB(gv_run_options, "private and Vulkan", "4096"),
    { .name = "progress-file",
      .kind = GV_OPTION_TEXT,
      .argument = "F",
      .offset = RUN_OPTION(progress_file),
      .help = "keep the position there; survives a kill" },
    { .name = "quiet",
      .letter = 'q',
      .kind = GV_OPTION_FLAG,
      .offset = RUN_OPTION(quiet),
      .help = "no progress bar, and no last line of what was done" },
    { .name = "stats",
      .kind = GV_OPTION_FLAG,
      .offset = RUN_OPTION(stats),
      .help = "print times and counters" },
    { .name = "strict",
      .kind = GV_OPTION_FLAG,
      .offset = RUN_OPTION(strict),
      .help = "compiling a capture: refuse what is unknown" },
    { .name = "allow-truncated",
      .kind = GV_OPTION_FLAG,
      .offset = RUN_OPTION(allow_truncated),
      .help = "compiling a capture: up to its last whole record" },
    { .name = "target",
      .kind = GV_OPTION_TEXT,
      .argument = "T",
      .offset = RUN_OPTION(target),
      .help = "compiling a capture: baseline, desktop or a file" },
    { .name = "option",
      .kind = GV_OPTION_LIST,
      .argument = "KEY=VALUE",
      .offset = RUN_OPTION(front_end),
      .help = "compiling a capture: what only its kind knows" },
    GV_OPTION_NO_CHILD(gv_run_options),
    GV_OPTION_JSON(gv_run_options, "print the result as JSON"),
    GV_OPTION_VERBOSE(gv_run_options),
    { 0 },
};

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct gv_run_options o = {
        .screenshot_prefix = "frame_",
        .screenshot_format = "png",
        .loop = 1,
        .timeout = 60,
        .mem_mb = GV_RUN_MEM_MB,
    };
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_run, argc, argv, &o, &operands, &code))
        return code;
    o.file = operands.items[0];
    if (o.timeout)
        gv_wait_for_pipes(o.timeout);
    struct job job = {
        .program = program,
        .options = &o,
        .path = operands.items[0],
        .progress_path = o.progress_file,
    };
    char cache[4096];
    o.cache = gv_cache_folder(cache, sizeof cache);
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_input_open(&job.input, job.path, o.mem_mb << 20, o.json, &err))
        return gv_report_error(job.path, &err, GV_PHASE_OPEN, o.json);
    if (!check_options(program, &o, &err) || !guard(&job.input.guard, &o, &err))
        code = gv_report_error(NULL, &err, GV_PHASE_OPEN, o.json);
    else if (o.no_child || job.input.kind != GV_INPUT_CAPTURE || !program->captures)
        code = GV_EXIT_OK;
    else
        code = gv_run_compile_in_child(program, &o, &job.input);
    if (code == GV_EXIT_OK)
        code = o.no_child ? work(&job, NULL) : run_in_child(&job);
    gv_input_close(&job.input);
    return code;
}

const struct gv_command gv_cmd_run = {
    .name = "run",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "replay a payload or capture with Vulkan",
    .run = run,
    .options = options,
    .notes =
        "SET: comma-separated N, N-N, N-, *, all, last, end, each with an optional\n"
        "/STEP, or @FILE. Frames and commands are numbered from 0. --calls also takes\n"
        "the kinds draw, render, frame, fbo, rendertarget, and /KIND for /STEP.\n",
};
