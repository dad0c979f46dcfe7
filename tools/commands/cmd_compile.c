// `gpuvm compile`: a capture becomes a payload.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/now.h"
#include "resources/base/path_kind.h"
#include "resources/store.h"
#include "tools/base/json.h"
#include "tools/child/child.h"
#include "tools/diagnostics_text.h"
#include "tools/input.h"
#include "tools/output_file.h"
#include "tools/process/heap.h"
#include "tools/process/memory_bound.h"
#include "tools/process/shader_cache.h"
#include "tools/progress_bar.h"
#include "tools/sandbox/sandbox.h"
#include "tools/set_file.h"
#include "tools/sliced_compile.h"
#include "tools/wanted_frames.h"

struct compile_options {
    const char *output, *store, *frames, *target;
    struct gv_option_list front_end;
    uint64_t level, jobs, mem_mb, spill_mb, timeout, group_kb;
    bool thin, strict, allow_truncated, strip, apart, live, no_child, quiet, json,
        verbose;
};

// What the work needs, on both sides of the fork.
struct job {
    const struct gv_program *program;
    const struct compile_options *options;
    struct gv_input input;
    struct gv_output_file output;
    bool coming; // it is compiled while it comes
    struct gv_progress_bar bar;
};

// What the compiler had to say: on standard error at once, in the JSON later.
struct said {
    struct gv_json list; // the array
    bool json;
};

static void on_diagnosed(void *context, const struct gv_diagnostic *list, size_t count)
{
    struct said *said = context;
    gv_diagnostics_print(list, count, stderr);
    if (!said->json)
        return;
    gv_diagnostics_json(NULL, list, count, &said->list);
    gv_bytes_u8(&said->list.out, '\0');
}

static void print_result(const char *path, const struct gv_compile_stats *stats,
                         const struct said *said, uint64_t ns)
{
    if (!said->json) {
        gv_print_foreign(stdout, path);
        printf(": %" PRIu64 " bytes from %" PRIu64 ", %" PRIu64 " frame%s, %" PRIu64
               " command%s, %" PRIu64 " resource%s of %" PRIu64 " bytes\n",
               stats->output_bytes, stats->input_bytes, stats->frames,
               gv_plural(stats->frames), stats->commands, gv_plural(stats->commands),
               stats->resources, gv_plural(stats->resources), stats->resource_bytes);
        return;
    }
    struct gv_json out = { 0 };
    gv_json_result(&out);
    gv_json_text(&out, "status", "ok");
    gv_json_text(&out, "file", path);
    gv_json_bool(&out, "complete", stats->complete);
    gv_json_number(&out, "unsupported", stats->unsupported);
    gv_json_number(&out, "input_bytes", stats->input_bytes);
    gv_json_number(&out, "output_bytes", stats->output_bytes);
    gv_json_number(&out, "frames", stats->frames);
    gv_json_number(&out, "commands", stats->commands);
    gv_json_number(&out, "instructions", stats->instructions);
    gv_json_number(&out, "resources", stats->resources);
    gv_json_number(&out, "resource_bytes", stats->resource_bytes);
    gv_json_number(&out, "ns", ns);
    gv_json_raw(&out, "diagnostics", (const char *)said->list.out.data);
    gv_json_end(&out);
    gv_json_print(&out);
}

// In the process that opened the output.
static bool keep_output(void *context, unsigned number, int passed,
                        struct gv_error *err)
{
    struct job *job = context;
    (void)number; // there is one
    (void)passed;
    return gv_output_file_keep(&job->output, err);
}

static bool compile_to(struct job *job, struct gv_compile_params *params,
                       const struct gv_wanted_frames *wanted,
                       struct gv_compile_stats *stats, struct gv_error *err)
{
    const struct gv_file *capture = &job->input.file;
    const gv_write_fn write = gv_output_file_write;
    gv_progress_bar_init(&job->bar, "compiling");
    job->bar.terminal = job->bar.terminal && !job->options->quiet && !params->inflow;
    gv_progress_bar_start(&job->bar);
    params->progress = gv_progress_bar_update;
    params->progress_context = &job->bar;
    const struct gv_sliced_compile slice = { job->program, &job->input, params,
                                             wanted,       write,       &job->output };
    // What is written while frames end is not looked at again.
    bool ok =
        params->frame_count && !params->live
            ? gv_sliced_compile(&slice, stats, err)
            : job->program->captures->compile(capture->data, capture->size, params,
                                              write, &job->output, stats, err) &&
                  gv_wanted_frames_check(wanted, stats->frames, err);
    ok = ok && gv_output_file_close(&job->output, err);
    gv_progress_bar_finish(&job->bar);
    return ok;
}

