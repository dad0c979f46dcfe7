#include "vm/edit/edit_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/inspect/inspect.h"

// A place in front of work, and the unit of that.
struct spot {
    struct gv_inspect in; // stands there
    uint32_t unit;
    const char *wanted; // name of a row of the state
    struct gv_state_row row;
    bool found, maybe;
};

static bool unsupported(const char *what, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: edit of %s",
                   what);
}

static bool go(struct spot *s, const struct gv_editor *e, const struct gv_place *place,
               struct gv_error *err)
{
    struct gv_place front = *place;
    front.before = true;
    *s = (struct spot){ 0 };
    if (!gv_inspect_go(&s->in, e->params->payload, &front, e->params->memory_limit,
                       err))
        return false;
    s->unit = s->in.done;
    return true;
}

// ---- state ----

static bool pick_row(void *context, const struct gv_state_row *row,
                     struct gv_error *err)
{
    (void)err;
    struct spot *s = context;
    if (strcmp(row->name, s->wanted) != 0)
        return true;
    s->maybe |= row->maybe || s->found;
    s->found = true;
    s->row = *row;
    return true;
}

static bool find_row(struct spot *s, const char *name, struct gv_error *err)
{
    s->wanted = name;
    s->found = s->maybe = false;
    if (!gv_inspect_each_row(&s->in, pick_row, s, err))
        return false;
    return !s->maybe || unsupported("state that depends on the device", err);
}

// Whether a slot holds what it held when the setter ran.
static bool still_holds(const struct gv_track *t, uint32_t slot, uint32_t setter)
{
    const uint32_t object = t->slots[slot];
    return !object || t->objects[object].create_unit == GV_TRACK_NONE ||
           t->objects[object].create_unit < setter;
}

// Of a stencil row the face, GV_FACE_*; 0: of all others.
static uint8_t face_of_row(const struct gv_state_row *row)
{
    const char *face = strrchr(row->name, '.');
    const uint8_t call = (uint8_t)(row->call - gv_call_infos);
    if (!face ||
        (call != GV_CALL_set_stencil_masks && call != GV_CALL_set_stencil_reference))
        return 0;
    return strcmp(face, ".back") == 0 ? GV_FACE_BACK : GV_FACE_FRONT;
}

// The call that set the row, as it can be made once more behind the place.
static bool call_of_row(struct spot *s, struct gv_edit_call *call, struct gv_error *err)
{
    struct gv_track *t = s->in.track;
    if (!gv_edit_enter(t, s->row.unit, err))
        return false;
    const struct gv_unit_op *op = &t->unit.ops[s->row.op];
    const struct gv_call_info *info = s->row.call;
    *call = (struct gv_edit_call){ .call = op->call };
    memcpy(call->args, op->args, sizeof call->args);
    for (size_t i = 0; i < info->arg_count; i++) {
        const struct gv_unit_cell *cell = &call->args[i];
        if (cell->type == GV_UNIT_HANDLE && !still_holds(t, cell->index, s->row.unit))
            return unsupported("what is bound there and gone from its slot", err);
        if (info->args[i].kind == GV_ARG_BYTES && cell->type != GV_UNIT_CONST &&
            cell->type != GV_UNIT_RESOURCE)
            return unsupported("bytes that are computed", err);
    }
    // It may have set both faces, of which the other has been set anew since.
    const uint8_t face = face_of_row(&s->row);
    if (face)
        call->args[0] = (struct gv_unit_cell){ face, 0, GV_UNIT_KNOWN };
    return true;
}

static struct gv_edit_state *state_at(struct gv_editor *e, size_t number)
{
    return (struct gv_edit_state *)(void *)e->states.data + number;
}

// The state of a row at the spot, to be changed. Its number.
static bool take_state(struct gv_editor *e, struct spot *s, size_t *number,
                       struct gv_error *err)
{
    struct gv_edit_state state = { .unit = s->unit,
                                   .setter = s->row.unit,
                                   .op = s->row.op,
                                   .face = face_of_row(&s->row) };
    const size_t count = e->states.size / sizeof state;
    for (*number = 0; *number < count; ++*number) {
        const struct gv_edit_state *known = state_at(e, *number);
        if (known->unit == s->unit && known->setter == state.setter &&
            known->op == state.op && known->face == state.face)
            return true;
    }
    if (!call_of_row(s, &state.back, err))
        return false;
    state.set = state.back;
    gv_bytes_put(&e->states, &state, sizeof state);
    return !e->states.failed || gv_out_of_memory(err);
}

static bool set_argument(struct gv_edit_call *call, const char *name, const char *value,
                         struct gv_error *err)
{
    const struct gv_call_info *info = &gv_call_infos[call->call];
    for (size_t i = 0; i < info->arg_count; i++) {
        uint64_t cell;
        if (strcmp(info->args[i].name, name) != 0)
            continue;
        if (!gv_edit_value_parse(&info->args[i], value, &cell, err))
            return false;
        call->args[i] = (struct gv_unit_cell){ cell, 0, GV_UNIT_KNOWN };
        return true;
    }
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s has no '%.48s'", info->name,
                   name);
}

