// `gpuvm inspect`: frames, work and objects of a payload, the state at any place of it,
// and what objects hold there (docs/paths.md).
#include <stdio.h>
#include <string.h>

#include "tools/base/cache_folder.h"
#include "tools/input.h"
#include "tools/inspect/inspect_contents.h"
#include "tools/inspect/inspect_sheet.h"
#include "tools/output_file.h"
#include "tools/payload_json.h"
#include "tools/run/run_capture.h"
#include "tools/run/run_file.h"
#include "tools/run/run_options.h"
#include "vm/verify/verify.h"

struct inspect_options {
    struct gv_run_options run; // first: options of the kind are shared
    const char *output, *folder, *range;
};

// ---- without a device ----

// Paths are understood before the file is looked at. `*replayed`: whether one of them
// needs a device.
static bool check_paths(const struct gv_operands *operands, bool *replayed,
                        struct gv_error *err)
{
    struct gv_path path;
    *replayed = false;
    for (size_t i = 1; i < operands->count; i++) {
        if (!gv_path_parse(&path, operands->items[i], err))
            return false;
        *replayed = *replayed || gv_inspect_wants_replay(&path);
    }
    return true;
}

static bool inspect_all(struct gv_sheet *s, struct gv_payload *payload, uint64_t limit,
                        const struct gv_operands *operands, struct gv_error *err)
{
    if (s->json)
        gv_json_array(s->json, "paths");
    bool ok = true;
    for (size_t i = 1; ok && i < operands->count; i++)
        ok = gv_path_parse(&s->path, operands->items[i], err) &&
             gv_sheet_state(s, payload, limit, err);
    if (operands->count == 1) {
        s->path = (struct gv_path){ .place.kind = GV_PLACE_ALL };
        ok = gv_sheet_state(s, payload, limit, err);
    }
    if (s->json)
        gv_json_array_end(s->json);
    return ok;
}

static bool inspect_loaded(const struct inspect_options *o, struct gv_loaded *loaded,
                           uint64_t limit, const struct gv_operands *operands,
                           struct gv_error *err)
{
    struct gv_json json = { 0 };
    struct gv_sheet sheet = { .json = o->run.json ? &json : NULL };
    if (o->run.json) {
        gv_json_result(&json);
        gv_json_text(&json, "status", "ok");
        gv_json_text(&json, "file", o->run.file);
        gv_payload_json(&json, &loaded->payload);
    }
    bool ok = inspect_all(&sheet, &loaded->payload, limit, operands, err);
    if (ok && o->run.json) {
        gv_json_end(&json);
        gv_json_print(&json);
    } else if (ok) {
        fwrite(sheet.text.data, 1, sheet.text.size, stdout);
    }
    ok = ok && (!sheet.text.failed || gv_out_of_memory(err));
    gv_sheet_finish(&sheet);
    gv_json_finish(&json);
    return ok;
}

static enum gv_exit inspect_file(const struct gv_program *program,
                                 const struct gv_input *input,
                                 const struct inspect_options *o,
                                 const struct gv_operands *operands)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_loaded loaded;
    const uint64_t limit = gv_look_bytes(o->run.mem_mb);
    const struct gv_verify_params verify = { .memory_limit =
                                                 gv_declared_bytes(o->run.mem_mb) };
    enum gv_phase phase = GV_PHASE_LOAD;
    const struct gv_compile_params compile = gv_run_compile_params(&o->run, NULL);
    bool ok = gv_loaded_init(&loaded, program, input, limit, &compile, &err);
    phase = ok ? GV_PHASE_CODE : phase;
    ok = ok && gv_verify(&loaded.payload, &verify, &err) &&
         inspect_loaded(o, &loaded, gv_loaded_memory_left(&loaded, input, limit),
                        operands, &err);
    gv_loaded_finish(&loaded);
    return ok ? GV_EXIT_OK : gv_report_error(input->path, &err, phase, o->run.json);
}

static enum gv_exit inspect_state(const struct gv_program *program,
                                  const struct inspect_options *o,
                                  const struct gv_operands *operands)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_input input;
    const uint64_t limit = gv_look_bytes(o->run.mem_mb);
    if (o->output || o->folder)
        return gv_usage(&gv_cmd_inspect, o->run.json,
                        "-o and --dir are for contents, such as f1.d0/color0");
    enum gv_exit code;
    if (!gv_options_idle(&o->run.given,
                         "range store no-prefetch device timeout cache-mb spill-mb "
                         "no-child",
                         "no path asks for contents", &code))
        return code;
    gv_bound_memory(limit >> 20);
    if (!gv_input_open(&input, o->run.file, limit, o->run.json, &err))
        return gv_report_error(o->run.file, &err, GV_PHASE_OPEN, o->run.json);
    code = inspect_file(program, &input, o, operands);
    gv_input_close(&input);
    return code;
}

