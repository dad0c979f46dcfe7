// `gpuvm info`: what a capture, payload or progress file is.
#include <inttypes.h>
#include <stdio.h>

#include "tools/base/json.h"
#include "tools/base/json_check.h"
#include "tools/diagnostics_text.h"
#include "tools/input.h"
#include "tools/payload_json.h"
#include "tools/process/memory_bound.h"
#include "tools/store/stores.h"
#include "tools/store/token.h"
#include "vm/formats.h"

struct info_options {
    uint64_t mem_mb;
    bool allow_truncated, json;
    struct gv_fetch_params fetching;
};

// Facts go to one of two forms.
struct facts {
    struct gv_json *json; // NULL: lines of text
};

static void put_number(struct facts *f, const char *key, uint64_t number)
{
    if (f->json)
        gv_json_number(f->json, key, number);
    else
        printf("%-22s %" PRIu64 "\n", key, number);
}

static void put_text(struct facts *f, const char *key, const char *text)
{
    if (f->json) {
        gv_json_text(f->json, key, text);
        return;
    }
    printf("%-22s ", key);
    gv_print_foreign(stdout, text);
    putchar('\n');
}

static void put_bool(struct facts *f, const char *key, bool value)
{
    if (f->json)
        gv_json_bool(f->json, key, value);
    else
        put_text(f, key, value ? "yes" : "no");
}

// The payload's own account is JSON, if nobody has forged it.
static void put_provenance(struct facts *f, const char *text)
{
    if (f->json && gv_json_is_object(text))
        gv_json_raw(f->json, "provenance", text);
    else
        put_text(f, "provenance", text);
}

static const char *requirement_kind(uint8_t kind)
{
    static const char *const names[] = { "feature", "extension", "limit", "format",
                                         "memory" };
    return kind < sizeof names / sizeof *names ? names[kind] : "other";
}

static void put_requirements(struct facts *f, const struct gv_payload *p)
{
    if (f->json)
        gv_json_array(f->json, "requirements");
    for (size_t i = 0; i < p->requirement_count; i++) {
        const struct gv_requirement *r = &p->requirements[i];
        if (!f->json) {
            char text[512];
            snprintf(text, sizeof text, "%s %s %s %" PRIu64 "%s%s",
                     gv_requirement_strength_name(r->strength),
                     requirement_kind(r->kind), r->name, r->value,
                     r->strength ? " else " : "", r->fallback);
            put_text(f, "requires", text);
            continue;
        }
        gv_json_begin(f->json, NULL);
        gv_json_text(f->json, "kind", requirement_kind(r->kind));
        gv_json_text(f->json, "name", r->name);
        gv_json_number(f->json, "value", r->value);
        gv_json_text(f->json, "strength", gv_requirement_strength_name(r->strength));
        if (r->strength)
            gv_json_text(f->json, "fallback", r->fallback);
        gv_json_end(f->json);
    }
    if (f->json)
        gv_json_array_end(f->json);
}

static void put_exports(struct facts *f, const struct gv_payload *p)
{
    if (f->json)
        gv_json_array(f->json, "exports");
    for (size_t i = 0; i < p->export_count; i++) {
        const struct gv_export *e = &p->exports[i];
        const char *kind = e->kind == GV_KIND_IMAGE ? "image" : "buffer";
        const struct gv_format_info *format = gv_export_format_info(e->format);
        const char *format_name = format ? format->name : "none";
        if (!f->json) {
            char text[512];
            snprintf(text, sizeof text, "%s %s %ux%u %s", e->name, kind, e->width,
                     e->height, format_name);
            put_text(f, "export", text);
            continue;
        }
        gv_json_begin(f->json, NULL);
        gv_json_text(f->json, "name", e->name);
        gv_json_text(f->json, "kind", kind);
        gv_json_text(f->json, "format", format_name);
        gv_json_number(f->json, "width", e->width);
        gv_json_number(f->json, "height", e->height);
        gv_json_end(f->json);
    }
    if (f->json)
        gv_json_array_end(f->json);
}

