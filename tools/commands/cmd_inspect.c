// `gpuvm inspect`: frames, work and objects of a payload, and the state at any place of
// it, without a GPU (docs/paths.md).
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/json.h"
#include "tools/input.h"
#include "tools/inspect/uniform_bytes.h"
#include "tools/nearest.h"
#include "tools/payload_json.h"
#include "tools/process/memory_bound.h"
#include "vm/formats.h"
#include "vm/inspect/inspect.h"
#include "vm/verify/verify.h"

#define BYTES_SHOWN 16 // of a row among others

struct inspect_options {
    uint64_t mem_mb;
    bool json;
};

// What a path is about, and where its rows go.
struct sheet {
    struct gv_json *json; // NULL: text
    struct gv_bytes values;
    struct gv_path path;
    char place[GV_PATH_TEXT];
    const char *wanted; // the one row of the state; NULL: all
    bool names_alone;   // rows are listed
    struct gv_nearest nearest;
    char near[GV_STATE_NAME]; // what it found
    uint64_t rows;
    // Uniform bytes that are computed: found when first wanted.
    struct gv_payload *payload; // borrowed
    uint64_t limit;             // bytes
    struct gv_uniforms uniforms;
    bool sought;
};

// ---- rows ----

struct row {
    const char *name, *call; // `call` may be NULL
    uint64_t command;
    bool maybe;
};

static void put_text_row(const struct sheet *s, const struct row *row)
{
    printf("%s\tcommand %" PRIu64 "\t%s%s\t%.*s\n", row->name, row->command,
           row->call ? row->call : "-", row->maybe ? " (maybe)" : "",
           (int)s->values.size, s->values.size ? (const char *)s->values.data : "");
}

static void put_value(struct sheet *s, const char *name, const char *value)
{
    if (s->json)
        gv_json_text(s->json, name, value);
    else
        gv_bytes_printf(&s->values, "%s%s=%s", s->values.size ? " " : "", name, value);
}

static void put_number(struct sheet *s, const char *name, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    put_value(s, name, text);
}

// Between both the values are put.
static void begin_row(struct sheet *s, const struct row *row)
{
    s->rows++;
    s->values.size = 0;
    if (!s->json)
        return;
    gv_json_begin(s->json, NULL);
    gv_json_text(s->json, "name", row->name);
    gv_json_number(s->json, "command", row->command);
    if (row->call)
        gv_json_text(s->json, "call", row->call);
    if (row->maybe)
        gv_json_bool(s->json, "maybe", true);
    gv_json_begin(s->json, "values");
}

static bool end_row(struct sheet *s, const struct row *row, struct gv_error *err)
{
    if (s->json) {
        gv_json_end(s->json);
        gv_json_end(s->json);
    } else {
        put_text_row(s, row);
    }
    return !s->values.failed || gv_out_of_memory(err);
}

// ---- what rows are of ----

// Bytes of a row that no constant holds. NULL: they cannot be had, as where resources
// that they are computed from are elsewhere.
static const uint8_t *find_bytes(struct sheet *s, const struct gv_state_row *r)
{
    if (r->call != &gv_call_infos[GV_CALL_bind_uniform_bytes] || r->bytes)
        return r->bytes;
    if (!s->sought &&
        !gv_uniforms_find(&s->uniforms, s->payload, &s->path.place, s->limit, NULL))
        gv_uniforms_finish(&s->uniforms);
    s->sought = true;
    const struct gv_uniform *u =
        gv_uniforms_at(&s->uniforms, r->args[0].u, r->args[1].u);
    return u && u->command == r->command && u->bytes.size == r->args[3].u
               ? u->bytes.data
               : NULL;
}

static bool put_arguments(struct sheet *s, const struct gv_state_row *given,
                          struct gv_error *err)
{
    struct gv_bytes value = { 0 };
    struct gv_state_row row = *given;
    const struct gv_state_row *r = &row;
    row.bytes = find_bytes(s, given);
    for (size_t i = 0; i < r->call->arg_count; i++) {
        if (r->call->args[i].kind == GV_ARG_SIZE) // is told with the bytes
            continue;
        value.size = 0;
        gv_state_value(r, i, s->wanted ? UINT64_MAX : BYTES_SHOWN, &value);
        gv_bytes_u8(&value, 0);
        if (!value.failed)
            put_value(s, r->call->args[i].name, (const char *)value.data);
    }
    const bool ok = !value.failed || gv_out_of_memory(err);
    gv_bytes_finish(&value);
    return ok;
}

static bool put_call(struct sheet *s, const char *name, const struct gv_state_row *r,
                     struct gv_error *err)
{
    const struct row row = { name, r->call->name, r->command, r->maybe };
    begin_row(s, &row);
    return (s->names_alone || put_arguments(s, r, err)) && end_row(s, &row, err);
}