// Which state a call sets is none of its values: with another number it would set what
// nothing behind the work sets back.
static bool is_number_of_state(const struct gv_call_info *info, const char *name)
{
    for (size_t i = 0; i < info->arg_count; i++)
        if (strcmp(info->args[i].name, name) == 0)
            return info->args[i].role == GV_ROLE_INDEX;
    return false;
}

// "viewport0.width".
static bool edit_state(struct gv_editor *e, struct spot *s, const char *field,
                       const char *value, struct gv_error *err)
{
    char name[GV_EDIT_FIELD];
    size_t number;
    const char *dot = strrchr(field, '.');
    if (!dot)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "state.%.48s: a value of it is to be named", field);
    snprintf(name, sizeof name, "%.*s", (int)(dot - field), field);
    if (!find_row(s, name, err))
        return false;
    if (!s->found)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "state.%.48s is not set there",
                       name);
    if (is_number_of_state(s->row.call, dot + 1))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "state.%.48s: '%.48s' says which state it is, and stays", name,
                       dot + 1);
    return take_state(e, s, &number, err) &&
           set_argument(&state_at(e, number)->set, dot + 1, value, err);
}

// ---- twins ----

static struct gv_edit_twin *twin_at(struct gv_editor *e, size_t number)
{
    return (struct gv_edit_twin *)(void *)e->twins.data + number;
}

static struct gv_edit_twin *find_twin(struct gv_editor *e, size_t state)
{
    for (size_t i = 0; i < e->twins.size / sizeof(struct gv_edit_twin); i++)
        if (twin_at(e, i)->state == state)
            return twin_at(e, i);
    return NULL;
}

// Of what argument `arg` of a state binds.
static bool take_twin(struct gv_editor *e, struct spot *s, size_t state, size_t arg,
                      struct gv_edit_twin **out, struct gv_error *err)
{
    struct gv_edit_twin *known = find_twin(e, state);
    struct gv_edit_twin twin = { .state = (uint32_t)state };
    struct gv_unit_cell *cell = &state_at(e, state)->set.args[arg];
    if (!known) {
        if (cell->type != GV_UNIT_HANDLE)
            return unsupported("what is not bound there", err);
        const uint32_t object = s->in.track->slots[cell->index];
        if (!gv_edit_maker(e, object, &twin.maker, err))
            return false;
        if (!gv_edit_call_now(e, twin.maker, &twin.create, err))
            return false;
        cell->index = gv_edit_slot(
            &e->code, (enum gv_kind)gv_call_infos[twin.create.call].result);
        twin.create.store = cell->index + 1;
        gv_bytes_put(&e->twins, &twin, sizeof twin);
        if (e->twins.failed)
            return gv_out_of_memory(err);
        known = find_twin(e, state);
    }
    *out = known;
    return true;
}

static bool pipeline_twin(struct gv_editor *e, struct spot *s,
                          struct gv_edit_twin **out, struct gv_error *err)
{
    size_t state;
    if (!gv_edit_enter(s->in.track, s->unit, err))
        return false;
    const struct gv_unit_op *work = gv_track_work(&s->in.track->unit);
    const bool compute = work && (work->call == GV_CALL_dispatch ||
                                  work->call == GV_CALL_dispatch_indirect);
    if (!find_row(s, compute ? "compute_pipeline" : "pipeline", err))
        return false;
    if (!s->found)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no pipeline is bound there");
    return take_state(e, s, &state, err) && take_twin(e, s, state, 0, out, err);
}

// "2.0.0.min_filter": of a texture, or a sampler on its own.
static bool edit_sampler(struct gv_editor *e, struct spot *s, const char *field,
                         const char *value, struct gv_error *err)
{
    static const char *const words[] = { "tex", "sampler" };
    const char *end = field;
    char name[GV_EDIT_FIELD + 8];
    struct gv_edit_twin *twin;
    size_t state;
    for (size_t dots = 0; end && dots < 3; dots++)
        end = strchr(end + (dots > 0), '.');
    if (!end)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "sampler.%.48s: expected sampler.SET.BINDING.ELEMENT.FIELD",
                       field);
    for (size_t i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s.%.*s", words[i], (int)(end - field), field);
        if (!find_row(s, name, err))
            return false;
        if (s->found)
            return take_state(e, s, &state, err) &&
                   take_twin(e, s, state, s->row.call->arg_count - 1u, &twin, err) &&
                   gv_edit_desc(e, &twin->create, end + 1, value, err);
    }
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "sampler.%.*s is not bound there",
                   (int)(end - field), field);
}

// ---- shaders ----

static bool put_shader(struct gv_editor *e, uint32_t maker, struct gv_span words,
                       struct gv_unit_cell *cell, struct gv_error *err)
{
    struct gv_edit_call call = { .call = GV_CALL_shader_create };
    uint32_t number;
    if (!gv_edit_data(&e->code, words, &number, err))
        return false;
    const uint32_t slot = gv_edit_slot(&e->code, GV_KIND_SHADER);
    call.args[0] = (struct gv_unit_cell){ 0, number, GV_EDIT_DATA };
    call.args[1] = (struct gv_unit_cell){ words.size, 0, GV_UNIT_KNOWN };
    call.store = slot + 1;
    *cell = (struct gv_unit_cell){ 0, slot, GV_UNIT_HANDLE };
    return gv_edit_put(&e->code, maker, GV_EDIT_BEHIND, &call, err);
}

