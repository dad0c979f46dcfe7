#include "tools/inspect/inspect_sheet.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "vm/formats.h"
#include "vm/inspect/dead_work.h"

#define BYTES_SHOWN 16 // of a row among others

// ---- rows ----

static void put_text_row(struct gv_sheet *s, const struct gv_sheet_row *row)
{
    gv_bytes_printf(&s->text, "%s\tcommand %" PRIu64 "\t%s%s\t%.*s\n", row->name,
                    row->command, row->call ? row->call : "-",
                    row->maybe ? " (maybe)" : "", (int)s->values.size,
                    s->values.size ? (const char *)s->values.data : "");
}

void gv_sheet_value(struct gv_sheet *s, const char *name, const char *value)
{
    if (s->json)
        gv_json_text(s->json, name, value);
    else
        gv_bytes_printf(&s->values, "%s%s=%s", s->values.size ? " " : "", name, value);
}

void gv_sheet_number(struct gv_sheet *s, const char *name, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    gv_sheet_value(s, name, text);
}

// Between both the values are put.
void gv_sheet_begin(struct gv_sheet *s, const struct gv_sheet_row *row)
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

bool gv_sheet_end(struct gv_sheet *s, const struct gv_sheet_row *row,
                  struct gv_error *err)
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
static const uint8_t *find_bytes(struct gv_sheet *s, const struct gv_state_row *r)
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

static bool put_arguments(struct gv_sheet *s, const struct gv_state_row *given,
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
            gv_sheet_value(s, r->call->args[i].name, (const char *)value.data);
    }
    const bool ok = !value.failed || gv_out_of_memory(err);
    gv_bytes_finish(&value);
    return ok;
}

static bool put_call(struct gv_sheet *s, const char *name, const struct gv_state_row *r,
                     struct gv_error *err)
{
    const struct gv_sheet_row row = { name, r->call->name, r->command, r->maybe };
    gv_sheet_begin(s, &row);
    return (s->names_alone || put_arguments(s, r, err)) && gv_sheet_end(s, &row, err);
}

static bool put_state(void *context, const struct gv_state_row *r, struct gv_error *err)
{
    struct gv_sheet *s = context;
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
    struct gv_sheet *s = context;
    char name[GV_STATE_NAME + 32];
    snprintf(name, sizeof name, "f%" PRIu64 ".%s", s->path.place.frame, r->name);
    return put_call(s, name, r, err);
}

static void put_image(struct gv_sheet *s, const struct gv_track_object *o)
{
    const struct gv_format_info *format = gv_format_info(o->image.format);
    gv_sheet_value(s, "format", format ? format->name : "none");
    gv_sheet_number(s, "width", o->image.width);
    gv_sheet_number(s, "height", o->image.height);
    gv_sheet_number(s, "depth", o->image.depth);
    gv_sheet_number(s, "mips", o->image.mips);
    gv_sheet_number(s, "layers", o->image.layers);
    gv_sheet_number(s, "samples", o->image.samples);
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
    struct gv_sheet *s = context;
    char name[24];
    snprintf(name, sizeof name, "o%" PRIu64, number);
    const struct gv_sheet_row row = { name, NULL, command, false };
    gv_sheet_begin(s, &row);
    gv_sheet_value(s, "kind", kinds[o->kind]);
    if (o->kind == GV_KIND_IMAGE)
        put_image(s, o);
    else if (o->kind == GV_KIND_BUFFER)
        gv_sheet_number(s, "bytes", o->size);
    else if (o->kind == GV_KIND_QUERY)
        gv_sheet_number(s, "slots", o->size);
    return gv_sheet_end(s, &row, err);
}

static bool put_frames(struct gv_sheet *s, const struct gv_payload *p,
                       struct gv_error *err)
{
    for (size_t i = 0; i < p->frame_count; i++) {
        const struct gv_frame *f = &p->frames[i];
        char name[24];
        snprintf(name, sizeof name, "f%zu", i);
        const struct gv_sheet_row row = { name, NULL, f->command_begin, false };
        gv_sheet_begin(s, &row);
        gv_sheet_number(s, "commands", f->command_end - f->command_begin);
        gv_sheet_number(s, "width", f->width);
        gv_sheet_number(s, "height", f->height);
        if (!gv_sheet_end(s, &row, err))
            return false;
    }
    return true;
}

static bool put_dead(void *context, const struct gv_state_row *r, struct gv_error *err)
{
    struct gv_sheet *s = context;
    const struct gv_sheet_row row = { r->name, r->call->name, r->command, r->maybe };
    gv_sheet_begin(s, &row);
    return gv_sheet_end(s, &row, err);
}

// ---- one path ----

static bool put_one_state(struct gv_sheet *s, struct gv_inspect *in,
                          struct gv_error *err)
{
    s->wanted = s->path.word[5] == '.' ? s->path.word + 6 : NULL;
    gv_nearest_init(&s->nearest, s->wanted ? s->wanted : "",
                    s->wanted ? strlen(s->wanted) : 0);
    if (!gv_inspect_each_row(in, put_state, s, err))
        return false;
    if (s->rows || !s->wanted)
        return true;
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.48s: %s%.40s%s%s%s", s->place,
                   gv_state_is_known(s->wanted) ? "" : "there is no state ", s->wanted,
                   gv_state_is_known(s->wanted) ? " is not set there" : "",
                   s->nearest.best ? "; the nearest is " : "",
                   s->nearest.best ? s->nearest.best : "");
}

static bool put_word(struct gv_sheet *s, struct gv_inspect *in, struct gv_error *err)
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

void gv_sheet_open(struct gv_sheet *s)
{
    char text[GV_PATH_TEXT];
    gv_path_print(&s->path, text);
    gv_place_print(&s->path.place, s->place);
    s->rows = 0;
    if (!s->json)
        return;
    gv_json_begin(s->json, NULL);
    gv_json_text(s->json, "path", text);
    gv_json_array(s->json, "rows");
}

void gv_sheet_close(struct gv_sheet *s)
{
    if (!s->json)
        return;
    gv_json_array_end(s->json);
    gv_json_end(s->json);
}

void gv_sheet_finish(struct gv_sheet *s)
{
    gv_bytes_finish(&s->values);
    gv_bytes_finish(&s->text);
}

bool gv_sheet_state(struct gv_sheet *s, struct gv_payload *payload, uint64_t limit,
                    struct gv_error *err)
{
    struct gv_inspect in = { 0 };
    s->payload = payload;
    s->limit = limit;
    s->names_alone = false;
    gv_sheet_open(s);
    bool ok =
        s->path.place.kind == GV_PLACE_ALL
            ? (*s->path.word ? gv_inspect_each_dead(payload, limit, put_dead, s, err)
                             : put_frames(s, payload, err))
            : gv_inspect_go(&in, payload, &s->path.place, limit, err) &&
                  put_word(s, &in, err);
    gv_inspect_finish(&in);
    gv_uniforms_finish(&s->uniforms);
    s->sought = false;
    gv_sheet_close(s);
    return ok;
}