static bool put_state(void *context, const struct gv_state_row *r, struct gv_error *err)
{
    struct sheet *s = context;
    char name[GV_PATH_TEXT + GV_STATE_NAME + 8];
    gv_nearest_offer(&s->nearest, r->name);
    if (s->nearest.best == r->name) // which is gone behind this
        s->nearest.best = strcpy(s->near, r->name);
    if (s->wanted && strcmp(s->wanted, r->name) != 0)
        return true;
    snprintf(name, sizeof name, "%s/state.%s", s->place, r->name);
    return put_call(s, name, r, err);
}

static bool put_work(void *context, const struct gv_state_row *r, struct gv_error *err)
{
    struct sheet *s = context;
    char name[GV_STATE_NAME + 32];
    snprintf(name, sizeof name, "f%" PRIu64 ".%s", s->path.place.frame, r->name);
    return put_call(s, name, r, err);
}

static void put_image(struct sheet *s, const struct gv_track_object *o)
{
    const struct gv_format_info *format = gv_format_info(o->image.format);
    put_value(s, "format", format ? format->name : "none");
    put_number(s, "width", o->image.width);
    put_number(s, "height", o->image.height);
    put_number(s, "depth", o->image.depth);
    put_number(s, "mips", o->image.mips);
    put_number(s, "layers", o->image.layers);
    put_number(s, "samples", o->image.samples);
}

static bool put_object(void *context, uint64_t number, uint64_t command,
                       const struct gv_track_object *o, struct gv_error *err)
{
    static const char *const kinds[] = {
        [GV_KIND_BUFFER] = "buffer",     [GV_KIND_IMAGE] = "image",
        [GV_KIND_SAMPLER] = "sampler",   [GV_KIND_SHADER] = "shader",
        [GV_KIND_PIPELINE] = "pipeline", [GV_KIND_QUERY] = "query",
        [GV_KIND_MAP] = "map",
    };
    struct sheet *s = context;
    char name[24];
    snprintf(name, sizeof name, "o%" PRIu64, number);
    const struct row row = { name, NULL, command, false };
    begin_row(s, &row);
    put_value(s, "kind", kinds[o->kind]);
    if (o->kind == GV_KIND_IMAGE)
        put_image(s, o);
    else if (o->kind == GV_KIND_BUFFER)
        put_number(s, "bytes", o->size);
    else if (o->kind == GV_KIND_QUERY)
        put_number(s, "slots", o->size);
    return end_row(s, &row, err);
}

static bool put_frames(struct sheet *s, const struct gv_payload *p,
                       struct gv_error *err)
{
    for (size_t i = 0; i < p->frame_count; i++) {
        const struct gv_frame *f = &p->frames[i];
        char name[24];
        snprintf(name, sizeof name, "f%zu", i);
        const struct row row = { name, NULL, f->command_begin, false };
        begin_row(s, &row);
        put_number(s, "commands", f->command_end - f->command_begin);
        put_number(s, "width", f->width);
        put_number(s, "height", f->height);
        if (!end_row(s, &row, err))
            return false;
    }
    return true;
}

// ---- one path ----

static bool put_one_state(struct sheet *s, struct gv_inspect *in, struct gv_error *err)
{
    s->wanted = s->path.word[5] == '.' ? s->path.word + 6 : NULL;
    gv_nearest_init(&s->nearest, s->wanted ? s->wanted : "",
                    s->wanted ? strlen(s->wanted) : 0);
    if (!gv_inspect_each_row(in, put_state, s, err))
        return false;
    if (s->rows || !s->wanted)
        return true;
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.48s: %.40s is not set there%s%s",
                   s->place, s->wanted, s->nearest.best ? "; the nearest is " : "",
                   s->nearest.best ? s->nearest.best : "");
}

static bool put_word(struct sheet *s, struct gv_inspect *in, struct gv_error *err)
{
    const char *word = s->path.word;
    if (strcmp(word, "objects") == 0)
        return gv_inspect_each_object(in, put_object, s, err);
    if (*word)
        return put_one_state(s, in, err);
    s->wanted = NULL;
    if (s->path.place.kind == GV_PLACE_FRAME && !s->path.place.before)
        return gv_inspect_each_work(in, s->path.place.frame, put_work, s, err);
    s->names_alone = true;
    return gv_inspect_each_row(in, put_state, s, err);
}

