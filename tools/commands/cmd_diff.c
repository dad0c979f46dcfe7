// `gpuvm diff`: what two recordings do otherwise.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/json.h"
#include "tools/diff/diff_compare.h"
#include "tools/diff/diff_pictures.h"
#include "tools/input.h"
#include "tools/payload_json.h"
#include "tools/process/memory_bound.h"
#include "vm/verify/verify.h"

struct diff_options {
    struct gv_option_list at;
    const char *device;
    uint64_t mem_mb;
    bool state, json;
};

// A file, and what it does.
struct side {
    struct gv_input input;
    struct gv_loaded loaded;
    struct gv_diff_record record;
    char id[GV_HASH_HEX];
};

struct diffing {
    const struct diff_options *options;
    const struct gv_program *program;
    const char *subject; // of an error
    enum gv_phase phase;
    struct gv_path at[2]; // of A and B, where --at is given
    struct side sides[2];
    struct gv_json json;
    uint64_t rows;
};

// ---- rows ----

static void put_setter(struct gv_json *json, const char *key, uint64_t command)
{
    if (command != GV_DIFF_NO_COMMAND)
        gv_json_number(json, key, command);
}

static void put_json(struct gv_json *json, const struct gv_diff_row *row)
{
    gv_json_begin(json, NULL);
    gv_json_text(json, "kind", gv_diff_kind_name(row->kind));
    gv_json_text(json, "a", row->a);
    gv_json_text(json, "b", row->b);
    gv_json_text(json, "name", row->name);
    gv_json_text(json, "a_value", row->a_value);
    gv_json_text(json, "b_value", row->b_value);
    put_setter(json, "a_setter", row->a_setter);
    put_setter(json, "b_setter", row->b_setter);
    gv_json_end(json);
}

static void put_column(const char *value, uint64_t setter)
{
    printf("\t%s", value);
    if (setter != GV_DIFF_NO_COMMAND)
        printf(" (c%" PRIu64 ")", setter);
}

static bool put_row(void *context, const struct gv_diff_row *row, struct gv_error *err)
{
    struct diffing *d = context;
    (void)err;
    d->rows++;
    if (d->options->json) {
        put_json(&d->json, row);
        return true;
    }
    printf("%s\t%s\t%s\t%s", gv_diff_kind_name(row->kind), row->a, row->b,
           *row->name ? row->name : "-");
    put_column(row->a_value, row->a_setter);
    put_column(row->b_value, row->b_setter);
    printf("\n");
    return true;
}

// ---- both sides ----

static bool read_side(struct diffing *d, struct side *s, const char *path,
                      struct gv_error *err)
{
    const uint64_t limit = d->options->mem_mb << 20;
    d->subject = path;
    d->phase = GV_PHASE_OPEN;
    if (!gv_input_open(&s->input, path, limit, d->options->json, err))
        return false;
    d->phase = GV_PHASE_LOAD;
    if (!gv_loaded_init(&s->loaded, d->program, &s->input, limit, NULL, err))
        return false;
    d->phase = GV_PHASE_CODE;
    const struct gv_verify_params verify = { .memory_limit = limit };
    struct gv_payload *p = &s->loaded.payload;
    gv_payload_id(p, s->id);
    if (!gv_verify(p, &verify, err) ||
        !gv_diff_record_make(&s->record, p,
                             gv_loaded_memory_left(&s->loaded, &s->input, limit), err))
        return false;
    const struct gv_runtime_params device = { .device = d->options->device,
                                              .memory_limit = limit,
                                              .timeout_ns = UINT64_C(60000000000) };
    d->phase = GV_PHASE_RUN;
    return d->options->state || d->options->at.count ||
           gv_diff_pictures(p, &device, &s->record.pictures, err);
}

static void close_side(struct side *s)
{
    gv_diff_record_finish(&s->record);
    gv_loaded_finish(&s->loaded);
    gv_input_close(&s->input);
}

static bool compare(struct diffing *d, const struct side *b, struct gv_error *err)
{
    const struct gv_option_list *at = &d->options->at;
    const struct gv_diff_record *a = &d->sides[0].record;
    d->subject = NULL;
    if (!at->count)
        return gv_diff_compare(a, &b->record, put_row, d, err);
    return gv_diff_compare_at(a, &d->at[0].place, &b->record, &d->at[1].place, put_row,
                              d, err);
}

