#define _GNU_SOURCE // memfd_create
#include "tools/run/run_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/child/child.h"
#include "tools/input.h"
#include "tools/process/heap.h"
#include "tools/run/export_file.h"
#include "tools/run/run_bench.h"
#include "tools/run/run_capture.h"
#include "tools/run/run_coming.h"
#include "tools/run/run_exports.h"
#include "tools/run/run_interactive.h"
#include "tools/run/run_job.h"
#include "tools/run/run_links.h"
#include "tools/run/run_report.h"
#include "tools/run/run_stream.h"
#include "tools/run/run_window.h"
#include "tools/store/stores.h"
#include "tools/window/window.h"
#include "vm/verify/verify.h"

// What the work needs, on both sides of the fork.
struct job {
    const struct gv_program *program;
    const struct gv_run_options *options;
    const char *path;
    const char *progress_path;   // may be NULL
    struct gv_input input;       // with all inputs in its guard
    struct gv_source *remote;    // owned; what is elsewhere of it; or NULL
    struct gv_window *window;    // NULL: none
    struct gv_run_window shown;  // for who replays
    struct gv_run_coming coming; // who compiles meanwhile
};

// What is run, and what of --mem-mb it leaves.
struct subject {
    struct gv_payload *payload;
    struct gv_run_stream *stream; // that it comes from; NULL: it is all there
    const struct gv_pipeline_list *pipelines; // to be made beforehand; NULL: none
    uint64_t memory_limit;                    // bytes
};

// All that can be known to go wrong before a device is opened.
static bool prepare(struct job *job, const struct subject *subject,
                    struct gv_run_plan *plan, struct gv_run_output *output,
                    struct gv_child_line *line, struct gv_error *err)
{
    const struct gv_run_options *o = job->options;
    return gv_run_plan_make(plan, o, subject->payload, err) &&
           (!o->job || o->job->plan(o->job, subject->payload, err)) &&
           (!subject->stream || gv_run_stream_plan(subject->stream, plan, err)) &&
           gv_run_plan_guard(plan, o, &job->input.guard, err) &&
           gv_run_links_check(plan, o, err) &&
           gv_run_output_init(output, o, plan, line, err);
}

static enum gv_exit replay(struct job *job, const struct subject *subject,
                           const struct gv_log *log, struct gv_child_line *line)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_run_plan plan;
    struct gv_run_output output = { 0 };
    enum gv_exit code;
    if (!prepare(job, subject, &plan, &output, line, &err)) {
        code = gv_report_error(job->path, &err, GV_PHASE_OPEN, job->options->json);
    } else if (!job->options->calls.count || plan.calls.own.count ||
               gv_options_idle(&job->options->given, "calls", "no command is selected",
                               &code)) {
        struct gv_run_session session = {
            .program = job->program,
            .options = job->options,
            .payload = subject->payload,
            .stream = subject->stream,
            .remote = job->remote,
            .pipelines = subject->pipelines,
            .guard = &job->input.guard,
            .plan = &plan,
            .output = &output,
            .memory_limit = subject->memory_limit,
            .progress_path = job->progress_path,
            .log = log,
            .line = line,
            .window = job->window ? &job->shown : NULL,
        };
        if (!gv_run_session_run(&session, &err))
            gv_fail(&err, GV_ERR_DEVICE, GV_NO_OFFSET,
                    "the run failed without a reason");
        // Who compiles has said why no more came.
        code = err.status != GV_OK && gv_run_coming_failed(&job->coming)
                   ? GV_EXIT_REJECTED
                   : gv_run_report(&session, &err);
        if (session.bench)
            job->options->bench->destroy(session.bench);
    }
    gv_run_output_finish(&output);
    gv_run_plan_finish(&plan);
    return code;
}

static void say_whether_complete(const struct job *job,
                                 const struct gv_payload *payload)
{
    if (!payload->complete)
        gv_say("%s: incomplete: unsupported calls were skipped; gpuvm info lists them",
               job->path);
}

// A store is for what the file does not hold.
static bool say_what_fat_needs_not(const struct job *job,
                                   const struct gv_payload *payload, enum gv_exit *code)
{
    return payload->thin || job->remote ||
           gv_options_idle(&job->options->given, "store no-prefetch cache-mb",
                           "the file holds all its resources", code);
}