static bool inspect_path(struct sheet *s, struct gv_payload *payload, uint64_t limit,
                         struct gv_error *err)
{
    struct gv_inspect in = { 0 };
    char text[GV_PATH_TEXT];
    gv_path_print(&s->path, text);
    gv_place_print(&s->path.place, s->place);
    s->rows = 0;
    s->payload = payload;
    s->limit = limit;
    s->names_alone = false;
    if (s->json) {
        gv_json_begin(s->json, NULL);
        gv_json_text(s->json, "path", text);
        gv_json_array(s->json, "rows");
    }
    bool ok = s->path.place.kind == GV_PLACE_ALL
                  ? put_frames(s, payload, err)
                  : gv_inspect_go(&in, payload, &s->path.place, limit, err) &&
                        put_word(s, &in, err);
    gv_inspect_finish(&in);
    gv_uniforms_finish(&s->uniforms);
    s->sought = false;
    if (s->json) {
        gv_json_array_end(s->json);
        gv_json_end(s->json);
    }
    return ok;
}

// ---- the command ----

// Paths are understood before the file is looked at.
static bool check_paths(const struct gv_operands *operands, struct gv_error *err)
{
    struct gv_path path;
    for (size_t i = 1; i < operands->count; i++)
        if (!gv_path_parse(&path, operands->items[i], err))
            return false;
    return true;
}

static bool inspect_all(struct sheet *s, struct gv_payload *payload, uint64_t limit,
                        const struct gv_operands *operands, struct gv_error *err)
{
    if (s->json)
        gv_json_array(s->json, "paths");
    bool ok = true;
    for (size_t i = 1; ok && i < operands->count; i++)
        ok = gv_path_parse(&s->path, operands->items[i], err) &&
             inspect_path(s, payload, limit, err);
    if (operands->count == 1) {
        s->path = (struct gv_path){ .place.kind = GV_PLACE_ALL };
        ok = inspect_path(s, payload, limit, err);
    }
    if (s->json)
        gv_json_array_end(s->json);
    return ok;
}

static enum gv_exit inspect_file(const struct gv_program *program,
                                 const struct gv_input *input,
                                 const struct inspect_options *o,
                                 const struct gv_operands *operands)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_loaded loaded;
    struct gv_json json = { 0 };
    struct sheet sheet = { .json = o->json ? &json : NULL };
    const uint64_t limit = gv_look_bytes(o->mem_mb);
    const struct gv_verify_params verify = { .memory_limit =
                                                 gv_declared_bytes(o->mem_mb) };
    enum gv_phase phase = GV_PHASE_LOAD;
    if (o->json) {
        gv_json_result(&json);
        gv_json_text(&json, "status", "ok");
        gv_json_text(&json, "file", input->path);
    }
    bool ok = gv_loaded_init(&loaded, program, input, limit, NULL, &err);
    if (ok && o->json)
        gv_payload_json(&json, &loaded.payload);
    phase = ok ? GV_PHASE_CODE : phase;
    ok = ok && gv_verify(&loaded.payload, &verify, &err);
    ok =
        ok && inspect_all(&sheet, &loaded.payload,
                          gv_loaded_memory_left(&loaded, input, limit), operands, &err);
    if (ok && o->json) {
        gv_json_end(&json);
        gv_json_print(&json);
    }
    gv_bytes_finish(&sheet.values);
    gv_json_finish(&json);
    gv_loaded_finish(&loaded);
    return ok ? GV_EXIT_OK : gv_report_error(input->path, &err, phase, o->json);
}

static const struct gv_option options[] = {
    GV_OPTION_MEM_MB(inspect_options, "private", "1024"),
    GV_OPTION_JSON(inspect_options, "print JSON"),
    { 0 },
};

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct inspect_options o = { 0 };
    static struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_inspect, argc, argv, &o, &operands, &code))
        return code;
    struct gv_error err = GV_ERROR_INIT;
    struct gv_input input;
    const uint64_t limit = gv_look_bytes(o.mem_mb);
    if (!check_paths(&operands, &err))
        return gv_report_error(NULL, &err, GV_PHASE_OPEN, o.json);
    gv_bound_memory(limit >> 20);
    if (!gv_input_open(&input, operands.items[0], limit, o.json, &err))
        return gv_report_error(operands.items[0], &err, GV_PHASE_OPEN, o.json);
    code = inspect_file(program, &input, &o, &operands);
    gv_input_close(&input);
    return code;
}

const struct gv_command gv_cmd_inspect = {
    .name = "inspect",
    .operands = "FILE [PATH]...",
    .operand_min = 1,
    .operand_max = GV_OPERANDS_MAX,
    .what = "show frames, work, objects and the state at any place, without a GPU",
    .run = run,
    .options = options,
    .examples = "inspect game.gvp\n"
                "inspect game.gvp f1/\n"
                "inspect game.gvp f1.d0 f1/objects --json\n",
    .notes =
        "PATH: fN (the end of a frame), fN.dN (behind its draw or dispatch N), fN.pN\n"
        "(behind its pass N), cN (behind a command) or end, ^ in front of it for\n"
        "before; then /state, /state.NAME, /objects, or / for a list.\n",
};