static bool edit_shader(struct gv_editor *e, struct spot *s, const char *field,
                        struct gv_span words, struct gv_error *err)
{
    static const struct {
        const char *word, *argument;
    } stages[] = {
        { "vs", "vertex" },   { "tcs", "tessellation_control" },
        { "gs", "geometry" }, { "tes", "tessellation_evaluation" },
        { "fs", "fragment" }, { "cs", "compute" },
    };
    struct gv_edit_twin *twin;
    size_t k = 0;
    while (k < sizeof stages / sizeof *stages && strcmp(stages[k].word, field) != 0)
        k++;
    if (k == sizeof stages / sizeof *stages)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.48s': expected vs, tcs, tes, gs, fs or cs", field);
    if (!pipeline_twin(e, s, &twin, err))
        return false;
    const struct gv_call_info *info = &gv_call_infos[twin->create.call];
    for (size_t i = 2; i < info->arg_count; i++)
        if (strcmp(info->args[i].name, stages[k].argument) == 0)
            return put_shader(e, twin->maker, words, &twin->create.args[i], err);
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the work there has no %s", field);
}

// ---- all of a place ----

static bool skip(struct gv_editor *e, struct spot *s, struct gv_error *err)
{
    struct gv_edit_call call;
    if (!gv_edit_enter(s->in.track, s->unit, err) ||
        !gv_edit_call_of(&s->in.track->unit, &call, err))
        return false;
    e->skipped[s->unit] = true;
    return true;
}

static bool set(struct gv_editor *e, struct spot *s, const char *field,
                const char *value, struct gv_error *err)
{
    struct gv_edit_twin *twin;
    if (strncmp(field, "state.", 6) == 0)
        return edit_state(e, s, field + 6, value, err);
    if (strncmp(field, "sampler.", 8) == 0)
        return edit_sampler(e, s, field + 8, value, err);
    if (strncmp(field, "pipeline.", 9) == 0)
        return pipeline_twin(e, s, &twin, err) &&
               gv_edit_desc(e, &twin->create, field + 9, value, err);
    struct gv_edit_call *call = gv_edit_change(e, s->unit, err);
    return call && set_argument(call, field, value, err);
}

static bool at_spot(struct gv_editor *e, struct spot *s, const char *field,
                    const struct gv_edit_item *item, struct gv_error *err)
{
    switch (item->kind) {
    case GV_EDIT_SKIP:
        return !*field ? skip(e, s, err)
                       : gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                                 "'%.64s': work alone is skipped", item->target);
    case GV_EDIT_SET:
        return set(e, s, field, item->value, err);
    case GV_EDIT_SHADER:
        return edit_shader(e, s, field, item->bytes, err);
    case GV_EDIT_PICTURE:
    case GV_EDIT_UNDEFINED:
        break;
    }
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "'%.64s': a picture is for an object", item->target);
}

// Of a command the one call that has the name, and its argument: "buffer_fill.value".
static bool edit_command(struct gv_editor *e, const struct gv_edit_target *target,
                         const struct gv_edit_item *item, struct gv_error *err)
{
    struct gv_track *t = e->track;
    const char *dot = strchr(target->field, '.');
    uint32_t unit = 0, count = 0;
    if (item->kind != GV_EDIT_SET || !dot)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.64s': expected cN.CALL.ARGUMENT", item->target);
    for (uint32_t u = 0; u < t->unit_count; u++) {
        if (t->units[u].command != target->place.number)
            continue;
        if (!gv_edit_enter(t, u, err))
            return false;
        const struct gv_unit_op *op = gv_track_work(&t->unit);
        const char *name =
            op && op->kind == GV_UNIT_CALL ? gv_call_infos[op->call].name : "";
        if (strlen(name) == (size_t)(dot - target->field) &&
            strncmp(name, target->field, strlen(name)) == 0 && ++count)
            unit = u;
    }
    if (count != 1)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.64s': the command makes %u calls of that name", item->target,
                       count);
    struct gv_edit_call *call = gv_edit_change(e, unit, err);
    return call && set_argument(call, dot + 1, item->value, err);
}

bool gv_edit_work(struct gv_editor *e, const struct gv_edit_target *target,
                  const struct gv_edit_item *item, struct gv_error *err)
{
    struct spot *s;
    if (target->place.kind == GV_PLACE_COMMAND)
        return edit_command(e, target, item, err);
    s = malloc(sizeof *s);
    if (!s)
        return gv_out_of_memory(err);
    const bool ok =
        go(s, e, &target->place, err) && at_spot(e, s, target->field, item, err);
    gv_inspect_finish(&s->in);
    free(s);
    return ok;
}
