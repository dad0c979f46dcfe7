// `gpuvm slice`: what of a payload some frames need, and a payload of no more than
// that.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/json.h"
#include "tools/input.h"
#include "tools/output_file.h"
#include "tools/payload_commands.h"
#include "tools/payload_json.h"
#include "tools/process/memory_bound.h"
#include "tools/set_file.h"
#include "vm/slice/slice_write.h"
#include "vm/verify/verify.h"

struct slice_options {
    const char *frames, *output;
    struct gv_option_list calls;
    uint64_t mem_mb;
    bool exports, quiet, json;
};

struct job {
    const struct slice_options *options;
    const struct gv_program *program;
    struct gv_input input;
    struct gv_loaded loaded;
    struct gv_selection frames;
    struct gv_command_set calls;
    bool *exports; // owned; NULL: none
    struct gv_slice slice;
    struct gv_output_file out;
    uint64_t limit; // bytes
};

static bool select_frames(struct job *job, struct gv_error *err)
{
    struct gv_set set;
    if (!job->options->frames)
        return true;
    if (!gv_set_read(&set, job->options->frames, err))
        return false;
    bool ok = gv_set_resolve(&set, job->loaded.payload.frame_count, "frame",
                             &job->frames, err);
    gv_set_finish(&set);
    return ok;
}

static bool select_exports(struct job *job, struct gv_error *err)
{
    size_t count = job->loaded.payload.export_count;
    if (!job->options->exports)
        return true;
    job->exports = malloc(count + 1);
    if (!job->exports)
        return gv_out_of_memory(err);
    memset(job->exports, true, count + 1);
    return true;
}

static bool select_calls(struct job *job, struct gv_error *err)
{
    return !job->options->calls.count ||
           gv_payload_commands(&job->calls, &job->options->calls, &job->loaded.payload,
                               err);
}

// The frame that the last call belongs to; there are as many if it is the tail.
static uint64_t frame_of_calls(const struct job *job)
{
    const struct gv_payload *p = &job->loaded.payload;
    const size_t count = job->calls.own.count;
    uint64_t frame = 0;
    while (count && frame < p->frame_count &&
           p->frames[frame].command_end <= job->calls.commands[count - 1])
        frame++;
    return frame;
}

static struct gv_slice_params wanted(const struct job *job)
{
    const struct gv_selection *f = &job->frames;
    const uint64_t frames = job->loaded.payload.frame_count;
    const uint64_t shown = f->count ? f->numbers[f->count - 1] : 0;
    const uint64_t called = frame_of_calls(job);
    return (struct gv_slice_params){
        .frames = f->numbers,
        .frame_count = f->count,
        .last_frame = shown > called ? shown : called,
        .tail = f->end || f->count == frames || called == frames,
        .exports = job->exports,
        .calls = job->calls.commands,
        .call_count = job->calls.own.count,
        .memory_limit = job->limit,
    };
}

static bool write_slice(struct job *job, struct gv_error *err)
{
    struct gv_payload *payload = &job->loaded.payload;
    const struct gv_slice_params params = wanted(job);
    const struct gv_writer_params writer = { .write = gv_output_file_write,
                                             .context = &job->out,
                                             .level = payload->level,
                                             .jobs = 1,
                                             .frame_group_bytes =
                                                 (size_t)GV_COMPILE_GROUP_KB << 10,
                                             .thin = payload->thin };
    const struct gv_slice_write_params write = {
        .payload = payload, .slice = &job->slice, .wanted = &params, .writer = &writer
    };
    const char *path = gv_output_name(job->options->output);
    return !path ||
           (gv_guard_output(&job->input.guard, path, err) &&
            gv_output_file_init(&job->out, path, err) &&
            gv_output_file_open(&job->out, err) && gv_slice_write(&write, err) &&
            gv_output_file_close(&job->out, err) &&
            gv_output_file_keep(&job->out, err));
}

static bool slice(struct job *job, struct gv_error *err)
{
    if (!select_frames(job, err) || !select_calls(job, err) ||
        !select_exports(job, err))
        return false;
    if (job->options->frames && !job->frames.count && !job->frames.end)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--frames: there are no frames");
    if (job->options->calls.count && !job->calls.own.count)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--calls: no command is selected");
    const struct gv_slice_params params = wanted(job);
    return gv_slice_make(&job->slice, &job->loaded.payload, &params, err) &&
           write_slice(job, err);
}

// ---- what is said ----

static void print_text(const struct gv_slice *s)
{
    const struct {
        const char *what;
        struct gv_slice_count count;
    } rows[] = { { "calls", s->calls },
                 { "work", s->work },
                 { "code bytes", s->bytes } };
    if (s->whole)
        printf("nothing can be left out: %s\n", s->whole);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].count.total)
            printf("%-10s %12" PRIu64 " of %12" PRIu64 "\n", rows[i].what,
                   rows[i].count.kept, rows[i].count.total);
    for (size_t i = 0; i < s->chain_count; i++)
        printf("%s%s of command %" PRIu64 " (code offset %" PRIu64 ")\n",
               i ? "  for " : "first work: ", s->chain[i].what, s->chain[i].command,
               s->chain[i].code_offset);
}