// Beside what is no file (a pipe, /dev/stdin) no payload belongs.
static bool is_regular(const char *path)
{
    return gv_path_kind(path) == GV_PATH_FILE && strncmp(path, "/dev/", 5) != 0;
}

static char *default_output(const char *capture)
{
    size_t size = strlen(capture) + sizeof ".gvp";
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s.gvp", capture);
    return path;
}

// What is plainly no capture is told as what it is.
static bool check_kind(const struct gv_input *input, struct gv_error *err)
{
    switch (input->kind) {
    case GV_INPUT_CAPTURE:
        return true;
    case GV_INPUT_PAYLOAD:
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a payload, not a capture; gpuvm run plays it");
    case GV_INPUT_PROGRESS:
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a progress file, not a capture; gpuvm info reads it");
    }
    return true;
}

// The output is none of what is read.
static bool guard(struct gv_input_guard *inputs, const struct compile_options *o,
                  const char *output, struct gv_error *err)
{
    gv_guard_input(inputs, o->target);
    gv_guard_set(inputs, o->frames);
    if (o->thin && gv_guard_is_below(inputs, o->store, "cas"))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "not written: an input is an object of the store %.64s",
                       o->store);
    if (o->thin)
        gv_guard_folder(inputs, o->store, "cas");
    return gv_guard_output(inputs, "-", err) && gv_guard_output(inputs, output, err);
}

// `@FILE` may be a pipe, and is read once, later.
static bool is_bound(const char *frames)
{
    struct gv_set set = { 0 };
    uint64_t total;
    const bool bound = !strchr(frames, '@') && gv_set_read(&set, frames, NULL) &&
                       gv_set_bound(&set, &total);
    gv_set_finish(&set);
    return bound;
}

// Nothing but the store of a thin payload and the compiler's own cache is written by
// name.
static void confine(const struct compile_options *o, const char *cache,
                    struct gv_child_line *line, const struct gv_log *log)
{
    const char *const written[] = { o->thin ? o->store : NULL, cache };
    gv_sandbox_files(written, 2, false, log);
    gv_child_confine(line, GV_FILTER_COMPILER, log);
}

// All the work of a compile: in the child, unless --no-child.
static enum gv_exit work(void *context, struct gv_child_line *line)
{
    struct job *job = context;
    const struct compile_options *o = job->options;
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_log log = gv_stderr_log(o->verbose);
    struct said said = { .json = o->json };
    struct gv_compile_params params = {
        .target = o->target,
        .level = (int)o->level,
        .jobs = (int)o->jobs,
        .strict = o->strict,
        .allow_truncated = o->allow_truncated,
        .strip = o->strip,
        .group_kb = (uint32_t)o->group_kb,
        .apart = o->apart,
        .live = o->live,
        .memory_limit = gv_input_memory_left(&job->input, o->mem_mb << 20),
        .mapped = job->input.file.mapped || job->input.inflow,
        .inflow = job->coming ? job->input.inflow : NULL,
        .options = o->front_end.items,
        .diagnosed = on_diagnosed,
        .diagnosed_context = &said,
        .log = &log,
    };
    struct gv_compile_stats stats = { .complete = true };
    struct gv_wanted_frames wanted = { 0 };
    uint64_t start = gv_now_ns();
    struct gv_shader_cache cache;
    gv_shader_cache_open(&cache);
    params.shaders = cache.keeper;
    gv_child_starting(line);
    gv_heap_prepare();
    gv_bound_memory(o->mem_mb);
    bool ok = !o->thin || (params.store = gv_store_create(o->store, &err)) != NULL;
    if (ok && line)
        confine(o, cache.folder, line, &log);
    if (ok && o->frames)
        ok = gv_wanted_frames_select(job->program, &job->input, o->frames, &params,
                                     &wanted, &err);
    ok = ok && compile_to(job, &params, &wanted, &stats, &err);
    ok =
        ok && (line ? gv_child_keep(line, 0, -1, &err) : keep_output(job, 0, -1, &err));
    gv_store_destroy(params.store);
    gv_shader_cache_close(&cache);
    gv_wanted_frames_finish(&wanted);
    if (ok && !stats.complete)
        gv_say("%s: incomplete: %" PRIu64 " unsupported calls were skipped",
               job->input.path, stats.unsupported);
    if (ok && job->output.path && (o->json || !o->quiet))
        print_result(job->output.path, &stats, &said, gv_now_ns() - start);
    gv_json_finish(&said.list);
    return ok ? GV_EXIT_OK
              : gv_report_error(job->input.path, &err, GV_PHASE_LOAD, o->json);
}

