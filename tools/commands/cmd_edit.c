// `gpuvm edit`: a payload in which something is otherwise.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/shader_fit.h"
#include "tools/base/json_check.h"
#include "tools/base/json_read.h"
#include "tools/edit/edit_list.h"
#include "tools/input.h"
#include "tools/output_file.h"
#include "tools/payload_commands.h"
#include "tools/payload_json.h"
#include "tools/process/memory_bound.h"
#include "tools/set_file.h"
#include "vm/slice/slice_write.h"
#include "vm/verify/verify.h"

struct edit_options {
    const char *output, *edits, *undefined;
    struct gv_option_list skip, keep, set, replace;
    uint64_t mem_mb;
    bool quiet, json;
};

struct job {
    const struct edit_options *options;
    const struct gv_program *program;
    struct gv_input input;
    struct gv_loaded loaded;
    struct gv_edit_list list;
    struct gv_command_set skipped;
    struct gv_bytes provenance;
    struct gv_bytes made, kept; // payloads: edited; of the frames that are kept
    struct gv_output_file out;
    char id[GV_HASH_HEX]; // of the new payload
    uint64_t limit;       // bytes
    size_t groups, same;  // of the new payload; those that the old one has, too
};

// ---- what is asked for ----

static bool add_all(struct gv_edit_list *list, const char *word,
                    const struct gv_option_list *texts, struct gv_error *err)
{
    for (size_t i = 0; i < texts->count; i++)
        if (!gv_edit_list_add(list, word, texts->items[i], err))
            return false;
    return true;
}

static bool read_edits(struct job *job, struct gv_error *err)
{
    const struct edit_options *o = job->options;
    struct gv_edit_list *list = &job->list;
    list->program = job->program;
    list->guard = &job->input.guard;
    return (!o->edits || gv_edit_list_read(list, o->edits, err)) &&
           add_all(list, "skip", &o->skip, err) &&
           add_all(list, "keep", &o->keep, err) && add_all(list, "set", &o->set, err) &&
           add_all(list, "replace", &o->replace, err) &&
           (!o->undefined || gv_edit_list_add(list, "undefined", o->undefined, err));
}

static const char *text_of(struct gv_bytes *bytes)
{
    gv_bytes_u8(bytes, 0);
    return (const char *)bytes->data;
}

static bool select_skips(struct job *job, struct gv_error *err)
{
    struct gv_bytes *skips = &job->list.skips;
    if (!skips->size)
        return true;
    const struct gv_option_list texts = { .items = { text_of(skips) }, .count = 1 };
    if (skips->failed)
        return gv_out_of_memory(err);
    return gv_payload_commands(&job->skipped, &texts, &job->loaded.payload, err);
}

// ---- where it comes from ----

static void put_edits(struct gv_json *json, const struct job *job, const char *key)
{
    const struct gv_bytes *lines = &job->list.lines;
    char base[GV_HASH_HEX], line[512];
    gv_payload_id(&job->loaded.payload, base);
    gv_json_begin(json, key);
    gv_json_text(json, "base", base);
    gv_json_array(json, "edits");
    for (size_t at = 0, end; at < lines->size; at = end + 1) {
        const uint8_t *newline = memchr(lines->data + at, '\n', lines->size - at);
        end = newline ? (size_t)(newline - lines->data) : lines->size;
        snprintf(line, sizeof line, "%.*s", (int)(end - at),
                 (const char *)lines->data + at);
        gv_json_text(json, NULL, line);
    }
    gv_json_array_end(json);
    gv_json_end(json);
}