static void put_count(struct gv_json *json, const char *key,
                      struct gv_slice_count count)
{
    gv_json_begin(json, key);
    gv_json_number(json, "kept", count.kept);
    gv_json_number(json, "total", count.total);
    gv_json_end(json);
}

static void print_json(const struct job *job)
{
    const struct gv_slice *s = &job->slice;
    struct gv_json json = { 0 };
    gv_json_result(&json);
    gv_json_text(&json, "status", "ok");
    gv_json_text(&json, "file", job->input.path);
    gv_payload_json(&json, &job->loaded.payload);
    if (job->options->output)
        gv_json_text(&json, "output", job->options->output);
    if (s->whole)
        gv_json_text(&json, "whole", s->whole);
    put_count(&json, "calls", s->calls);
    put_count(&json, "work", s->work);
    put_count(&json, "code_bytes", s->bytes);
    gv_json_array(&json, "chain");
    for (size_t i = 0; i < s->chain_count; i++) {
        gv_json_begin(&json, NULL);
        gv_json_text(&json, "what", s->chain[i].what);
        gv_json_number(&json, "command", s->chain[i].command);
        gv_json_number(&json, "code_offset", s->chain[i].code_offset);
        gv_json_end(&json);
    }
    gv_json_array_end(&json);
    gv_json_end(&json);
    gv_json_print(&json);
}

static void say_what_is_lost(const struct job *job)
{
    if (job->options->output && job->loaded.payload.keyframe_count)
        gv_say("%s: its keyframes are not in the slice", job->input.path);
}

// A slice on standard output is all that is there.
static void print_result(const struct job *job)
{
    if (job->options->output && !job->out.path)
        return;
    if (job->options->json)
        print_json(job);
    else if (!job->options->quiet)
        print_text(&job->slice);
}

// ---- the command ----

static enum gv_exit run_job(struct job *job)
{
    const struct slice_options *o = job->options;
    struct gv_error err = GV_ERROR_INIT;
    uint64_t bytes = o->mem_mb << 20;
    if (!gv_loaded_init(&job->loaded, job->program, &job->input, bytes, NULL, &err))
        return gv_report_error(job->input.path, &err, GV_PHASE_LOAD, o->json);
    job->limit = gv_loaded_memory_left(&job->loaded, &job->input, bytes);
    const struct gv_verify_params verify = { .memory_limit = job->limit };
    if (!gv_verify(&job->loaded.payload, &verify, &err))
        return gv_report_error(job->input.path, &err, GV_PHASE_CODE, o->json);
    if (!slice(job, &err))
        return gv_report_error(err.status == GV_ERR_USAGE ? NULL : job->input.path,
                               &err, GV_PHASE_LOAD, o->json);
    say_what_is_lost(job);
    print_result(job);
    return GV_EXIT_OK;
}

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct slice_options o = { .mem_mb = GV_RUN_MEM_MB };
    struct gv_operands operands;
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_slice, argc, argv, &o, &operands, &code))
        return code;
    if (!o.frames && !o.calls.count)
        return gv_usage(&gv_cmd_slice, o.json, "--frames SET or --calls SET is needed");
    struct job job = { .options = &o, .program = program };
    gv_bound_memory(o.mem_mb);
    if (!gv_input_open(&job.input, operands.items[0], o.mem_mb << 20, o.json, &err))
        return gv_report_error(operands.items[0], &err, GV_PHASE_OPEN, o.json);
    code = run_job(&job);
    gv_slice_finish(&job.slice);
    gv_selection_finish(&job.frames);
    gv_command_set_finish(&job.calls);
    free(job.exports);
    gv_output_file_finish(&job.out);
    gv_loaded_finish(&job.loaded);
    gv_input_close(&job.input);
    return code;
}

static const struct gv_option options[] = {
    { .name = "frames",
      .kind = GV_OPTION_TEXT,
      .argument = "SET",
      .offset = GV_OPTION_AT(slice_options, frames),
      .help = "frames whose pictures are wanted" },
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(slice_options, output),
      .help = "write a payload of what they need; - is standard output" },
    { .name = "calls",
      .kind = GV_OPTION_LIST,
      .argument = "SET",
      .offset = GV_OPTION_AT(slice_options, calls),
      .help = "commands behind which the picture of the target is wanted; may be "
              "repeated" },
    { .name = "exports",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(slice_options, exports),
      .help = "exports are wanted, too" },
    GV_OPTION_MEM_MB(slice_options, "private", "4096"),
    GV_OPTION_QUIET(slice_options),
    GV_OPTION_JSON(slice_options, "print JSON"),
    { 0 },
};

const struct gv_command gv_cmd_slice = {
    .name = "slice",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "tell what some frames need, or make a payload of it",
    .run = run,
    .options = options,
    .examples = "slice game.gvp --frames last\n"
                "slice game.gvp --frames last -o last.gvp\n"
                "slice game.gvp --frames 0-1 -o begin.gvp --json\n",
    .notes = "SET: as of run. Frames keep their numbers.\n",
};