// In front of which frames, and whose contents.
static void put_keyframes(struct facts *f, const struct gv_payload *p)
{
    if (f->json)
        gv_json_array(f->json, "keyframes");
    for (size_t i = 0; i < p->keyframe_count; i++) {
        const struct gv_keyframe *k = &p->keyframes[i];
        if (!f->json) {
            char text[640];
            snprintf(text, sizeof text, "%" PRIu64 " %s, %s%s%s", k->frame, k->device,
                     k->driver, k->exact ? " (exact anywhere)" : "",
                     k->exports ? " with exports" : "");
            put_text(f, "keyframe", text);
            continue;
        }
        gv_json_begin(f->json, NULL);
        gv_json_number(f->json, "frame", k->frame);
        gv_json_number(f->json, "code_bytes", k->size);
        gv_json_text(f->json, "device", k->device);
        gv_json_text(f->json, "driver", k->driver);
        gv_json_bool(f->json, "exact_anywhere", k->exact);
        gv_json_bool(f->json, "exports", k->exports);
        gv_json_end(f->json);
    }
    if (f->json)
        gv_json_array_end(f->json);
}

static uint64_t resource_bytes(const struct gv_payload *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->group_count; i++)
        sum += p->groups[i].raw_size;
    return sum;
}

// Of the first frame; how often it changes.
static void put_pace(struct facts *f, const struct gv_payload *p)
{
    const struct gv_pace pace = gv_payload_pace(p, 0);
    char text[64];
    if (!p->pace_count)
        return;
    snprintf(text, sizeof text, "%" PRIu32 "/%" PRIu32, pace.rate, pace.per);
    put_text(f, "frame_rate", pace.rate ? text : "unknown");
    snprintf(text, sizeof text, "%" PRIu32 ":%" PRIu32, pace.width, pace.height);
    put_text(f, "aspect", pace.width ? text : "native");
    put_number(f, "paces", p->pace_count);
}

static void put_payload(struct facts *f, const struct gv_payload *p, size_t size)
{
    put_text(f, "kind", "payload");
    if (f->json)
        gv_payload_json(f->json, p);
    put_number(f, "bytes", size);
    put_number(f, "format_major", p->major);
    put_number(f, "format_minor", p->minor);
    put_number(f, "level", (uint64_t)p->level);
    put_bool(f, "thin", p->thin);
    put_bool(f, "complete", p->complete);
    put_number(f, "frames", p->frame_count);
    put_number(f, "commands", p->command_count);
    put_number(f, "chunks", p->chunk_count);
    put_number(f, "code_bytes", p->code_size);
    put_number(f, "constant_bytes", p->constant_size);
    put_number(f, "slots", p->slot_count);
    put_number(f, "imports", p->import_count);
    put_number(f, "resources", p->resource_count);
    put_number(f, "resource_groups", p->group_count);
    put_number(f, "dictionaries", p->dictionary_count);
    put_number(f, "resource_bytes", resource_bytes(p));
    put_number(f, "resource_uses", p->schedule_count);
    put_number(f, "volatile_bytes", p->limits.volatile_bytes);
    put_number(f, "map_bytes", p->limits.map_bytes);
    put_number(f, "stack_cells", p->limits.stack_cells);
    put_number(f, "objects", p->limits.objects);
    put_number(f, "object_bytes", p->limits.object_bytes);
    put_number(f, "max_instructions", p->limits.instructions);
    if (p->frame_count) {
        put_number(f, "width", p->frames[0].width);
        put_number(f, "height", p->frames[0].height);
    }
    put_pace(f, p);
    put_provenance(f, p->provenance ? p->provenance : "");
    put_requirements(f, p);
    put_exports(f, p);
    put_keyframes(f, p);
    if (f->json)
        gv_diagnostics_json("diagnostics", p->diagnostics, p->diagnostic_count,
                            f->json);
    else
        gv_diagnostics_print(p->diagnostics, p->diagnostic_count, stdout);
}

static void put_position(struct facts *f, const char *key, uint64_t position)
{
    if (position != GV_PROGRESS_NONE)
        put_number(f, key, position);
    else if (f->json)
        gv_json_raw(f->json, key, "null");
    else
        put_text(f, key, "none");
}

static void put_progress(struct facts *f, const struct gv_progress_state *s)
{
    put_text(f, "kind", "progress");
    put_position(f, "recorded_frame", s->recorded_frame);
    put_position(f, "recorded_command", s->recorded_command);
    put_position(f, "completed_frame", s->completed_frame);
    put_position(f, "completed_command", s->completed_command);
    put_number(f, "completions", s->completions);
    put_bool(f, "finished", s->finished);
}

static void put_fact(struct facts *f, const struct gv_fact *fact)
{
    switch (fact->kind) {
    case GV_FACT_NUMBER:
        put_number(f, fact->key, fact->number);
        break;
    case GV_FACT_TEXT:
        put_text(f, fact->key, fact->text);
        break;
    case GV_FACT_BOOL:
        put_bool(f, fact->key, fact->number != 0);
        break;
    }
}