// The base's own, and in front of it which payload that was and what was edited. What
// was edited several times says so several times.
static bool make_provenance(struct job *job, struct gv_error *err)
{
    const char *old = job->loaded.payload.provenance;
    struct gv_json json = { 0 };
    char key[32] = "edited";
    const bool object = gv_json_is_object(old);
    for (unsigned n = 2; object && gv_json_member(old, key); n++)
        snprintf(key, sizeof key, "edited_%u", n);
    gv_json_begin(&json, NULL);
    put_edits(&json, job, key);
    gv_bytes_put(&job->provenance, json.out.data, json.out.size);
    const bool failed = json.out.failed;
    gv_json_finish(&json);
    const char *members = object ? strchr(old, '{') + 1 : "}";
    members += strspn(members, " \t\r\n");
    if (*members != '}')
        gv_bytes_u8(&job->provenance, ',');
    gv_bytes_put(&job->provenance, members, strlen(members) + 1);
    return !(failed || job->provenance.failed) || gv_out_of_memory(err);
}

// ---- payloads ----

static struct gv_writer_params writer_to(const struct job *job,
                                         struct gv_collect *collect)
{
    return (struct gv_writer_params){ .write = gv_collect_write,
                                      .context = collect,
                                      .level = job->loaded.payload.level,
                                      .jobs = 1,
                                      .frame_group_bytes = (size_t)GV_COMPILE_GROUP_KB
                                                           << 10,
                                      .thin = job->loaded.payload.thin };
}

static bool write_edited(struct job *job, struct gv_error *err)
{
    struct gv_collect collect = { &job->made, job->limit };
    const struct gv_writer_params writer = writer_to(job, &collect);
    const struct gv_edit_params params = {
        .payload = &job->loaded.payload,
        .items = (const void *)job->list.items.data,
        .item_count = job->list.items.size / sizeof(struct gv_edit_item),
        .skipped = job->skipped.commands,
        .skipped_count = job->skipped.own.count,
        .memory_limit = job->limit,
        .writer = &writer,
        .provenance = (const char *)job->provenance.data,
    };
    return gv_edit_write(&params, err);
}

// What was written is looked at as a stranger's payload is, its shaders too.
static bool check(struct job *job, struct gv_payload *p, struct gv_error *err)
{
    struct gv_pipeline_list pipelines = { 0 };
    struct gv_error why = GV_ERROR_INIT;
    const struct gv_verify_params verify = { .memory_limit = job->limit,
                                             .pipelines = p->thin ? NULL : &pipelines };
    bool ok = gv_verify(p, &verify, &why) &&
              (p->thin || gv_shaders_fit(p, &pipelines, NULL, 0, &why));
    gv_pipeline_list_finish(&pipelines);
    if (!ok)
        gv_fail(err, why.status, GV_NO_OFFSET, "not written: %.120s", why.message);
    return ok;
}

static bool keep_frames(struct job *job, struct gv_payload *p, struct gv_error *err)
{
    struct gv_set set;
    struct gv_selection frames = { 0 };
    struct gv_slice slice = { 0 };
    struct gv_collect collect = { &job->kept, job->limit };
    const struct gv_writer_params writer = writer_to(job, &collect);
    const char *text = text_of(&job->list.keeps);
    if (job->list.keeps.failed)
        return gv_out_of_memory(err);
    if (!gv_set_read(&set, text, err))
        return false;
    bool ok = gv_set_resolve(&set, p->frame_count, "frame", &frames, err);
    gv_set_finish(&set);
    if (ok && frames.end)
        ok = gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "keep: 'end' is no frame");
    if (ok && !frames.count)
        ok = gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "keep: no frames");
    const struct gv_slice_params wanted = {
        .frames = frames.numbers,
        .frame_count = frames.count,
        .last_frame = ok ? frames.numbers[frames.count - 1] : 0,
        .memory_limit = job->limit,
    };
    const struct gv_slice_write_params write = { .payload = p,
                                                 .slice = &slice,
                                                 .wanted = &wanted,
                                                 .writer = &writer,
                                                 .whole_groups = true };
    ok = ok && gv_slice_make(&slice, p, &wanted, err) && gv_slice_write(&write, err);
    gv_slice_finish(&slice);
    gv_selection_finish(&frames);
    return ok;
}