static void begin_json(struct diffing *d, const struct side *b)
{
    gv_json_result(&d->json);
    gv_json_text(&d->json, "file", d->sides[0].input.path);
    gv_json_text(&d->json, "payload_id", d->sides[0].id);
    gv_json_text(&d->json, "other", b->input.path);
    gv_json_text(&d->json, "other_id", b->id);
    gv_json_array(&d->json, "differences");
}

static enum gv_exit run_both(struct diffing *d, const struct gv_operands *operands)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct side *b = &d->sides[operands->count - 1];
    bool ok = true;
    for (size_t i = 0; ok && i < operands->count; i++)
        ok = read_side(d, &d->sides[i], operands->items[i], &err);
    if (ok && d->options->json)
        begin_json(d, b);
    ok = ok && compare(d, b, &err);
    if (!ok)
        return gv_report_error(d->subject, &err, d->phase, d->options->json);
    const enum gv_exit code = d->rows ? GV_EXIT_DIFFER : GV_EXIT_OK;
    if (d->options->json) {
        gv_json_array_end(&d->json);
        gv_json_text(&d->json, "status", gv_exit_word(code));
        gv_json_end(&d->json);
        gv_json_print(&d->json);
    }
    return code;
}

// ---- the command ----

// Work is compared as it was done, with all of its state: there is neither a side of it
// nor a part that --at could take.
static bool read_at(struct gv_path *path, const char *text, struct gv_error *err)
{
    return gv_path_parse(path, text, err) &&
           ((path->place.kind == GV_PLACE_WORK && !path->place.before &&
             path->thing == GV_THING_NONE && strcmp(path->word, "state") == 0) ||
            gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                    "--at takes a draw or dispatch alone, as f1.d0, not '%.64s'",
                    text));
}

static bool read_places(struct diffing *d, struct gv_error *err)
{
    const struct gv_option_list *at = &d->options->at;
    return !at->count || (read_at(&d->at[0], at->items[0], err) &&
                          read_at(&d->at[1], at->items[at->count - 1], err));
}

static bool check_idle(const struct diff_options *o, const struct gv_given *given,
                       enum gv_exit *code)
{
    return (!o->at.count ||
            gv_options_idle(given, "state", "--at makes no pictures", code)) &&
           (!(o->at.count || o->state) ||
            gv_options_idle(given, "device", "no pictures are made", code));
}

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct diff_options o = { .mem_mb = GV_RUN_MEM_MB };
    static struct gv_operands operands;
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_diff, argc, argv, &o, &operands, &code))
        return code;
    if (o.at.count > 2)
        return gv_usage(&gv_cmd_diff, o.json, "--at names one place or two");
    if (operands.count == 1 && !o.at.count)
        return gv_usage(&gv_cmd_diff, o.json, "another FILE or --at is needed");
    if (!check_idle(&o, &operands.given, &code))
        return code;
    struct diffing d = { .options = &o, .program = program };
    if (!read_places(&d, &err))
        return gv_report_error(NULL, &err, GV_PHASE_OPEN, o.json);
    gv_bound_memory(o.mem_mb);
    code = run_both(&d, &operands);
    for (size_t i = 0; i < operands.count; i++)
        close_side(&d.sides[i]);
    gv_json_finish(&d.json);
    return code;
}

static const struct gv_option options[] = {
    { .name = "state",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(diff_options, state),
      .help = "no pictures: no GPU is needed" },
    { .name = "at",
      .kind = GV_OPTION_LIST,
      .argument = "PATH",
      .offset = GV_OPTION_AT(diff_options, at),
      .help = "work at one place (fN.dN) alone; twice: of A, then of B" },
    { .name = "device",
      .kind = GV_OPTION_TEXT,
      .argument = "N|NAME",
      .offset = GV_OPTION_AT(diff_options, device),
      .help = "the device that makes the pictures" },
    GV_OPTION_MEM_MB(diff_options, "private", "4096"),
    GV_OPTION_JSON(diff_options, "print JSON"),
    { 0 },
};

const struct gv_command gv_cmd_diff = {
    .name = "diff",
    .operands = "A [B]",
    .operand_min = 1,
    .operand_max = 2,
    .what = "tell what two recordings, or two draws of one, do otherwise",
    .run = run,
    .options = options,
    .examples = "diff game.gvp game.gvp\n"
                "diff game.gvp game.gvp --state --json\n"
                "diff game.gvp game.gvp --at f1.d0\n",
    .notes = "Exit code 0: nothing differs; 1: something does.\n",
};
