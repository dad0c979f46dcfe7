// `gpuvm thin` and `gpuvm fat`: a payload's resources into a store, and back into it.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/source_open.h"
#include "tools/base/cache_folder.h"
#include "tools/base/json.h"
#include "tools/input.h"
#include "tools/output_file.h"
#include "tools/payload_json.h"
#include "tools/process/memory_bound.h"
#include "tools/store/place.h"
#include "tools/store/stores.h"
#include "tools/store/token.h"
#include "vm/payload/payload_convert.h"

struct convert_options {
    const char *output, *store;
    struct gv_option_list stores;
    struct gv_fetch_params fetching;
    uint64_t mem_mb;
    bool json;
};

// Where the groups of a thin payload go.
struct taker {
    struct gv_place place;
    const struct gv_payload *payload;
    size_t next; // group
};

struct job {
    const struct gv_program *program;
    const struct convert_options *options;
    struct gv_input input;
    struct gv_payload payload;
    struct gv_output_file out;
    const char *path; // of the output
    bool identical;
};

// ---- thin ----

static bool take_group(void *context, const struct gv_hash *hash, struct gv_span raw,
                       struct gv_span frame, struct gv_error *err)
{
    struct taker *taker = context;
    const struct gv_payload *p = taker->payload;
    const struct gv_group *group = &p->groups[taker->next++];
    struct gv_pack_object object = {
        .hash = *hash, .raw = raw, .frame = frame, .level = p->level
    };
    if (group->codec == GV_CODEC_DICTIONARY) {
        object.frame = (struct gv_span){ p->file.data + group->file_offset,
                                         (size_t)group->stored_size };
        object.dictionary = &p->groups[group->dictionary].hash;
        object.made_with = true;
    }
    return gv_place_put(&taker->place, &object, err);
}

// What is written is compared with what was there.
struct comparison {
    const uint8_t *data;
    size_t left;
};

static bool compare(void *context, const void *data, size_t size, struct gv_error *err)
{
    struct comparison *c = context;
    if (size > c->left || memcmp(c->data, data, size) != 0)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the payloads differ");
    c->data += size;
    c->left -= size;
    return true;
}

// Whether `fat` would give the payload again that `thin` was made of. Another libzstd,
// or another writer, may have compressed it otherwise.
static bool comes_back(const struct job *job, const struct gv_bytes *thin)
{
    const struct gv_file *file = &job->input.file;
    struct comparison comparison = { file->data, file->size };
    struct gv_payload payload = { 0 };
    struct gv_source *source = gv_payload_open_source(&job->payload, NULL);
    const struct gv_convert_params params = {
        .write = compare, .context = &comparison, .sources = &source, .source_count = 1
    };
    bool same = source &&
                gv_payload_open_memory(&payload, thin->data, thin->size, 0, NULL) &&
                gv_payload_fatten(&payload, &params, NULL) && comparison.left == 0;
    gv_payload_finish(&payload);
    gv_source_destroy(source);
    return same;
}

static bool write_thin(struct job *job, struct gv_error *err)
{
    struct taker taker = { .payload = &job->payload };
    struct gv_bytes thin = { 0 };
    uint64_t limit = gv_input_memory_left(&job->input, job->options->mem_mb << 20);
    struct gv_collect collect = { &thin, limit };
    const struct gv_convert_params params = { .write = gv_collect_write,
                                              .context = &collect,
                                              .take = take_group,
                                              .taker = &taker };
    // Of a payload that is thin already no store is made.
    bool ok = (job->payload.thin ||
               gv_place_open(&taker.place, job->options->store, true, err)) &&
              gv_payload_thin(&job->payload, &params, err) &&
              gv_place_close(&taker.place, err);
    job->identical = ok && comes_back(job, &thin);
    ok = ok && gv_output_file_write(&job->out, thin.data, thin.size, err);
    gv_bytes_finish(&thin);
    gv_place_finish(&taker.place);
    return ok;
}

// ---- fat ----

static bool write_fat(struct job *job, struct gv_error *err)
{
    struct gv_stores stores = { 0 };
    const struct gv_log log = gv_stderr_log(false);
    struct gv_fetch_params fetching = job->options->fetching;
    char cache[4096];
    fetching.cache = gv_cache_folder(cache, sizeof cache);
    bool ok = gv_token_hold(&fetching, err) &&
              gv_stores_open(&stores, &job->options->stores, &fetching, &log, err);
    const struct gv_convert_params params = { .write = gv_output_file_write,
                                              .context = &job->out,
                                              .sources = stores.sources,
                                              .source_count = stores.count };
    ok = ok && gv_payload_fatten(&job->payload, &params, err);
    gv_stores_close(&stores);
    return ok;
}

// ---- both ----

// A pack that is not there yet is an output, too.
static bool guard_added(struct gv_input_guard *inputs, const char *store,
                        struct gv_error *err)
{
    const char *path;
    gv_guard_store(inputs, store);
    return gv_location_of(store, &path) != GV_LOCATION_PACK ||
           access(path, F_OK) == 0 || gv_guard_output(inputs, path, err);
}

static bool guard(struct job *job, struct gv_error *err)
{
    struct gv_input_guard *inputs = &job->input.guard;
    for (size_t i = 0; i < job->options->stores.count; i++)
        gv_guard_store(inputs, job->options->stores.items[i]);
    return (!job->options->store || guard_added(inputs, job->options->store, err)) &&
           gv_guard_output(inputs, job->path, err);
}