static bool put_capture(struct facts *f, const struct gv_program *program,
                        const struct gv_input *input, const struct info_options *o,
                        struct gv_error *err)
{
    const struct gv_captures *captures = program->captures;
    const void *data = input->file.data;
    size_t size = input->file.size;
    if (!captures)
        return gv_fail(err, GV_ERR_FORMAT, 0, "not a payload (%s knows payloads only)",
                       program->name);
    const char *name, *what;
    const struct gv_compile_params params = { .memory_limit = gv_input_memory_left(
                                                  input, o->mem_mb << 20),
                                              .allow_truncated = o->allow_truncated,
                                              .mapped = input->file.mapped };
    struct gv_describe facts = { 0 };
    bool ok = captures->probe(data, size, &name, &what, err) &&
              captures->info(data, size, &params, &facts, err);
    if (ok) {
        put_text(f, "kind", "capture");
        put_text(f, "format", name);
        put_text(f, "what", what);
        put_number(f, "bytes", size);
    }
    for (size_t i = 0; ok && i < facts.count; i++)
        put_fact(f, &facts.facts[i]);
    captures->describe_finish(&facts);
    return ok;
}

static bool put_facts(struct facts *f, const struct gv_program *program,
                      const struct gv_input *input, const struct info_options *o,
                      struct gv_error *err)
{
    struct gv_payload payload = { 0 };
    bool ok = true;
    switch (input->kind) {
    case GV_INPUT_PROGRESS:
        put_progress(f, &input->progress);
        break;
    case GV_INPUT_CAPTURE:
        ok = put_capture(f, program, input, o, err);
        break;
    case GV_INPUT_PAYLOAD:
        ok = gv_payload_open_memory(&payload, input->file.data, input->file.size,
                                    gv_input_memory_left(input, o->mem_mb << 20), err);
        if (ok)
            put_payload(f, &payload, input->file.size);
        gv_payload_finish(&payload);
        break;
    }
    return ok;
}

static const struct gv_option options[] = {
    GV_OPTION_MEM_MB(info_options, "private", "1024"),
    { .name = "allow-truncated",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(info_options, allow_truncated),
      .help = "describe a cut-off capture up to its last whole record" },
    GV_OPTION_FETCHING(info_options, GV_NEEDS_URL),
    GV_OPTION_JSON(info_options, "print JSON"),
    { 0 },
};

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct info_options o = { .mem_mb = GV_LOOK_MEM_MB };
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_info, argc, argv, &o, &operands, &code))
        return code;
    const char *path = operands.items[0];
    gv_bound_memory(o.mem_mb);
    struct gv_error err = GV_ERROR_INIT;
    struct gv_input input;
    struct gv_source *remote = NULL;
    const struct gv_log log = gv_stderr_log(false);
    if (!gv_token_hold(&o.fetching, &err))
        return gv_report_error(path, &err, GV_PHASE_OPEN, o.json);
    if (gv_input_is_url(path)
            ? !(remote = gv_stores_payload(&input, path, &o.fetching, &log, &err))
            : !gv_input_open(&input, path, o.mem_mb << 20, o.json, &err))
        return gv_report_error(path, &err, GV_PHASE_OPEN, o.json);
    if (input.kind != GV_INPUT_CAPTURE &&
        !gv_options_idle(&operands.given, "allow-truncated", "this is no capture",
                         &code)) {
        gv_source_destroy(remote);
        gv_input_close(&input);
        return code;
    }
    struct gv_json json = { 0 };
    struct facts facts = { .json = o.json ? &json : NULL };
    if (o.json) {
        gv_json_result(&json);
        gv_json_text(&json, "status", "ok");
        gv_json_text(&json, "file", path);
    }
    bool ok = put_facts(&facts, program, &input, &o, &err);
    code = ok ? GV_EXIT_OK : gv_report_error(path, &err, GV_PHASE_LOAD, o.json);
    if (o.json && ok) {
        gv_json_end(&json);
        gv_json_print(&json);
    }
    gv_json_finish(&json);
    gv_source_destroy(remote);
    gv_input_close(&input);
    return code;
}

const struct gv_command gv_cmd_info = {
    .name = "info",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "describe a capture, payload or progress file",
    .run = run,
    .options = options,
    .examples = "info game.trace\n"
                "info game.gvp\n"
                "info game.gvp --json\n",
};
