#include "tools/run/run_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/now.h"
#include "tools/device_text.h"
#include "tools/program.h"
#include "tools/run/run_job.h"
#include "tools/version.h"

static void put_stats(const struct gv_run_session *s, struct gv_json *out)
{
    const struct gv_vm_stats *vm = &s->vm_stats;
    const struct gv_runtime_stats *gpu = &s->runtime_stats;
    const struct {
        const char *key;
        uint64_t value;
    } rows[] = {
        { "passes", s->times.passes },
        { "first_frame_ns", s->times.first_frame_ns },
        { "first_pass_ns", s->times.first_pass_ns },
        { "later_passes_ns", s->times.later_passes_ns },
        { "instructions", vm->instructions },
        { "calls", vm->calls },
        { "commands", vm->commands },
        { "fetched_items", vm->fetched_items },
        { "fetched_bytes", vm->fetched_bytes },
        { "cache_hits", vm->cache_hits },
        { "requests", vm->requests },
        { "kept_items", vm->kept_items },
        { "stalls", vm->stalls },
        { "stall_ns", vm->stall_ns },
        { "submissions", gpu->submissions },
        { "draws", gpu->draws },
        { "dispatches", gpu->dispatches },
        { "render_passes", gpu->passes },
        { "barriers", gpu->barriers },
        { "uploads", gpu->uploads },
        { "upload_bytes", gpu->upload_bytes },
        { "uniform_bytes", gpu->uniform_bytes },
        { "pipelines", gpu->pipelines },
        { "descriptor_sets", gpu->descriptor_sets },
        { "allocated_bytes", gpu->allocated_bytes },
        { "peak_allocated_bytes", gpu->peak_allocated_bytes },
        { "record_ns", gpu->record_ns },
        { "wait_ns", gpu->wait_ns },
        { "pipeline_ns", gpu->pipeline_ns },
        { "began_at", s->times.began_at },
        { "slice_ns", s->times.slice_ns },
        { "slice_calls_kept", s->slice.calls.kept },
        { "slice_calls", s->slice.calls.total },
        { "slice_work_kept", s->slice.work.kept },
        { "slice_work", s->slice.work.total },
    };
    if (out)
        gv_json_begin(out, "stats");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (out)
            gv_json_number(out, rows[i].key, rows[i].value);
        else
            printf("stat\t%s\t%" PRIu64 "\n", rows[i].key, rows[i].value);
    }
    if (out)
        gv_json_end(out);
}

static void print_json(struct gv_run_session *s, const struct gv_error *err,
                       enum gv_exit code)
{
    const struct gv_run_options *o = s->options;
    struct gv_json out = { 0 };
    gv_json_begin(&out, NULL);
    if (err->status != GV_OK) {
        gv_json_error(&out, o->file, err, code);
        gv_json_number(&out, "frame", s->frame);
    } else {
        gv_json_text(&out, "status", gv_exit_word(code));
        gv_json_text(&out, "file", o->file);
    }
    gv_json_text(&out, "program", s->program->name);
    gv_json_text(&out, "version", GV_VERSION);
    if (s->device.name[0]) {
        gv_json_begin(&out, "device");
        gv_device_json(&out, &s->device);
        gv_json_end(&out);
    }
    gv_json_bool(&out, "complete", s->payload->complete);
    gv_json_bool(&out, "exact", s->exact);
    if (o->job && err->status == GV_OK)
        o->job->report(o->job, &out);
    gv_run_output_json(s->output, &out);
    if (o->validate)
        gv_json_number(&out, "validation_messages", s->validation_messages);
    if (o->check_effects)
        gv_json_number(&out, "effect_violations", s->effect_violations);
    if (o->stats)
        put_stats(s, &out);
    gv_json_end(&out);
    gv_json_print(&out);
}