// Where the output goes; the caller frees it. NULL: memory.
static char *name_output(const char *given, const char *input, const char *ending)
{
    if (given || strcmp(input, "-") == 0)
        return strdup(given ? gv_output_name(given) : "-");
    size_t size = strlen(input) + strlen(ending) + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s", input, ending);
    return path;
}

static bool convert(struct job *job, bool thin, struct gv_error *err)
{
    const struct gv_input *input = &job->input;
    return gv_input_want_payload(input, job->program, err) &&
           gv_payload_open_memory(
               &job->payload, input->file.data, input->file.size,
               gv_input_memory_left(input, job->options->mem_mb << 20), err) &&
           (job->path || gv_out_of_memory(err)) && guard(job, err) &&
           gv_output_file_init(&job->out, job->path, err) &&
           gv_output_file_open(&job->out, err) &&
           (thin ? write_thin(job, err) : write_fat(job, err)) &&
           gv_output_file_close(&job->out, err) && gv_output_file_keep(&job->out, err);
}

static void print_result(const struct job *job, bool thin)
{
    if (thin && !job->identical)
        gv_say(
            "%s: made fat again it will be another file: it was compressed otherwise",
            job->input.path);
    if (!job->options->json || !job->out.path)
        return;
    struct gv_json json = { 0 };
    gv_json_result(&json);
    gv_json_text(&json, "status", "ok");
    gv_json_text(&json, "file", job->input.path);
    gv_json_text(&json, "output", job->path);
    gv_payload_json(&json, &job->payload);
    gv_json_number(&json, "groups", job->payload.group_count);
    if (thin)
        gv_json_bool(&json, "identical", job->identical);
    gv_json_end(&json);
    gv_json_print(&json);
}

static enum gv_exit run(const struct gv_program *program,
                        const struct convert_options *o, const char *path, bool thin)
{
    struct gv_error err = GV_ERROR_INIT;
    char *output = name_output(o->output, path, thin ? ".thin" : ".fat");
    struct job job = { .program = program, .options = o, .path = output };
    gv_bound_memory(o->mem_mb);
    enum gv_exit code = GV_EXIT_OK;
    bool opened = gv_input_open(&job.input, path, o->mem_mb << 20, o->json, &err);
    if (!opened)
        code = gv_report_error(path, &err, GV_PHASE_OPEN, o->json);
    else if (convert(&job, thin, &err))
        print_result(&job, thin);
    else
        code = gv_report_error(path, &err, GV_PHASE_LOAD, o->json);
    gv_output_file_finish(&job.out);
    gv_payload_finish(&job.payload);
    if (opened)
        gv_input_close(&job.input);
    free(output);
    return code;
}

static const struct gv_option thin_options[] = {
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(convert_options, output),
      .help = "where to; - is standard output (PAYLOAD.thin)" },
    { .name = "store",
      .kind = GV_OPTION_TEXT,
      .argument = "STORE",
      .offset = GV_OPTION_AT(convert_options, store),
      .help = "folder or pack that the resources go to" },
    GV_OPTION_MEM_MB(convert_options, "private", "4096"),
    GV_OPTION_JSON(convert_options, "print JSON"),
    { 0 },
};

static const struct gv_option fat_options[] = {
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(convert_options, output),
      .help = "where to; - is standard output (PAYLOAD.fat)" },
    { .name = "store",
      .kind = GV_OPTION_LIST,
      .argument = "STORE",
      .offset = GV_OPTION_AT(convert_options, stores),
      .help = "where the resources are; may be repeated" },
    GV_OPTION_FETCHING(convert_options, GV_NEEDS_URL),
    GV_OPTION_MEM_MB(convert_options, "private", "4096"),
    GV_OPTION_JSON(convert_options, "print JSON"),
    { 0 },
};

static enum gv_exit run_thin(const struct gv_program *program, int argc, char **argv)
{
    struct convert_options o = { .mem_mb = GV_RUN_MEM_MB,
                                 .fetching.cache_mb = GV_FETCH_CACHE_MB };
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_thin, argc, argv, &o, &operands, &code))
        return code;
    if (!o.store)
        return gv_usage(&gv_cmd_thin, o.json, "--store STORE is needed");
    return run(program, &o, operands.items[0], true);
}

static enum gv_exit run_fat(const struct gv_program *program, int argc, char **argv)
{
    struct convert_options o = { .mem_mb = GV_RUN_MEM_MB,
                                 .fetching.cache_mb = GV_FETCH_CACHE_MB };
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_fat, argc, argv, &o, &operands, &code))
        return code;
    return run(program, &o, operands.items[0], false);
}

const struct gv_command gv_cmd_thin = {
    .name = "thin",
    .operands = "PAYLOAD",
    .operand_min = 1,
    .operand_max = 1,
    .what = "move a payload's resources into a store",
    .run = run_thin,
    .options = thin_options,
    .examples = "thin game.gvp --store objects\n"
                "thin game.gvp --store objects -o device.thin\n"
                "thin game.gvp --store objects -o - >device.thin\n",
};

const struct gv_command gv_cmd_fat = {
    .name = "fat",
    .operands = "PAYLOAD",
    .operand_min = 1,
    .operand_max = 1,
    .what = "take a thin payload's resources back into it",
    .run = run_fat,
    .options = fat_options,
    .examples = "fat game.thin --store objects\n"
                "fat game.thin --store objects -o whole.gvp\n"
                "fat game.thin --store objects -o - >whole.gvp\n",
};
