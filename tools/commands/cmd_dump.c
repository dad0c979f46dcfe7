// `gpuvm dump`: a payload as assembly text, a capture as records and commands.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "resources/base/foreign.h"
#include "tools/input.h"
#include "tools/process/memory_bound.h"
#include "vm/text/text.h"

struct dump_options {
    const char *output;
    uint64_t mem_mb;
    bool strict, allow_truncated, json;
};

static bool make_text(const struct gv_input *input, const struct dump_options *o,
                      struct gv_bytes *text, struct gv_error *err)
{
    const void *data = input->file.data;
    size_t size = input->file.size;
    uint64_t limit = gv_input_memory_left(input, o->mem_mb << 20);
    if (input->kind == GV_INPUT_CAPTURE) {
        const struct gv_compile_params params = { .memory_limit = limit,
                                                  .strict = o->strict,
                                                  .allow_truncated =
                                                      o->allow_truncated };
        return gv_capture_dump(data, size, &params, text, err);
    }
    if (input->kind == GV_INPUT_PROGRESS)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a progress file; gpuvm info reads it");
    struct gv_payload payload = { 0 };
    bool ok = gv_payload_open_memory(&payload, data, size, limit, err) &&
              gv_text_disassemble(&payload, text, err);
    gv_payload_finish(&payload);
    return ok;
}

static bool write_text(struct gv_bytes *text, const char *path, struct gv_error *err)
{
    gv_bytes_u8(text, 0); // which masking wants
    if (text->failed)
        return gv_out_of_memory(err);
    text->size--;
    gv_foreign_mask_lines((char *)text->data, &text->size);
    if (path && strcmp(path, "-") != 0)
        return gv_file_write(path, text->data, text->size, err);
    // A reader that has gone is gv_finish_stdout's.
    if (text->size && fwrite(text->data, 1, text->size, stdout) != text->size &&
        errno != EPIPE)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                       "cannot write standard output: %s", strerror(errno));
    return true;
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
    struct gv_bytes text = { 0 };
    if (!gv_input_open(&input, path, o.mem_mb << 20, o.json, &err))
        return gv_report_error(path, &err, GV_PHASE_OPEN, o.json);
    code = GV_EXIT_OK;
    if (o.output && !gv_guard_output(&input.guard, o.output, &err))
        code = gv_report_error(NULL, &err, GV_PHASE_OPEN, o.json);
    else if (!make_text(&input, &o, &text, &err) || !write_text(&text, o.output, &err))
        code = gv_report_error(path, &err, GV_PHASE_LOAD, o.json);
    gv_bytes_finish(&text);
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
};