// A shader compiler that dies of what a capture holds takes only the child along.
static enum gv_exit in_child(struct job *job,
                             enum gv_exit (*doing)(void *, struct gv_child_line *))
{
    if (job->options->no_child)
        return doing(job, NULL);
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_log log = gv_stderr_log(job->options->verbose);
    const struct gv_child_params params = {
        .work = doing,
        .context = job,
        .who = "the compiler's process",
        .keep = keep_output,
        // How long something takes to come is nobody's fault here.
        .timeout_ns = job->coming ? 0
                                  : gv_child_compile_ns(job->options->timeout,
                                                        job->input.file.size),
        .log = &log
    };
    enum gv_exit code = gv_child_run(&params, &err);
    if (err.status != GV_OK)
        return gv_report_error(job->input.path, &err, GV_PHASE_RUN, job->options->json);
    return code;
}

// ---- what comes through a pipe ----

// Whether what has come of it begins as captures do.
static enum gv_exit look(void *context, struct gv_child_line *line)
{
    const struct job *job = context;
    const struct gv_inflow *inflow = job->input.inflow;
    const struct gv_log log = gv_stderr_log(job->options->verbose);
    struct gv_error err = GV_ERROR_INIT;
    gv_child_starting(line);
    gv_bound_memory(job->options->mem_mb);
    if (line) {
        gv_sandbox_files(NULL, 0, false, &log);
        gv_child_confine(line, GV_FILTER_COMPILER, &log);
    }
    return job->program->captures->may_be(inflow->data, inflow->size, &err)
               ? GV_EXIT_OK
               : gv_report_error(job->input.path, &err, GV_PHASE_LOAD,
                                 job->options->json);
}

// All of it, unless its beginning tells that it is nothing.
static enum gv_exit await(struct job *job)
{
    static const size_t enough[] = { GV_CAPTURE_HEAD, GV_CAPTURE_HEAD_MOST };
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code = GV_EXIT_OK;
    for (size_t i = 0; i < sizeof enough / sizeof *enough && code == GV_EXIT_OK; i++)
        if (gv_inflow_want(job->input.inflow, enough[i]))
            code = in_child(job, look);
    return code != GV_EXIT_OK || gv_input_await(&job->input, &err)
               ? code
               : gv_report_error(job->input.path, &err, GV_PHASE_LOAD,
                                 job->options->json);
}

// A capture that comes through a pipe is compiled while it comes where each frame is
// written at once; else when it is there, and the payload is that of a file. So it is
// with a SET that hangs on how many frames there are.
static enum gv_exit take_pipe(struct job *job)
{
    const struct compile_options *o = job->options;
    struct gv_error err = GV_ERROR_INIT;
    if (job->input.pipe < 0)
        return GV_EXIT_OK;
    job->coming = o->live && (!o->frames || is_bound(o->frames));
    if (!gv_input_inflow(&job->input, o->spill_mb, &err))
        return gv_report_error(job->input.path, &err, GV_PHASE_LOAD, o->json);
    return job->coming ? GV_EXIT_OK : await(job);
}

