// `gpuvm store`: stores of resources, folders and packs alike.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "resources/codec.h"
#include "tools/nearest.h"
#include "tools/process/memory_bound.h"
#include "tools/store/store_verbs.h"

// ---- what the verbs share ----

void gv_store_print_object(struct gv_store_job *job, const struct gv_hash *hash,
                           uint64_t raw_size, uint64_t stored)
{
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(hash, hex);
    job->objects++;
    job->bytes += raw_size;
    if (!job->options.json) {
        printf("%s\t%" PRIu64, hex, raw_size);
        if (stored)
            printf("\t%" PRIu64, stored);
        printf("\n");
        return;
    }
    gv_json_begin(&job->json, NULL);
    gv_json_text(&job->json, "id", hex);
    gv_json_number(&job->json, "bytes", raw_size);
    if (stored)
        gv_json_number(&job->json, "stored", stored);
    gv_json_end(&job->json);
}

bool gv_store_open_payload(struct gv_store_payload *p, struct gv_store_job *job,
                           const char *path, struct gv_error *err)
{
    *p = (struct gv_store_payload){ 0 };
    job->subject = path;
    job->phase = GV_PHASE_OPEN;
    p->open = gv_input_open(&p->input, path, job->options.mem_mb << 20,
                            job->options.json, err);
    if (!p->open)
        return false;
    job->phase = GV_PHASE_LOAD;
    if (!gv_input_want_payload(&p->input, job->program, err)) {
        err->status = GV_ERR_USAGE;
        return false;
    }
    return gv_payload_open_memory(
        &p->payload, p->input.file.data, p->input.file.size,
        gv_input_memory_left(&p->input, job->options.mem_mb << 20), err);
}

void gv_store_close_payload(struct gv_store_payload *p)
{
    gv_payload_finish(&p->payload);
    if (p->open)
        gv_input_close(&p->input);
}

const struct gv_hash *gv_store_dictionary_of(const struct gv_payload *payload,
                                             const struct gv_group *group)
{
    return group->codec == GV_CODEC_DICTIONARY
               ? &payload->groups[group->dictionary].hash
               : NULL;
}

// ---- verbs ----

static const struct gv_option add_options[] = {
    { .name = "level",
      .kind = GV_OPTION_NUMBER,
      .argument = "N",
      .minimum = GV_CODEC_MIN_LEVEL,
      .maximum = GV_CODEC_MAX_LEVEL,
      .offset = GV_OPTION_AT(gv_store_options, level),
      .help = "zstd level, 1 to 19 (3)" },
    GV_OPTION_MEM_MB(gv_store_options, "private", "4096"),
    GV_OPTION_JSON(gv_store_options, "print JSON"),
    { 0 },
};

static const struct gv_option get_options[] = {
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(gv_store_options, output),
      .help = "where to; - is standard output (default)" },
    GV_OPTION_MEM_MB(gv_store_options, "private", "4096"),
    { 0 },
};

static const struct gv_option gc_options[] = {
    { .name = "age",
      .kind = GV_OPTION_NUMBER,
      .argument = "S",
      .maximum = UINT32_MAX,
      .offset = GV_OPTION_AT(gv_store_options, age),
      .help = "keep what was added in the last S seconds (3600); not of packs" },
    { .name = "dry-run",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(gv_store_options, dry_run),
      .help = "remove nothing, say what would go" },
    GV_OPTION_MEM_MB(gv_store_options, "private", "4096"),
    GV_OPTION_JSON(gv_store_options, "print JSON"),
    { 0 },
};

static const struct gv_option plain_options[] = {
    GV_OPTION_MEM_MB(gv_store_options, "private", "4096"),
    GV_OPTION_JSON(gv_store_options, "print JSON"),
    { 0 },
};

struct verb {
    const char *word; // of the command line
    struct gv_command command;
    bool (*work)(struct gv_store_job *job, struct gv_error *err);
    bool lists; // its JSON has an array "objects" and counts
};