// " (NAME at byte N of the capture)" for the command at fault, or "".
static void put_source(char *text, size_t size, const struct gv_payload *payload,
                       const struct gv_error *err)
{
    const char *name = "";
    uint64_t offset = err->command == GV_NO_COMMAND
                          ? GV_NO_OFFSET
                          : gv_payload_source(payload, err->command, &name);
    if (offset == GV_NO_OFFSET)
        snprintf(text, size, "%s", "");
    else
        snprintf(text, size, " (%s at byte %" PRIu64 " of the capture)", name, offset);
}

// Which frame failed, on which the error's offset and command are told.
static void say_error(const struct gv_run_session *s, const struct gv_error *err)
{
    const char *file = s->options->file;
    char subject[4160], text[5120], source[256];
    if (!err->message[0]) // the reader of a pipe has what it wanted
        return;
    snprintf(subject, sizeof subject, "%s: frame %" PRIu32, file, s->frame);
    gv_error_describe(text, sizeof text, s->started ? subject : file, err, s->phase);
    put_source(source, sizeof source, s->payload, err);
    gv_say("%s%s", text, source);
}

// ", NUMBER THINGs", or nothing for none.
static void put_count(struct gv_bytes *out, const char *before, uint64_t number,
                      const char *thing)
{
    if (number)
        gv_bytes_printf(out, "%s%" PRIu64 " %s%s", before, number, thing,
                        gv_plural(number));
}

static void say_what_was_done(const struct gv_run_session *s)
{
    const struct gv_run_output *output = s->output;
    uint64_t ns = gv_now_ns() - s->program->start_ns;
    struct gv_bytes line = { 0 };
    gv_bytes_printf(&line, "%s: ran %" PRIu64 " frame%s", s->options->file, s->frames,
                    gv_plural(s->frames));
    if (s->times.passes > 1)
        gv_bytes_printf(&line, " %" PRIu64 " times", s->times.passes);
    gv_bytes_printf(&line, " in %.2f s on %s", (double)ns / 1e9, s->device.name);
    put_count(&line, "; hashed ", output->compare.hashed, "frame");
    if (s->options->expect)
        gv_bytes_printf(&line, ", %" PRIu64 " differ%s", output->compare.differences,
                        output->compare.differences == 1 ? "s" : "");
    put_count(&line, "; wrote ", gv_run_output_written(output), "picture");
    if (gv_run_output_written(output))
        gv_bytes_printf(&line, " to %s", s->plan->folder);
    if (output->wrote_the_one)
        gv_bytes_printf(&line, "; wrote %s", s->options->output);
    put_count(&line, "; wrote ", output->exported, "export");
    gv_bytes_u8(&line, 0);
    if (!line.failed)
        gv_say("%s", (const char *)line.data);
    gv_bytes_finish(&line);
}

enum gv_exit gv_run_report(struct gv_run_session *s, const struct gv_error *err)
{
    const char *file = s->options->file;
    enum gv_exit code = GV_EXIT_OK;
    if (err->status != GV_OK) {
        say_error(s, err);
        code = gv_exit_of(err->status, s->phase);
    } else if (s->output->compare.differences) {
        code = GV_EXIT_DIFFER;
        gv_say("%s: %" PRIu64 " frame%s", file, s->output->compare.differences,
               s->output->compare.differences == 1 ? " differs" : "s differ");
    }
    if (s->validation_messages) {
        gv_say("%s: %" PRIu64 " validation message%s", file, s->validation_messages,
               gv_plural(s->validation_messages));
        code = code == GV_EXIT_OK ? GV_EXIT_DEVICE : code;
    }
    if (s->effect_violations) {
        gv_say("%s: effects: %" PRIu64 " violation%s", file, s->effect_violations,
               gv_plural(s->effect_violations));
        code = code == GV_EXIT_OK ? GV_EXIT_DEVICE : code;
    }
    if (err->status == GV_OK && !s->options->quiet)
        say_what_was_done(s);
    if (s->options->json)
        print_json(s, err, code);
    else if (s->options->job && err->status == GV_OK)
        s->options->job->report(s->options->job, NULL);
    else if (s->options->stats)
        put_stats(s, NULL);
    return code;
}