static const struct gv_option options[] = {
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "PAYLOAD",
      .offset = GV_OPTION_AT(compile_options, output),
      .help = "where to; `-` is standard output (CAPTURE.gvp)" },
    { .name = "thin",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(compile_options, thin),
      .help = "put resources into --store instead of the payload" },
    { .name = "store",
      .kind = GV_OPTION_TEXT,
      .argument = "DIR",
      .offset = GV_OPTION_AT(compile_options, store),
      .needs = "thin",
      .help = "content-addressed folder for --thin" },
    { .name = "frames",
      .kind = GV_OPTION_TEXT,
      .argument = "SET",
      .offset = GV_OPTION_AT(compile_options, frames),
      .help = "no more than these frames and exports need (all)" },
    { .name = "strict",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(compile_options, strict),
      .help = "refuse what is unknown or unsupported" },
    { .name = "allow-truncated",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(compile_options, allow_truncated),
      .help = "compile a cut-off capture up to its last whole record" },
    { .name = "strip",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(compile_options, strip),
      .help = "leave out the debug map" },
    { .name = "apart",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(compile_options, apart),
      .help = "join no work of several calls, for run --calls" },
    { .name = "live",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(compile_options, live),
      .help = "write what a frame needs as soon as it ends, for gpuvm run -" },
    { .name = "level",
      .kind = GV_OPTION_NUMBER,
      .argument = "N",
      .minimum = 1,
      .maximum = 19,
      .offset = GV_OPTION_AT(compile_options, level),
      .help = "zstd level, 1 to 19 (3)" },
    { .name = "group-kb",
      .kind = GV_OPTION_NUMBER,
      .argument = "N",
      .maximum = 1024,
      .offset = GV_OPTION_AT(compile_options, group_kb),
      .help = "groups of resources end with frames from N KiB on, for fetching few "
              "frames; 0: none does (16)" },
    { .name = "target",
      .kind = GV_OPTION_TEXT,
      .argument = "T",
      .offset = GV_OPTION_AT(compile_options, target),
      .help = "baseline, desktop or a file (desktop)" },
    { .name = "option",
      .kind = GV_OPTION_LIST,
      .argument = "KEY=VALUE",
      .offset = GV_OPTION_AT(compile_options, front_end),
      .help = "what only one kind of capture knows; may be repeated" },
    { .name = "timeout",
      .kind = GV_OPTION_NUMBER,
      .argument = "S",
      .maximum = 1000000,
      .offset = GV_OPTION_AT(compile_options, timeout),
      .help = "seconds, and as many for every 16 MiB of the capture; 0 = none (600)" },
    GV_OPTION_MEM_MB(compile_options, "private", "4096"),
    GV_OPTION_SPILL_MB(compile_options),
    { .name = "jobs",
      .letter = 'j',
      .kind = GV_OPTION_NUMBER,
      .argument = "N",
      .minimum = 1,
      .maximum = 1024,
      .offset = GV_OPTION_AT(compile_options, jobs),
      .help = "threads; never changes the bytes (one per core)" },
    GV_OPTION_NO_CHILD(compile_options),
    GV_OPTION_QUIET(compile_options),
    GV_OPTION_JSON(compile_options, "print the result as JSON"),
    GV_OPTION_VERBOSE(compile_options),
    { 0 },
};

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct compile_options o = { .mem_mb = GV_RUN_MEM_MB,
                                 .spill_mb = GV_SPILL_MB,
                                 .timeout = 600,
                                 .group_kb = GV_COMPILE_GROUP_KB };
    struct gv_operands operands;
    enum gv_exit code;
    const struct gv_command *self = &gv_cmd_compile;
    if (!gv_options_parse(program, self, argc, argv, &o, &operands, &code))
        return code;
    const char *capture = operands.items[0];
    o.output = gv_output_name(o.output);
    if (o.thin && !o.store)
        return gv_usage(self, o.json, "--thin needs --store DIR");
    if (o.apart && o.strip)
        return gv_usage(self, o.json, "--apart needs the debug map: no --strip");
    if (strcmp(capture, "-") == 0 && !o.output)
        return gv_usage(self, o.json, "standard input needs -o PAYLOAD");
    if (o.json && o.output && strcmp(o.output, "-") == 0)
        return gv_usage(self, o.json, "--json needs the payload in a file");

    struct gv_error err = GV_ERROR_INIT;
    struct job job = { .program = program, .options = &o };
    if (!gv_input_open_coming(&job.input, capture, o.mem_mb << 20, o.json, &err))
        return gv_report_error(capture, &err, GV_PHASE_OPEN, o.json);
    if (!o.output && !is_regular(capture)) {
        gv_input_close(&job.input);
        return gv_usage(self, o.json, "a capture that is no file needs -o PAYLOAD");
    }
    if ((job.input.pipe < 0 && !gv_options_idle(&operands.given, "spill-mb",
                                                "the input is no pipe", &code)) ||
        (o.no_child && !gv_options_idle(&operands.given, "timeout",
                                        "with --no-child nobody ends it", &code))) {
        gv_input_close(&job.input);
        return code;
    }
    char *path = o.output ? NULL : default_output(capture);
    const char *output = o.output ? o.output : path;
    if (output && !guard(&job.input.guard, &o, output, &err))
        code = gv_report_error(NULL, &err, GV_PHASE_OPEN, o.json);
    else if (!check_kind(&job.input, &err))
        code = gv_report_error(capture, &err, GV_PHASE_LOAD, o.json);
    else if ((code = take_pipe(&job)) != GV_EXIT_OK)
        ; // told
    else if (gv_output_file_init(&job.output, output, &err) &&
             gv_output_file_open(&job.output, &err)) {
        job.output.at_once = o.live;
        code = in_child(&job, work);
    } else
        code = gv_report_error(capture, &err, GV_PHASE_RUN, o.json);
    gv_output_file_finish(&job.output);
    free(path);
    gv_input_close(&job.input);
    return code;
}

const struct gv_command gv_cmd_compile = {
    .name = "compile",
    .operands = "CAPTURE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "compile a capture into a payload",
    .run = run,
    .options = options,
    .examples = "compile game.trace\n"
                "compile game.trace -o small.gvp --level 19\n"
                "compile game.trace --thin --store objects -o game.thin\n",
};