// ---- with one ----

static enum gv_exit inspect_contents(const struct gv_program *program,
                                     struct inspect_options *o,
                                     const struct gv_operands *operands)
{
    char cache[4096];
    struct gv_inspect_job job = { .operands = operands,
                                  .folder = o->folder,
                                  .range = o->range,
                                  .json = o->run.json };
    if (o->output && (o->folder || operands->count != 2))
        return gv_usage(&gv_cmd_inspect, o->run.json,
                        "-o is for one path; --dir for several");
    job.job.output = o->output ? gv_output_name(o->output) : NULL;
    if (o->run.json && job.job.output && strcmp(job.job.output, "-") == 0)
        return gv_usage(&gv_cmd_inspect, true, "--json goes without -o -");
    o->run.cache = gv_cache_folder(cache, sizeof cache);
    o->run.quiet = true;
    o->run.mem_mb = o->run.mem_mb ? o->run.mem_mb : GV_RUN_MEM_MB;
    gv_inspect_job_init(&job);
    o->run.job = &job.job;
    return gv_run_file(program, &o->run, NULL, -1);
}

// clang-format off
static const struct gv_option options[] = {
    { .name = "output", .letter = 'o', .kind = GV_OPTION_TEXT, .argument = "FILE",
      .offset = GV_OPTION_AT(inspect_options, output),
      .help = "contents go there: a picture (.png, .ppm) or bytes (.raw)" },
    { .name = "dir", .kind = GV_OPTION_TEXT, .argument = "FOLDER",
      .offset = GV_OPTION_AT(inspect_options, folder),
      .help = "contents of all paths go there, by names of paths" },
    { .name = "range", .kind = GV_OPTION_TEXT, .argument = "LOW,HIGH",
      .offset = GV_OPTION_AT(inspect_options, range),
      .help = "numbers that pictures show as black and white", .needs = "output dir" },
    GV_RUN_OPTIONS_FROM(GV_NEEDS_URL),
    GV_RUN_OPTIONS_BOUNDS,
    GV_RUN_OPTIONS_CAPTURE,
    GV_OPTION_NO_CHILD(gv_run_options),
    GV_OPTION_JSON(gv_run_options, "print JSON"),
    { 0 },
};
// clang-format on

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct inspect_options o = { .run = GV_RUN_DEFAULTS };
    static struct gv_operands operands;
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit code;
    bool replayed;
    o.run.mem_mb = 0;
    if (!gv_options_parse(program, &gv_cmd_inspect, argc, argv, &o, &operands, &code))
        return code;
    if (!check_paths(&operands, &replayed, &err))
        return gv_report_error(NULL, &err, GV_PHASE_OPEN, o.run.json);
    o.run.file = operands.items[0];
    o.run.given = operands.given;
    return replayed ? inspect_contents(program, &o, &operands)
                    : inspect_state(program, &o, &operands);
}

const struct gv_command gv_cmd_inspect = {
    .name = "inspect",
    .operands = "FILE [PATH]...",
    .operand_min = 1,
    .operand_max = GV_OPERANDS_MAX,
    .what = "show frames, work, objects, and state and contents at any place",
    .run = run,
    .options = options,
    .examples = "inspect game.gvp\n"
                "inspect game.gvp f1/\n"
                "inspect game.gvp f1.d0 f1/objects --json\n"
                "inspect game.gvp f1.d0/color0 -o color.png\n",
    .notes =
        "PATH: fN (the end of a frame), fN.dN (behind its draw or dispatch N), fN.pN\n"
        "(behind its pass N), cN (behind a command) or end, ^ in front of it for\n"
        "before; then /state, /state.NAME, /objects, or / for a list; or contents, "
        "which\n"
        "need a device: /color0, /depth, /stencil, /display, /tex.S.B, /vb0, /ib, "
        "/oN,\n"
        "with .mipN .layerN .sampleN [x,y,WxH] [OFFSET+SIZE] :f32x4 behind them.\n",
};
