// `gpuvm verify`: the verifier alone.
#include <inttypes.h>
#include <stdio.h>

#include "resources/source_kept.h"
#include "runtime/rehearsal.h"
#include "runtime/shader_fit.h"
#include "tools/base/cache_folder.h"
#include "tools/base/json.h"
#include "tools/child/child.h"
#include "tools/input.h"
#include "tools/payload_json.h"
#include "tools/process/memory_bound.h"
#include "tools/sandbox/sandbox.h"
#include "tools/store/stores.h"
#include "tools/store/token.h"
#include "vm/verify/verify.h"

struct verify_options {
    struct gv_given given; // on the command line
    uint64_t mem_mb, timeout;
    struct gv_option_list stores;
    struct gv_fetch_params fetching;
    bool deep, quiet, json, verbose;
};

static void print_result(const struct gv_payload *p, const char *path,
                         const struct verify_options *o)
{
    if (o->quiet && !o->json)
        return;
    if (!o->json) {
        gv_print_foreign(stdout, path);
        printf(": ok, %zu chunks, %" PRIu64 " instructions, %zu resources%s\n",
               p->chunk_count, p->instruction_count, p->resource_count,
               o->deep ? " read and hashed" : "");
        return;
    }
    struct gv_json out = { 0 };
    gv_json_result(&out);
    gv_json_text(&out, "status", "ok");
    gv_json_text(&out, "file", path);
    gv_payload_json(&out, p);
    gv_json_bool(&out, "deep", o->deep);
    gv_json_number(&out, "chunks", p->chunk_count);
    gv_json_number(&out, "instructions", p->instruction_count);
    gv_json_number(&out, "code_bytes", p->code_size);
    gv_json_number(&out, "resources", p->resource_count);
    gv_json_end(&out);
    gv_json_print(&out);
}

struct deep_job {
    struct gv_payload *payload;
    const struct gv_pipeline_list *pipelines;
    const struct gv_stores *stores;
    const char *path;
    const struct verify_options *options;
};

// All that is read, read again by shaders and rehearsals: objects of stores come once,
// as long as they are no more than half of what verifying may take.
static enum gv_exit look(const struct deep_job *job, struct gv_child_line *line,
                         struct gv_source *const *sources, size_t count)
{
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_payload_verify_deep(job->payload, sources, count, &err))
        return gv_report_error(job->path, &err, GV_PHASE_LOAD, job->options->json);
    gv_child_running(line);
    return gv_shaders_fit(job->payload, job->pipelines, sources, count, &err) &&
                   gv_rehearse(job->payload, sources, count, &err)
               ? GV_EXIT_OK
               : gv_report_error(job->path, &err, GV_PHASE_CODE, job->options->json);
}

static enum gv_exit deep_work(void *context, struct gv_child_line *line)
{
    const struct deep_job *job = context;
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_log log = gv_stderr_log(job->options->verbose);
    gv_token_let_go(&job->options->fetching); // what verifies need not know it
    gv_child_starting(line);
    gv_sandbox_files(NULL, 0, false, &log);
    gv_child_confine(line, GV_FILTER_COMPILER, &log);
    struct gv_source *kept =
        gv_source_kept(job->stores->sources, job->stores->count,
                       gv_look_bytes(job->options->mem_mb) / 2, &err);
    if (!kept)
        return gv_report_error(job->path, &err, GV_PHASE_LOAD, job->options->json);
    const enum gv_exit code = look(job, line, &kept, 1);
    gv_source_destroy(kept);
    return code;
}

// A decompressor or a SPIR-V validator that dies, hangs or is taken over by what a
// payload holds takes only the child along.
static enum gv_exit deep_in_child(struct deep_job *job)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_log log = gv_stderr_log(job->options->verbose);
    const struct gv_child_params params = {
        .work = deep_work,
        .context = job,
        .who = "the verifier's process",
        .timeout_ns = job->options->timeout * 1000000000u,
        .log = &log,
    };
    enum gv_exit code = gv_child_run(&params, &err);
    if (err.status != GV_OK)
        return gv_report_error(job->path, &err, GV_PHASE_RUN, job->options->json);
    return code;
}