// clang-format off
static const struct verb verbs[] = {
    { "add", { .name = "store add", .operands = "STORE FILE...", .operand_min = 2,
        .operand_max = GV_OPERANDS_MAX, .options = add_options,
        .examples = "store add objects game.gvp\n"
            "store add pack:game.pack game.gvp\n"
            "store add objects texture.png --level 19\n",
        .what = "add resources of payloads, objects of stores, other files as they are" },
      gv_store_add_files, true },
    { "get", { .name = "store get", .operands = "STORE ID", .operand_min = 2,
        .operand_max = 2, .options = get_options, .what = "write an object's bytes" },
      gv_store_get_object, false },
    { "ls", { .name = "store ls", .operands = "STORE", .operand_min = 1,
        .operand_max = 1, .options = plain_options,
        .examples = "store ls objects\n"
            "store ls game.pack\n"
            "store ls objects --json\n",
        .what = "list objects: id, bytes, bytes as stored" },
      gv_store_list, true },
    { "check", { .name = "store check", .operands = "STORE", .operand_min = 1,
        .operand_max = 1, .options = plain_options, .examples = "store check objects\n"
            "store check game.pack\n"
            "store check objects --json\n",
        .what = "read and hash every object" },
      gv_store_check, false },
    { "gc", { .name = "store gc", .operands = "STORE PAYLOAD...", .operand_min = 2,
        .operand_max = GV_OPERANDS_MAX, .options = gc_options,
        .examples = "store gc objects game.thin --dry-run\n"
            "store gc objects game.thin\n"
            "store gc objects game.thin --age 0\n",
        .what = "remove what none of the payloads needs" },
      gv_store_collect_files, false },
    { "pack", { .name = "store pack", .operands = "STORE PACK [PAYLOAD...]",
        .operand_min = 2, .operand_max = GV_OPERANDS_MAX, .options = plain_options,
        .examples = "store pack objects game.pack\n"
            "store pack objects game.pack game.thin\n"
            "store pack objects game.pack game.thin --json\n",
        .what = "write a pack of all objects, or of what payloads need, in order of use" },
      gv_store_pack, false },
};
// clang-format on

#define VERB_COUNT (sizeof verbs / sizeof *verbs)

static const struct gv_command *verb_command(size_t index)
{
    return index < VERB_COUNT ? &verbs[index].command : NULL;
}

static enum gv_exit finish(const struct verb *verb, struct gv_store_job *job,
                           const struct gv_error *err)
{
    const bool ok = err->status == GV_OK;
    const enum gv_exit code =
        ok ? GV_EXIT_OK : gv_report_error(job->subject, err, job->phase, false);
    if (!job->options.json)
        return code;
    if (verb->lists) {
        gv_json_array_end(&job->json);
        gv_json_number(&job->json, "count", job->objects);
        gv_json_number(&job->json, "total_bytes", job->bytes);
    }
    if (ok)
        gv_json_text(&job->json, "status", gv_exit_word(code));
    else
        gv_json_error(&job->json, job->subject, err, code);
    gv_json_end(&job->json);
    gv_json_print(&job->json);
    return code;
}

static enum gv_exit run_verb(const struct verb *verb, const struct gv_program *program,
                             int argc, char **argv)
{
    struct gv_store_job job = {
        .program = program,
        .options = { .mem_mb = GV_RUN_MEM_MB,
                     .level = GV_CODEC_DEFAULT_LEVEL,
                     .age = 3600 },
        .phase = GV_PHASE_OPEN,
    };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &verb->command, argc, argv, &job.options, &operands,
                          &code))
        return code;
    job.store = operands.items[0];
    job.files = operands.items + 1;
    job.file_count = operands.count - 1;
    gv_bound_memory(job.options.mem_mb);
    if (job.options.json) {
        gv_json_result(&job.json);
        gv_json_text(&job.json, "store", job.store);
        if (verb->lists)
            gv_json_array(&job.json, "objects");
    }
    if (verb->work(&job, &err) || job.told)
        return finish(verb, &job, &err);
    gv_json_finish(&job.json);
    return gv_report_error(job.subject, &err, job.phase, job.options.json);
}

static void print_verbs(const struct gv_program *program)
{
    printf("%s store VERB [OPTIONS] STORE ...\n  %s\n\n", program->name,
           gv_cmd_store.what);
    for (size_t i = 0; i < VERB_COUNT; i++)
        printf("  %-6s %-24s %s\n", verbs[i].word, verbs[i].command.operands,
               verbs[i].command.what);
    printf("\nSTORE is a folder or a pack (pack:FILE where there is none yet).\n"
           "%s store VERB --help describes a verb\n",
           program->name);
}

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    struct gv_nearest near;
    bool json = gv_options_json(argc, argv);
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(word, verbs[i].word) == 0)
            return run_verb(&verbs[i], program, argc - 1, argv + 1);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_verbs(program);
        return GV_EXIT_OK;
    }
    if (!*word || *word == '-')
        return gv_usage(&gv_cmd_store, json, "a verb is needed; see --help");
    gv_nearest_init(&near, word, strlen(word));
    for (size_t i = 0; i < VERB_COUNT; i++)
        gv_nearest_offer(&near, verbs[i].word);
    return gv_usage(&gv_cmd_store, json, "no verb '%.64s'; %s%s", word,
                    near.best ? "did you mean " : "see --help",
                    near.best ? near.best : "");
}

const struct gv_command gv_cmd_store = {
    .name = "store",
    .operands = "VERB STORE ...",
    .operand_min = 2,
    .operand_max = GV_OPERANDS_MAX,
    .what = "add to, list, check and pack stores of resources",
    .run = run,
    .options = plain_options,
    .verb = verb_command,
};
