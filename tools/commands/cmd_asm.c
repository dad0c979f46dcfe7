// `gpuvm asm`: assembly text, as `dump` prints it, becomes a payload.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/json.h"
#include "tools/input.h"
#include "tools/output_file.h"
#include "tools/process/memory_bound.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

struct asm_options {
    const char *output, *resources, *include;
    uint64_t mem_mb;
    bool unverified, json;
};

// What is written can be run: not every text that assembles makes sense. How much it
// may declare is for those who run it to say.
static bool verify(const struct gv_bytes *bytes, struct gv_error *err)
{
    struct gv_payload payload = { 0 };
    bool ok = gv_payload_open_memory(&payload, bytes->data, bytes->size, 0, err) &&
              gv_verify(&payload, &(struct gv_verify_params){ .memory_limit = 0 }, err);
    gv_payload_finish(&payload);
    return ok;
}

// The folder of the text: `file "name"` counts from there.
static const char *folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash - path) >= size)
        return NULL;
    snprintf(folder, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return folder;
}

static void guard_include(void *guard, const char *path)
{
    gv_guard_input(guard, path);
}

static bool is_no_input(struct gv_input_guard *guard, const char *output,
                        struct gv_error *err)
{
    return gv_guard_check(guard, "-", err) && gv_guard_check(guard, output, err);
}

static enum gv_exit assemble(const struct asm_options *o, const char *path)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_input text, from = { 0 };
    struct gv_payload resources = { 0 };
    const uint64_t limit = o->mem_mb << 20;
    struct gv_bytes out = { 0 };
    char folder[4096];
    gv_bound_memory(o->mem_mb);
    if (!gv_input_open(&text, path, limit, o->json, &err))
        return gv_report_error(path, &err, GV_PHASE_OPEN, o->json);
    const struct gv_assemble_params params = {
        .resources = o->resources ? &resources : NULL,
        .include_folder =
            o->include ? o->include : folder_of(path, folder, sizeof folder),
        .included = guard_include,
        .context = &text.guard,
        .data_max = limit < SIZE_MAX ? (size_t)limit : SIZE_MAX,
    };
    gv_guard_input(&text.guard, o->resources);
    enum gv_exit code = GV_EXIT_OK;
    if (!is_no_input(&text.guard, o->output, &err))
        code = gv_report_error(NULL, &err, GV_PHASE_OPEN, o->json);
    else if (o->resources && !gv_input_open(&from, o->resources, limit, o->json, &err))
        code = gv_report_error(o->resources, &err, GV_PHASE_OPEN, o->json);
    else if (o->resources && !gv_payload_open_memory(&resources, from.file.data,
                                                     from.file.size, limit, &err))
        code = gv_report_error(o->resources, &err, GV_PHASE_LOAD, o->json);
    else if (!gv_text_assemble((const char *)text.file.data, text.file.size, &params,
                               &out, &err))
        // NOLINTNEXTLINE(bugprone-branch-clone): what is written is verified before
        code = gv_report_error(path, &err, GV_PHASE_LOAD, o->json);
    else if (!o->unverified && !verify(&out, &err))
        code = gv_report_error(path, &err, GV_PHASE_CODE, o->json);
    else if (!is_no_input(&text.guard, o->output, &err) || // now that all are known
             !gv_output_file_put(o->output, out.data, out.size, &err))
        code = gv_report_error(path, &err, GV_PHASE_LOAD, o->json);
    if (code == GV_EXIT_OK && o->json) {
        struct gv_json json = { 0 };
        gv_json_result(&json);
        gv_json_text(&json, "status", "ok");
        gv_json_text(&json, "file", o->output);
        gv_json_number(&json, "output_bytes", out.size);
        gv_json_end(&json);
        gv_json_print(&json);
    }
    gv_bytes_finish(&out);
    gv_payload_finish(&resources);
    gv_input_close(&from);
    gv_input_close(&text);
    return code;
}

static const struct gv_option options[] = {
    { .name = "output",
      .letter = 'o',
      .kind = GV_OPTION_TEXT,
      .argument = "PAYLOAD",
      .offset = GV_OPTION_AT(asm_options, output),
      .help = "where to; `-` is standard output (needed)" },
    { .name = "resources",
      .kind = GV_OPTION_TEXT,
      .argument = "PAYLOAD",
      .offset = GV_OPTION_AT(asm_options, resources),
      .help = "take resource bytes that the text names by id from there" },
    { .name = "include",
      .kind = GV_OPTION_TEXT,
      .argument = "DIR",
      .offset = GV_OPTION_AT(asm_options, include),
      .help = "where files named in the text are (beside the text)" },
    { .name = "unverified",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(asm_options, unverified),
      .help = "write also what verify refuses, to test who reads it" },
    GV_OPTION_MEM_MB(asm_options, "private", "4096"),
    GV_OPTION_JSON(asm_options, "print the result as JSON"),
    { 0 },
};

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct asm_options o = { .mem_mb = GV_RUN_MEM_MB };
    struct gv_operands operands;
    enum gv_exit code;
    const struct gv_command *self = &gv_cmd_asm;
    if (!gv_options_parse(program, self, argc, argv, &o, &operands, &code))
        return code;
    o.output = gv_output_name(o.output);
    if (!o.output)
        return gv_usage(self, o.json, "-o PAYLOAD is needed");
    if (o.json && strcmp(o.output, "-") == 0)
        return gv_usage(self, o.json, "--json needs the payload in a file");
    return assemble(&o, operands.items[0]);
}

const struct gv_command gv_cmd_asm = {
    .name = "asm",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "assemble text into a payload",
    .run = run,
    .options = options,
    .examples = "asm game.gvt --resources game.gvp -o again.gvp\n"
                "asm game.gvt --resources game.gvp -o - >again.gvp\n"
                "asm game.gvt --resources game.gvp -o again.gvp --json\n",
};
