#define _GNU_SOURCE // memfd_create
#include "tools/run/run_capture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resources/base/write_all.h"
#include "tools/child/child.h"
#include "tools/diagnostics_text.h"
#include "tools/process/memory_bound.h"
#include "tools/process/shader_cache.h"
#include "tools/progress_bar.h"
#include "tools/sandbox/sandbox.h"
#include "tools/store/token.h"

#define COMPILE_TIMES 10u // --timeout, for a capture

// What the work needs, on both sides of the fork.
struct job {
    const struct gv_program *program;
    const struct gv_run_options *options;
    const struct gv_input *input;
    int out;              // gets the payload
    bool coming;          // while the capture comes: out is a pipe
    uint64_t size, limit; // of the payload; what the capture leaves of --mem-mb
};

static void on_diagnosed(void *context, const struct gv_diagnostic *list, size_t count)
{
    (void)context;
    gv_diagnostics_print(list, count, stderr);
}

struct gv_compile_params gv_run_compile_params(const struct gv_run_options *o,
                                               const struct gv_log *log)
{
    return (struct gv_compile_params){
        .target = o->target,
        .options = o->front_end.items,
        .diagnosed = on_diagnosed,
        .strict = o->strict,
        .apart = o->calls.count != 0,
        .allow_truncated = o->allow_truncated,
        .memory_limit = o->mem_mb << 20,
        .level = 1, // only to be read back from memory
        .log = log,
    };
}

static bool write_memory(void *context, const void *data, size_t size,
                         struct gv_error *err)
{
    struct job *job = context;
    if (size > job->limit - job->size)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "the payload exceeds the memory limit");
    job->size += size;
    return gv_write_all(job->out, data, size) || gv_out_of_memory(err);
}

static bool write_pipe(void *context, const void *data, size_t size,
                       struct gv_error *err)
{
    const struct job *job = context;
    return gv_write_all(job->out, data, size) ||
           gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot hand the payload on: %s",
                   strerror(errno));
}

static enum gv_exit work(void *context, struct gv_child_line *line)
{
    struct job *job = context;
    const struct gv_file *capture = &job->input->file;
    const struct gv_log log = gv_stderr_log(job->options->verbose);
    struct gv_compile_params params = gv_run_compile_params(job->options, &log);
    struct gv_compile_stats stats = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_shader_cache cache;
    gv_token_let_go(&job->options->fetching); // what compiles need not know it
    gv_shader_cache_open(&cache);
    params.shaders = cache.keeper;
    params.memory_limit = job->limit;
    params.mapped = capture->mapped;
    params.live = job->coming;
    params.inflow = job->input->inflow;
    gv_child_starting(line);
    gv_bound_memory(job->options->mem_mb);
    gv_sandbox_files(&cache.folder, 1, false, &log);
    gv_child_confine(line, GV_FILTER_COMPILER, &log);
    struct gv_progress_bar bar;
    gv_progress_bar_init(&bar, "compiling");
    bar.terminal = bar.terminal && !job->options->quiet && !job->coming;
    params.progress = gv_progress_bar_update;
    params.progress_context = &bar;
    gv_progress_bar_start(&bar);
    const bool ok = job->program->captures->compile(
        capture->data, capture->size, &params, job->coming ? write_pipe : write_memory,
        job, &stats, &err);
    gv_progress_bar_finish(&bar);
    gv_shader_cache_close(&cache);
    return ok ? GV_EXIT_OK
              : gv_report_error(job->input->path, &err, GV_PHASE_LOAD,
                                job->options->json);
}

// The child is gone: nobody else holds the memory.
static bool take_payload(int memory, struct gv_input *input)
{
    struct stat st;
    void *data = fstat(memory, &st) == 0 && st.st_size > 0
                     ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, memory, 0)
                     : MAP_FAILED;
    if (data == MAP_FAILED)
        return false;
    const struct gv_file payload = { data, (size_t)st.st_size, .mapped = true,
                                     .in_memory = true };
    gv_input_become(input, payload);
    return true;
}

enum gv_exit gv_run_compile_in_child(const struct gv_program *program,
                                     const struct gv_run_options *options,
                                     struct gv_input *input)
{
    const struct gv_log log = gv_stderr_log(options->verbose);
    struct job job = { .program = program,
                       .options = options,
                       .input = input,
                       .limit = gv_input_memory_left(input, options->mem_mb << 20),
                       .out = memfd_create("gpuvm-payload", MFD_CLOEXEC) };
    const struct gv_child_params params = {
        .work = work,
        .context = &job,
        .who = "the compiler's process",
        .timeout_ns =
            gv_child_compile_ns(COMPILE_TIMES * options->timeout, input->file.size),
        .log = &log,
    };
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code = GV_EXIT_DEVICE;
    if (job.out >= 0)
        code = gv_child_run(&params, &err);
    if (job.out < 0 || (code == GV_EXIT_OK && !take_payload(job.out, input))) {
        gv_out_of_memory(&err);
        code = GV_EXIT_DEVICE;
    }
    if (job.out >= 0)
        close(job.out);
    return err.status == GV_OK
               ? code
               : gv_report_error(input->path, &err, GV_PHASE_RUN, options->json);
}

enum gv_exit gv_run_compile_into(const struct gv_program *program,
                                 const struct gv_run_options *options,
                                 struct gv_input *input, int pipe)
{
    const struct gv_log log = gv_stderr_log(options->verbose);
    struct job job = { .program = program,
                       .options = options,
                       .input = input,
                       .limit = options->mem_mb << 20,
                       .out = pipe,
                       .coming = true };
    // How long something takes to come is nobody's fault here: no time-out.
    const struct gv_child_params params = {
        .work = work, .context = &job, .who = "the compiler's process", .log = &log
    };
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_input_inflow(input, options->spill_mb, &err))
        return gv_report_error(input->path, &err, GV_PHASE_LOAD, options->json);
    const enum gv_exit code = gv_child_run(&params, &err);
    return err.status == GV_OK
               ? code
               : gv_report_error(input->path, &err, GV_PHASE_RUN, options->json);
}