static enum gv_exit run_whole(struct job *job, const struct gv_log *log,
                              struct gv_child_line *line)
{
    const struct gv_run_options *o = job->options;
    struct gv_error err = GV_ERROR_INIT;
    struct gv_loaded loaded;
    uint64_t limit = o->mem_mb << 20;
    const struct gv_compile_params compile = gv_run_compile_params(o, log);
    struct gv_pipeline_list pipelines = { 0 };
    const struct gv_verify_params verify = { .memory_limit = limit,
                                             .pipelines =
                                                 o->prewarm ? &pipelines : NULL };
    enum gv_exit code;
    if (!gv_loaded_init(&loaded, job->program, &job->input, limit, &compile, &err)) {
        code = gv_report_error(job->path, &err, GV_PHASE_LOAD, o->json);
    } else if (!gv_verify(&loaded.payload, &verify, &err)) {
        code = gv_report_error(job->path, &err, GV_PHASE_CODE, o->json);
    } else if (say_what_fat_needs_not(job, &loaded.payload, &code)) {
        say_whether_complete(job, &loaded.payload);
        const struct subject subject = {
            .payload = &loaded.payload,
            .pipelines = verify.pipelines,
            .memory_limit = gv_loaded_memory_left(&loaded, &job->input, limit),
        };
        code = replay(job, &subject, log, line);
    }
    gv_pipeline_list_finish(&pipelines);
    gv_loaded_finish(&loaded);
    return code;
}

// Nobody looks any more, and nothing has been shown.
static enum gv_exit leave(struct job *job)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_run_window_wish wish = { 0 };
    while (gv_run_window_take(&job->shown, NULL, &wish, &err) && !wish.leave) {
    }
    return wish.leave
               ? GV_EXIT_OK
               : gv_report_error(job->path, &err, GV_PHASE_RUN, job->options->json);
}

static enum gv_exit run_stream(struct job *job, const struct gv_log *log,
                               struct gv_child_line *line)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_run_stream stream;
    enum gv_exit code;
    struct gv_run_window *window = job->window ? &job->shown : NULL;
    if (!gv_run_stream_open(&stream, &job->input, job->options, window, &err)) {
        code = window && window->left ? leave(job)
               : gv_run_coming_failed(&job->coming)
                   ? GV_EXIT_REJECTED
                   : gv_report_error(job->path, &err, stream.phase, job->options->json);
    } else {
        const struct subject subject = {
            .payload = stream.payload,
            .stream = &stream,
            .memory_limit = stream.memory_limit,
        };
        code = replay(job, &subject, log, line);
        say_whether_complete(job, stream.payload);
        if (stream.ended)
            gv_run_coming_read(&job->coming);
    }
    gv_run_stream_close(&stream);
    return code;
}

static enum gv_exit load_and_replay(struct job *job, struct gv_child_line *line)
{
    const struct gv_log log = gv_stderr_log(job->options->verbose);
    return job->input.pipe >= 0 ? run_stream(job, &log, line)
                                : run_whole(job, &log, line);
}

// All the work of a run: in the child, unless --no-child.
static enum gv_exit work(void *context, struct gv_child_line *line)
{
    struct job *job = context;
    if (line)
        gv_heap_keep();
    if (!job->window)
        return load_and_replay(job, line);
    if (line)
        gv_window_forget(job->window);
    const struct gv_run_options *o = job->options;
    gv_run_window_init(&job->shown, job->shown.line,
                       o->hashes.count || o->expect || o->screenshots);
    const enum gv_exit code = load_and_replay(job, line);
    gv_run_window_finish(&job->shown);
    return code;
}

// In the parent. The plan, in the child, has looked at exports: they have a `=`.
static bool keep_file(void *context, unsigned number, int passed, struct gv_error *err)
{
    const struct job *job = context;
    const struct gv_option_list *exports = &job->options->exports;
    const char *equals =
        number < exports->count ? strchr(exports->items[number], '=') : NULL;
    const char *path = equals                         ? equals + 1
                       : number == GV_RUN_THE_ONE     ? job->options->output
                       : number == GV_RUN_FRAME_TIMES ? job->options->frame_times
                                                      : NULL;
    if (!path)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "no file %u was named",
                       number);
    return gv_export_keep(path, passed, err);
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
            .keep = keep_file,
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
    if (o->expect)
        gv_guard_folder(inputs, o->expect, ""); // of pictures
    gv_guard_input(inputs, o->target);
    gv_guard_set(inputs, o->frames);
    gv_guard_set(inputs, o->screenshots);
    gv_guard_set(inputs, o->job ? o->job->set : NULL);
    for (size_t i = 0; i < o->calls.count; i++)
        gv_guard_set(inputs, o->calls.items[i]);
    for (size_t i = 0; i < o->stores.count; i++)
        gv_guard_store(inputs, o->stores.items[i]);
    if (o->cache && gv_guard_is_below(inputs, o->cache, ""))
        o->cache = NULL; // what is run there could be replaced by pipelines
    o->fetching.cache = o->cache;
    if (o->cache)
        gv_guard_folder(inputs, o->cache, "");
    bool ok =
        gv_guard_output(inputs, "-", err) &&
        (!o->output || gv_guard_output(inputs, o->output, err)) &&
        (!o->frame_times || gv_guard_output(inputs, o->frame_times, err)) &&
        (!o->progress_file || gv_guard_output(inputs, o->progress_file, err)) &&
        (!o->job || !o->job->output || gv_guard_output(inputs, o->job->output, err));
    for (size_t i = 0; ok && i < o->exports.count; i++) {
        const char *equals = strchr(o->exports.items[i], '=');
        ok = !equals || gv_run_export_has_set(o->exports.items[i]) ||
             gv_guard_output(inputs, equals + 1, err);
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

static bool open_input(struct job *job, struct gv_error *err)
{
    const struct gv_run_options *o = job->options;
    const struct gv_log log = gv_stderr_log(o->verbose);
    struct gv_fetch_params fetching = o->fetching;
    uint64_t limit = o->mem_mb << 20;
    if (gv_input_is_url(job->path)) {
        fetching.cache = o->cache;
        job->remote = gv_stores_payload(&job->input, job->path, &fetching, &log, err);
        return job->remote != NULL;
    }
    if (!gv_run_stream_can(o) || o->job)
        return gv_input_open(&job->input, job->path, limit, o->json, err);
    // A capture is compiled by a process of its own meanwhile.
    return job->program->captures && !o->no_child
               ? gv_input_open_coming(&job->input, job->path, limit, o->json, err)
               : gv_input_open_stream(&job->input, job->path, limit,
                                      !job->program->captures, o->json, err);
}

// Whether what was given has an effect on such an input, or may be without.
static bool say_what_is_idle(const struct job *job, enum gv_exit *code)
{
    const struct gv_given *given = &job->options->given;
    return (job->input.kind == GV_INPUT_CAPTURE ||
            gv_options_idle(given, "strict allow-truncated target option",
                            "a payload is compiled already", code)) &&
           (job->input.pipe >= 0 ||
            gv_options_idle(given, "spill-mb", "the input is no pipe", code));
}

static enum gv_exit compile_meanwhile(struct job *job)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_run_coming_params params = {
        .program = job->program,
        .options = job->options,
        .line = job->window ? job->shown.line : -1,
    };
    const enum gv_exit code =
        gv_run_coming_start(&job->coming, &params, &job->input, &err)
            ? run_in_child(job)
            : gv_report_error(job->path, &err, GV_PHASE_RUN, job->options->json);
    return gv_run_coming_end(&job->coming, code);
}

