#include "tools/run/run_report.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "resources/base/now.h"
#include "tools/device_text.h"
#include "tools/diagnostics_text.h"
#include "tools/payload_json.h"
#include "tools/program.h"
#include "tools/run/run_bench.h"
#include "tools/run/run_job.h"

// Where a session has what --stats tells.
static const struct {
    const char *key;
    size_t offset;
} stats[] = {
    { "passes", offsetof(struct gv_run_session, times.passes) },
    { "first_frame_ns", offsetof(struct gv_run_session, times.first_frame_ns) },
    { "first_pass_ns", offsetof(struct gv_run_session, times.first_pass_ns) },
    { "later_passes_ns", offsetof(struct gv_run_session, times.later_passes_ns) },
    { "instructions", offsetof(struct gv_run_session, vm_stats.instructions) },
    { "calls", offsetof(struct gv_run_session, vm_stats.calls) },
    { "commands", offsetof(struct gv_run_session, vm_stats.commands) },
    { "fetched_items", offsetof(struct gv_run_session, vm_stats.fetched_items) },
    { "fetched_bytes", offsetof(struct gv_run_session, vm_stats.fetched_bytes) },
    { "cache_hits", offsetof(struct gv_run_session, vm_stats.cache_hits) },
    { "requests", offsetof(struct gv_run_session, vm_stats.requests) },
    { "kept_items", offsetof(struct gv_run_session, vm_stats.kept_items) },
    { "stalls", offsetof(struct gv_run_session, vm_stats.stalls) },
    { "stall_ns", offsetof(struct gv_run_session, vm_stats.stall_ns) },
    { "submissions", offsetof(struct gv_run_session, runtime_stats.submissions) },
    { "draws", offsetof(struct gv_run_session, runtime_stats.draws) },
    { "dispatches", offsetof(struct gv_run_session, runtime_stats.dispatches) },
    { "render_passes", offsetof(struct gv_run_session, runtime_stats.passes) },
    { "barriers", offsetof(struct gv_run_session, runtime_stats.barriers) },
    { "uploads", offsetof(struct gv_run_session, runtime_stats.uploads) },
    { "upload_bytes", offsetof(struct gv_run_session, runtime_stats.upload_bytes) },
    { "uniform_bytes", offsetof(struct gv_run_session, runtime_stats.uniform_bytes) },
    { "pipelines", offsetof(struct gv_run_session, runtime_stats.pipelines) },
    { "descriptor_sets",
      offsetof(struct gv_run_session, runtime_stats.descriptor_sets) },
    { "allocated_bytes",
      offsetof(struct gv_run_session, runtime_stats.allocated_bytes) },
    { "peak_allocated_bytes",
      offsetof(struct gv_run_session, runtime_stats.peak_allocated_bytes) },
    { "record_ns", offsetof(struct gv_run_session, runtime_stats.record_ns) },
    { "wait_ns", offsetof(struct gv_run_session, runtime_stats.wait_ns) },
    { "pipeline_ns", offsetof(struct gv_run_session, runtime_stats.pipeline_ns) },
    { "began_at", offsetof(struct gv_run_session, times.began_at) },
    { "slice_ns", offsetof(struct gv_run_session, times.slice_ns) },
    { "slice_calls_kept", offsetof(struct gv_run_session, replay.slice.calls.kept) },
    { "slice_calls", offsetof(struct gv_run_session, replay.slice.calls.total) },
    { "slice_work_kept", offsetof(struct gv_run_session, replay.slice.work.kept) },
    { "slice_work", offsetof(struct gv_run_session, replay.slice.work.total) },
};

static void put_stats(const struct gv_run_session *s, struct gv_json *out)
{
    if (out)
        gv_json_begin(out, "stats");
    for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
        uint64_t value;
        memcpy(&value, (const char *)s + stats[i].offset, sizeof value);
        if (out)
            gv_json_number(out, stats[i].key, value);
        else
            printf("stat\t%s\t%" PRIu64 "\n", stats[i].key, value);
    }
    if (out)
        gv_json_end(out);
}

static void print_json(struct gv_run_session *s, const struct gv_error *err,
                       enum gv_exit code)
{
    const struct gv_run_options *o = s->options;
    struct gv_json out = { 0 };
    gv_json_result(&out);
    if (err->status != GV_OK) {
        gv_json_error(&out, o->file, err, code);
        gv_json_number(&out, "frame", s->frame);
    } else {
        gv_json_text(&out, "status", gv_exit_word(code));
        gv_json_text(&out, "file", o->file);
    }
    if (s->replay.device.name[0]) {
        gv_json_begin(&out, "device");
        gv_device_json(&out, &s->replay.device);
        gv_json_end(&out);
    }
    gv_payload_json(&out, s->payload);
    gv_json_bool(&out, "complete", s->payload->complete);
    gv_json_bool(&out, "exact", s->exact);
    gv_diagnostics_json("diagnostics", s->payload->diagnostics,
                        s->payload->diagnostic_count, &out);
    if (o->job && err->status == GV_OK)
        o->job->report(o->job, &out);
    if (!o->job)
        gv_run_output_json(s->output, &out);
    if (o->validate)
        gv_json_number(&out, "validation_messages", s->validation_messages);
    if (o->check_effects)
        gv_json_number(&out, "effect_violations", s->effect_violations);
    if (o->stats)
        put_stats(s, &out);
    if (o->benchmark && s->bench)
        o->bench->report(s->bench, &out);
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
    gv_bytes_printf(&line, " in %.2f s on %s", (double)ns / 1e9, s->replay.device.name);
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

// What else the run was asked to look at.
static enum gv_exit check_code(const struct gv_run_session *s, enum gv_exit code)
{
    const char *file = s->options->file;
    const struct gv_run_job *job = s->options->job;
    if (job && job->code)
        return code == GV_EXIT_OK ? job->code(job) : code;
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
    return code;
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
    code = check_code(s, code);
    if (err->status == GV_OK && !s->options->quiet)
        say_what_was_done(s);
    if (s->options->json)
        print_json(s, err, code);
    else if (s->options->job && err->status == GV_OK)
        s->options->job->report(s->options->job, NULL);
    else if (s->options->stats)
        put_stats(s, NULL);
    if (s->options->benchmark && s->bench && !s->options->json && err->status == GV_OK)
        s->options->bench->report(s->bench, NULL);
    return code;
}