static bool has_group(const struct gv_payload *p, const struct gv_hash *hash)
{
    for (size_t i = 0; i < p->group_count; i++)
        if (gv_hash_equal(&p->groups[i].hash, hash))
            return true;
    return false;
}

// Opens, checks, and counts what is the same as before.
static bool look(struct job *job, const struct gv_bytes *bytes, struct gv_payload *p,
                 struct gv_error *err)
{
    if (!gv_payload_open_memory(p, bytes->data, bytes->size, job->limit, err) ||
        !check(job, p, err))
        return false;
    gv_payload_id(p, job->id);
    job->groups = p->group_count;
    job->same = 0;
    for (size_t i = 0; i < p->group_count; i++)
        job->same += has_group(&job->loaded.payload, &p->groups[i].hash);
    return true;
}

static bool make(struct job *job, const struct gv_bytes **out, struct gv_error *err)
{
    struct gv_payload p = { 0 }, kept = { 0 };
    bool ok = write_edited(job, err) && look(job, &job->made, &p, err);
    *out = &job->made;
    if (ok && job->list.keeps.size) {
        ok = keep_frames(job, &p, err) && look(job, &job->kept, &kept, err);
        *out = &job->kept;
        gv_payload_finish(&kept);
    }
    gv_payload_finish(&p);
    return ok;
}

static bool put(struct job *job, const struct gv_bytes *bytes, struct gv_error *err)
{
    const char *path = gv_output_name(job->options->output);
    return gv_guard_output(&job->input.guard, path, err) &&
           gv_output_file_init(&job->out, path, err) &&
           gv_output_file_open(&job->out, err) &&
           gv_output_file_write(&job->out, bytes->data, bytes->size, err) &&
           gv_output_file_close(&job->out, err) && gv_output_file_keep(&job->out, err);
}

static bool edit(struct job *job, struct gv_error *err)
{
    const struct gv_bytes *made;
    return make_provenance(job, err) && select_skips(job, err) &&
           make(job, &made, err) && put(job, made, err);
}

// ---- what is said ----

// A payload on standard output is all that is there.
static void print_result(const struct job *job)
{
    const size_t edits = job->list.items.size / sizeof(struct gv_edit_item);
    struct gv_json json = { 0 };
    if (!job->out.path)
        return;
    if (!job->options->json) {
        if (!job->options->quiet)
            printf(
                "%s: %zu edits, %zu commands left out, %zu of %zu groups as before\n",
                job->options->output, edits, job->skipped.own.count, job->same,
                job->groups);
        return;
    }
    gv_json_result(&json);
    gv_json_text(&json, "status", "ok");
    gv_json_text(&json, "file", job->input.path);
    gv_payload_json(&json, &job->loaded.payload);
    gv_json_text(&json, "output", job->options->output);
    gv_json_text(&json, "edited_id", job->id);
    gv_json_number(&json, "edits", edits);
    gv_json_number(&json, "skipped", job->skipped.own.count);
    gv_json_number(&json, "groups", job->groups);
    gv_json_number(&json, "same_groups", job->same);
    gv_json_end(&json);
    gv_json_print(&json);
}

// ---- the command ----

static enum gv_exit run_job(struct job *job)
{
    const struct edit_options *o = job->options;
    struct gv_error err = GV_ERROR_INIT;
    const uint64_t bytes = o->mem_mb << 20;
    if (!gv_loaded_init(&job->loaded, job->program, &job->input, bytes, NULL, &err))
        return gv_report_error(job->input.path, &err, GV_PHASE_LOAD, o->json);
    job->limit = gv_loaded_memory_left(&job->loaded, &job->input, bytes);
    const struct gv_verify_params verify = { .memory_limit = job->limit };
    if (!gv_verify(&job->loaded.payload, &verify, &err))
        return gv_report_error(job->input.path, &err, GV_PHASE_CODE, o->json);
    if (!edit(job, &err))
        return gv_report_error(err.status == GV_ERR_USAGE ? NULL : job->input.path,
                               &err, GV_PHASE_LOAD, o->json);
    if (job->loaded.payload.keyframe_count)
        gv_say("%s: its keyframes are not in what was edited", job->input.path);
    print_result(job);
    return GV_EXIT_OK;
}