static enum gv_exit verify(const struct gv_program *program,
                           const struct gv_input *input, const struct verify_options *o,
                           const struct gv_stores *stores)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload = { 0 };
    uint64_t limit = gv_input_memory_left(input, gv_look_bytes(o->mem_mb));
    struct gv_pipeline_list pipelines = { 0 };
    const struct gv_verify_params params = { .memory_limit =
                                                 gv_declared_bytes(o->mem_mb),
                                             .pipelines = o->deep ? &pipelines : NULL };
    enum gv_phase phase = GV_PHASE_LOAD;
    bool ok = gv_input_want_payload(input, program, &err) &&
              gv_payload_open_memory(&payload, input->file.data, input->file.size,
                                     limit, &err);
    payload.remote = ok && input->remote;
    if (ok) {
        phase = GV_PHASE_CODE;
        ok = gv_verify(&payload, &params, &err);
    }
    struct deep_job job = { &payload, &pipelines, stores, input->path, o };
    enum gv_exit code = GV_EXIT_OK;
    if (!ok)
        code = gv_report_error(input->path, &err, phase, o->json);
    else if (o->deep && (payload.thin || payload.remote ||
                         gv_options_idle(&o->given, "store",
                                         "the file holds all its resources", &code)))
        code = deep_in_child(&job);
    if (code == GV_EXIT_OK)
        print_result(&payload, input->path, o);
    gv_pipeline_list_finish(&pipelines);
    gv_payload_finish(&payload);
    return code;
}

static const struct gv_option options[] = {
    { .name = "deep",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(verify_options, deep),
      .help = "also read every resource, and run all code without a device" },
    { .name = "store",
      .kind = GV_OPTION_LIST,
      .argument = "STORE",
      .offset = GV_OPTION_AT(verify_options, stores),
      .needs = "deep",
      .help = "where --deep finds the resources of a thin payload" },
    GV_OPTION_FETCHING(verify_options, GV_NEEDS_URL),
    { .name = "mem-mb",
      .kind = GV_OPTION_NUMBER,
      .argument = "N",
      .minimum = 16,
      .maximum = (uint64_t)1 << 24,
      .offset = GV_OPTION_AT(verify_options, mem_mb),
      .help = "what the payload may declare (4096) and verifying take (1024), in MiB" },
    { .name = "timeout",
      .kind = GV_OPTION_NUMBER,
      .argument = "S",
      .maximum = 1000000,
      .offset = GV_OPTION_AT(verify_options, timeout),
      .needs = "deep",
      .help = "seconds for the resources of --deep, and for its run; 0 = none (60)" },
    GV_OPTION_QUIET(verify_options),
    GV_OPTION_JSON(verify_options, "print JSON"),
    GV_OPTION_VERBOSE(verify_options),
    { 0 },
};

struct open_params {
    const char *path;
    const struct verify_options *options;
    const struct gv_log *log;
};

static bool open_input(const struct open_params *p, struct gv_input *input,
                       struct gv_stores *stores, struct gv_error *err)
{
    const struct verify_options *o = p->options;
    if (!gv_input_is_url(p->path))
        return gv_input_open(input, p->path, gv_look_bytes(o->mem_mb), o->json, err);
    stores->sources[0] = gv_stores_payload(input, p->path, &o->fetching, p->log, err);
    stores->count = stores->sources[0] != NULL;
    return stores->count;
}

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct verify_options o = { .timeout = 60, .fetching.cache_mb = GV_FETCH_CACHE_MB };
    char cache[4096];
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_verify, argc, argv, &o, &operands, &code))
        return code;
    o.given = operands.given;
    struct gv_error err = GV_ERROR_INIT;
    struct gv_input input;
    struct gv_stores stores = { 0 };
    uint64_t limit = gv_look_bytes(o.mem_mb);
    gv_bound_memory(limit >> 20);
    const struct gv_log log = gv_stderr_log(o.verbose);
    o.fetching.cache = gv_cache_folder(cache, sizeof cache);
    if (!gv_token_hold(&o.fetching, &err) ||
        !open_input(&(struct open_params){ operands.items[0], &o, &log }, &input,
                    &stores, &err))
        return gv_report_error(operands.items[0], &err, GV_PHASE_OPEN, o.json);
    if (gv_stores_open(&stores, &o.stores, &o.fetching, &log, &err))
        code = verify(program, &input, &o, &stores);
    else
        code = gv_report_error(operands.items[0], &err, GV_PHASE_OPEN, o.json);
    gv_stores_close(&stores);
    gv_input_close(&input);
    return code;
}

const struct gv_command gv_cmd_verify = {
    .name = "verify",
    .operands = "PAYLOAD",
    .operand_min = 1,
    .operand_max = 1,
    .what = "check a payload without running it",
    .run = run,
    .options = options,
    .examples = "verify game.gvp\n"
                "verify game.gvp --deep\n"
                "verify game.thin --deep --store objects\n",
};
