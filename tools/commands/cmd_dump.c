// `gpuvm dump`: a payload as assembly text, a capture as records and commands.
#include <stdio.h>
#include <string.h>

#include "resources/base/foreign.h"
#include "tools/input.h"
#include "tools/output_file.h"
#include "tools/process/memory_bound.h"
#include "tools/set_file.h"
#include "vm/text/text.h"

struct dump_options {
    const char *output;
    struct gv_option_list calls;
    uint64_t mem_mb;
    bool strict, allow_truncated, verbose, json;
};

// Where the text goes: opened when there is some.
struct place {
    bool nothing; // that was asked for is in the capture
    struct gv_output_file file;
    bool open;
};

static bool open_place(struct place *place, struct gv_error *err)
{
    if (!place->open)
        place->open = gv_output_file_open(&place->file, err);
    return place->open;
}

// Masks the text, which is changed, and writes it.
static bool put_text(struct place *place, struct gv_bytes *text, struct gv_error *err)
{
    gv_bytes_u8(text, 0); // which masking wants
    if (text->failed)
        return gv_out_of_memory(err);
    text->size--;
    gv_foreign_mask_lines((char *)text->data, &text->size);
    return open_place(place, err) &&
           (text->size == 0 ||
            gv_output_file_write(&place->file, text->data, text->size, err));
}

static bool write_piece(void *context, const void *data, size_t size,
                        struct gv_error *err)
{
    struct gv_bytes text = { 0 };
    gv_bytes_put(&text, data, size);
    bool ok = put_text(context, &text, err);
    gv_bytes_finish(&text);
    return ok;
}

// Calls that --calls wants, and how many there were.
struct wanted {
    struct gv_set set;
    uint64_t count;
};

static bool is_wanted(void *context, uint64_t number, uint8_t kinds)
{
    bool named;
    struct wanted *w = context;
    const bool has = gv_set_has(&w->set, number, kinds, &named);
    w->count += has;
    return has;
}

// Calls are printed as they are read: how many there will be nobody knows.
static bool read_calls(struct gv_set *set, const struct gv_option_list *texts,
                       struct gv_error *err)
{
    struct gv_error mine = GV_ERROR_INIT;
    if (!gv_set_read_list(set, texts, &mine))
        return gv_fail(err, mine.status, GV_NO_OFFSET, "--calls: %.140s", mine.message);
    if (gv_set_is_told_singly(set))
        return true;
    gv_set_finish(set);
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "--calls: 'last', 'end' and a step among calls of a kind are of "
                   "payloads");
}

static bool dump_capture(const struct gv_input *input, const struct dump_options *o,
                         struct place *place, struct gv_error *err)
{
    struct wanted wanted = { .count = 0 };
    struct gv_call_filter filter = { is_wanted, &wanted, UINT64_MAX };
    const struct gv_compile_params params = {
        .memory_limit = gv_input_memory_left(input, o->mem_mb << 20),
        .strict = o->strict,
        .allow_truncated = o->allow_truncated,
        .mapped = input->file.mapped,
        .verbose = o->verbose,
        .calls = o->calls.count ? &filter : NULL,
    };
    uint64_t total;
    if (o->calls.count && !read_calls(&wanted.set, &o->calls, err))
        return false;
    if (o->calls.count && gv_set_bound(&wanted.set, &total))
        filter.last = total - 1;
    bool ok = gv_capture_dump(input->file.data, input->file.size, &params, write_piece,
                              place, err);
    gv_set_finish(&wanted.set);
    place->nothing = ok && o->calls.count && !wanted.count;
    return ok;
}

static bool dump_payload(const struct gv_input *input, const struct dump_options *o,
                         struct place *place, struct gv_error *err)
{
    struct gv_payload payload = { 0 };
    struct gv_bytes text = { 0 };
    if (o->calls.count || o->verbose)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s is for captures",
                       o->verbose ? "--verbose" : "--calls");
    bool ok =
        gv_payload_open_memory(&payload, input->file.data, input->file.size,
                               gv_input_memory_left(input, o->mem_mb << 20), err) &&
        gv_text_disassemble(&payload, &text, err) && put_text(place, &text, err);
    gv_payload_finish(&payload);
    gv_bytes_finish(&text);
    return ok;
}

static bool dump(const struct gv_input *input, const struct dump_options *o,
                 struct place *place, struct gv_error *err)
{
    if (input->kind == GV_INPUT_PROGRESS)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a progress file; gpuvm info reads it");
    bool ok = input->kind == GV_INPUT_CAPTURE ? dump_capture(input, o, place, err)
                                              : dump_payload(input, o, place, err);
    return ok && open_place(place, err) && gv_output_file_close(&place->file, err) &&
           gv_output_file_keep(&place->file, err);
}

static const struct gv_option options[] = {
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "FILE",
      .offset = GV_OPTION_AT(dump_options, output),
      .help = "where to (standard output)" },
    { .name = "strict",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(dump_options, strict),
      .help = "captures: refuse what is unknown" },
    { .name = "allow-truncated",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(dump_options, allow_truncated),
      .help = "captures: up to the last whole record" },
    { .name = "calls",
      .kind = GV_OPTION_LIST,
      .argument = "SET",
      .offset = GV_OPTION_AT(dump_options, calls),
      .help = "traces of calls: only these; may be repeated (all)" },
    { .name = "verbose",
      .letter = 'v',
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(dump_options, verbose),
      .help = "traces of calls: those too that only ask" },
    GV_OPTION_MEM_MB(dump_options, "private", "1024"),
    GV_OPTION_JSON(dump_options, "print errors as JSON; the text stays text"),
    { 0 },
};

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct dump_options o = { .mem_mb = GV_LOOK_MEM_MB };
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_dump, argc, argv, &o, &operands, &code))
        return code;
    const char *path = operands.items[0];
    gv_bound_memory(o.mem_mb);
    struct gv_error err = GV_ERROR_INIT;
    struct gv_input input;
    struct place place = { 0 };
    if (!gv_input_open(&input, path, o.mem_mb << 20, o.json, &err))
        return gv_report_error(path, &err, GV_PHASE_OPEN, o.json);
    code = GV_EXIT_OK;
    if (input.kind != GV_INPUT_CAPTURE &&
        !gv_options_idle(&operands.given, "strict allow-truncated",
                         "this is no capture", &code)) {
        gv_input_close(&input);
        return code;
    }
    if ((o.output && !gv_guard_output(&input.guard, o.output, &err)) ||
        !gv_output_file_init(&place.file, o.output ? gv_output_name(o.output) : "-",
                             &err))
        code = gv_report_error(NULL, &err, GV_PHASE_OPEN, o.json);
    else if (!dump(&input, &o, &place, &err))
        code = gv_report_error(path, &err, GV_PHASE_LOAD, o.json);
    else if (place.nothing)
        gv_options_idle(&operands.given, "calls", "no call is selected", &code);
    gv_output_file_finish(&place.file);
    gv_input_close(&input);
    return code;
}

const struct gv_command gv_cmd_dump = {
    .name = "dump",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "print a payload as assembly, a capture as records",
    .run = run,
    .options = options,
    .examples = "dump game.trace\n"
                "dump game.gvp -o game.gvt\n"
                "dump game.trace -o game.txt --strict\n",
};