static void finish(struct job *job)
{
    gv_edit_list_finish(&job->list);
    gv_command_set_finish(&job->skipped);
    gv_bytes_finish(&job->provenance);
    gv_bytes_finish(&job->made);
    gv_bytes_finish(&job->kept);
    gv_output_file_finish(&job->out);
    gv_loaded_finish(&job->loaded);
    gv_input_close(&job->input);
}

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct edit_options o = { .mem_mb = GV_RUN_MEM_MB };
    struct gv_operands operands;
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_edit, argc, argv, &o, &operands, &code))
        return code;
    if (!o.output)
        return gv_usage(&gv_cmd_edit, o.json, "-o FILE is needed");
    struct job job = { .options = &o, .program = program };
    gv_bound_memory(o.mem_mb);
    if (!gv_input_open(&job.input, operands.items[0], o.mem_mb << 20, o.json, &err))
        return gv_report_error(operands.items[0], &err, GV_PHASE_OPEN, o.json);
    if (!read_edits(&job, &err))
        code = gv_report_error(NULL, &err, GV_PHASE_OPEN, o.json);
    else if (!job.list.lines.size)
        code = gv_usage(&gv_cmd_edit, o.json, "no edit is asked for");
    else
        code = run_job(&job);
    finish(&job);
    return code;
}

static const struct gv_option options[] = {
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(edit_options, output),
      .help = "the payload that is written; - is standard output" },
    { .name = "skip",
      .kind = GV_OPTION_LIST,
      .argument = "SET",
      .offset = GV_OPTION_AT(edit_options, skip),
      .help = "commands, or fN.dN, that did not happen; may be repeated" },
    { .name = "keep",
      .kind = GV_OPTION_LIST,
      .argument = "SET",
      .offset = GV_OPTION_AT(edit_options, keep),
      .help = "frames that are left, as f3-f9; may be repeated" },
    { .name = "set",
      .kind = GV_OPTION_LIST,
      .argument = "PATH.FIELD=VALUE",
      .offset = GV_OPTION_AT(edit_options, set),
      .help = "another argument, state or description; may be repeated" },
    { .name = "replace",
      .kind = GV_OPTION_LIST,
      .argument = "PATH=FILE",
      .offset = GV_OPTION_AT(edit_options, replace),
      .help = "another shader or picture; may be repeated" },
    { .name = "undefined",
      .kind = GV_OPTION_TEXT,
      .argument = "WORD",
      .choices = "zero pattern",
      .offset = GV_OPTION_AT(edit_options, undefined),
      .help = "what attachments hold that a pass does not load: zero or pattern" },
    { .name = "edits",
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(edit_options, edits),
      .help = "more of these, one a line: skip, keep, set, replace, undefined" },
    GV_OPTION_MEM_MB(edit_options, "private", "4096"),
    GV_OPTION_QUIET(edit_options),
    GV_OPTION_JSON(edit_options, "print JSON"),
    { 0 },
};

const struct gv_command gv_cmd_edit = {
    .name = "edit",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "make a payload in which draws, state, shaders or textures are otherwise",
    .run = run,
    .options = options,
    .examples = "edit game.gvp --skip f1.d0 -o without.gvp\n"
                "edit game.gvp --set f1.d0/pipeline.cull=0 -o cull.gvp\n"
                "edit game.gvp --set f1.d0.vertex_count=3 --keep f1 -o triangle.gvp\n",
    .notes = "PATH: fN.dN, cN.CALL or oN, as of inspect; FIELD: ARGUMENT,\n"
             "state.NAME.ARGUMENT, pipeline.FIELD or sampler.S.B.E.FIELD.\n",
};