static enum gv_exit compile_and_run(struct job *job)
{
    const struct gv_run_options *o = job->options;
    const bool capture = job->input.kind == GV_INPUT_CAPTURE && job->program->captures;
    enum gv_exit code = GV_EXIT_OK;
    if (capture && job->input.pipe >= 0)
        return compile_meanwhile(job);
    if (capture && !o->no_child)
        code = gv_run_compile_in_child(job->program, o, &job->input);
    if (code != GV_EXIT_OK)
        return code;
    return o->no_child ? work(job, NULL) : run_in_child(job);
}

// Standard input; or a pipe that has a name, open both ways: who opens it for reading
// then waits for nobody. -1: it is neither, or may not be written.
static int hold_pipe(const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0)
        return STDIN_FILENO;
    return stat(path, &st) == 0 && S_ISFIFO(st.st_mode)
               ? open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
               : -1;
}

// Whether somebody leaves the window before standard input, or the pipe that is held,
// has brought anything.
static bool is_left_before(const struct job *job, int held)
{
    struct pollfd either[] = { { .fd = held, .events = POLLIN },
                               { .fd = job->shown.line, .events = POLLIN } };
    if (held < 0)
        return false;
    while (poll(either, 2, -1) < 0 && errno == EINTR) {
    }
    return !either[0].revents && either[1].revents;
}

// The child writes what its parent has opened.
static enum gv_exit do_job(struct job *job)
{
    struct gv_run_job *other = job->options->job;
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code = GV_EXIT_OUTPUT;
    bool ok = other->open(other, &err);
    if (ok) {
        code = compile_and_run(job);
        ok = code != GV_EXIT_OK || other->keep(other, &err);
    }
    if (!ok)
        code = gv_report_error(NULL, &err, GV_PHASE_OPEN, job->options->json);
    other->finish(other);
    return code;
}

enum gv_exit gv_run_file(const struct gv_program *program, struct gv_run_options *o,
                         struct gv_window *window, int line)
{
    struct job job = {
        .program = program,
        .options = o,
        .path = o->file,
        .progress_path = o->progress_file,
        .window = window,
        .shown.line = line,
    };
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code;
    if (!gv_run_interactive_check(o, &err))
        return gv_report_error(NULL, &err, GV_PHASE_OPEN, o->json);
    const int held = window ? hold_pipe(job.path) : -1;
    const bool left = is_left_before(&job, held);
    const bool opened = !left && open_input(&job, &err);
    if (held > STDIN_FILENO)
        close(held);
    if (left)
        return leave(&job);
    if (!opened)
        return gv_report_error(job.path, &err, GV_PHASE_OPEN, o->json);
    if (!say_what_is_idle(&job, &code)) {
        // said
    } else if (!check_options(program, o, &err) || !guard(&job.input.guard, o, &err))
        code = gv_report_error(NULL, &err, GV_PHASE_OPEN, o->json);
    else
        code = o->job ? do_job(&job) : compile_and_run(&job);
    gv_source_destroy(job.remote);
    gv_input_close(&job.input);
    return code;
}
